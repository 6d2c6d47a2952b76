//! What a rate limiter is asked about in one go.

use super::condition::Conditions;
use super::entity::{Component, Entities, EntityId};
use super::error::{Invalid, shown};

#[derive(Clone, Copy, Debug)]
pub(super) struct Operation {
    pub condition: u32,
    pub entity: u32,
    pub amount: i64,
}

/// Operations of a rate limiter: all of them are counted, or none. To be used with the conditions it was made with.
#[derive(Clone, Debug)]
pub struct Batch {
    pub(super) entities: Entities,
    pub(super) operations: Vec<Operation>,
}

impl Batch {
    /// Without operations.
    pub fn new(conditions: &Conditions) -> Batch {
        Batch {
            entities: conditions.catalog().new_entities(),
            operations: Vec::new(),
        }
    }

    /// Adds an operation as `LimitBatch` does in MediaWiki: the condition's name comes once more in the counters'
    /// keys, before the entity's components. Answers the entity with that name before it.
    ///
    /// # Errors
    /// For an unknown condition, one that is in the batch already, and a negative amount.
    pub fn operation(
        &mut self,
        conditions: &Conditions,
        condition: &[u8],
        global: bool,
        components: &[Component<'_>],
        amount: i64,
    ) -> Result<EntityId, Invalid> {
        let components: Vec<Component<'_>> = std::iter::once(Component::Bytes(condition))
            .chain(components.iter().copied())
            .collect();
        self.direct(conditions, condition, global, &components, amount)
    }

    /// Adds an operation as a limiter's own `peek`, `tryIncr` and `incr` do: with the entity as it is.
    ///
    /// # Errors
    /// As [`Batch::operation`].
    pub fn direct(
        &mut self,
        conditions: &Conditions,
        condition: &[u8],
        global: bool,
        components: &[Component<'_>],
        amount: i64,
    ) -> Result<EntityId, Invalid> {
        let index = conditions.find(condition)?;
        if amount < 0 {
            return Err(Invalid::NegativeAmount(amount));
        }
        if self
            .operations
            .iter()
            .any(|earlier| earlier.condition == index)
        {
            return Err(Invalid::RepeatedCondition(shown(condition)));
        }
        let entity = self.entities.known(global, components, 0);
        self.operations.push(Operation {
            condition: index,
            entity: entity.index() as u32,
            amount,
        });
        Ok(entity)
    }

    /// How many operations there are.
    pub fn len(&self) -> usize {
        self.operations.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.operations.is_empty()
    }
}
