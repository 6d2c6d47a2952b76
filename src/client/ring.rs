//! Which server a key is kept on: libmemcached's own answers, so that PECL memcached and this extension
//! find each other's keys.
//!
//! Measured against libmemcached 1.1.4 under php-memcached 3.2.0 (`tests/server/ring_pecl.rs`, frozen in
//! `tests/core/ring.rs`). Prefix and route are not part of the key here.

mod md5_lanes;

use md5::{Digest, Md5};
use md5_lanes::LANES;

use super::config::{Distribution, MAX_SERVERS};
use super::endpoint::Server;

/// Points of a server of average weight on the ketama ring.
const POINTS_PER_SERVER: f32 = 160.0;
/// Points that one MD5 sum gives.
const POINTS_PER_SUM: u32 = 4;
/// Up to so many keys are hashed sooner one after the other than side by side with empty lanes.
const ONE_BY_ONE: usize = 3;

/// The mapping from keys to servers. Made once per pool; asking it allocates nothing.
///
/// * `ketama`: each server has 160 points on a ring of 32 bits, more or less by its weight: the quarters
///   of MD5("name-0"), MD5("name-1"), … A key belongs to the first point at or after the first quarter of
///   its own MD5, the ring being closed.
/// * `modula`: the one-at-a-time hash of the key, modulo the number of servers. Weights don't count.
/// * One server has all keys.
#[derive(Debug, Clone)]
pub struct Ring(Kind);

#[derive(Debug, Clone)]
enum Kind {
    One,
    Modula { servers: u32 },
    Ketama(Points),
}

/// The ring's points in ascending order, with a table that leads close to the right one.
#[derive(Debug, Clone)]
struct Points {
    /// Ends with a point at the top that has the first point's owner, so that every search ends.
    points: Box<[u32]>,
    /// The server of each point.
    owners: Box<[u16]>,
    /// For every value of the leading bits of a hash, the first point that is not below it.
    starts: Box<[u32]>,
    /// How many bits of a hash are not leading ones.
    shift: u32,
}

impl Ring {
    /// The ring of 1 to [`MAX_SERVERS`] servers; their order counts for
    /// `modula`, and decides between equal points for `ketama`.
    ///
    /// # Panics
    /// With no server at all, or more than so many, which a [`Config`](super::config::Config) never holds.
    #[must_use]
    pub fn new(distribution: Distribution, servers: &[Server]) -> Self {
        let count = servers.len();
        assert!(
            (1..=MAX_SERVERS).contains(&count),
            "a ring of {count} servers"
        );
        Ring(match distribution {
            _ if count == 1 => Kind::One,
            Distribution::Modula => Kind::Modula {
                servers: count as u32,
            },
            Distribution::Ketama => Kind::Ketama(Points::new(servers)),
        })
    }

    /// The index of the server that keeps `key` (without prefix and route).
    #[inline]
    #[must_use]
    pub fn server(&self, key: &[u8]) -> usize {
        match &self.0 {
            Kind::One => 0,
            Kind::Modula { servers } => (one_at_a_time(key) % servers) as usize,
            Kind::Ketama(points) => points.owner(quarters(key)[0]).into(),
        }
    }

    /// [`Ring::server`] for many keys at a time: `owners[n]` becomes the server of `keys[n]`. For `ketama`
    /// this is faster from four keys on, up to three times in multiples of eight.
    ///
    /// # Panics
    /// When there are not as many owners as keys.
    pub fn servers(&self, keys: &[&[u8]], owners: &mut [u16]) {
        assert_eq!(keys.len(), owners.len(), "an owner for each key");
        for (keys, owners) in keys.chunks(LANES).zip(owners.chunks_mut(LANES)) {
            match &self.0 {
                Kind::Ketama(points) if keys.len() > ONE_BY_ONE => points.owners_of(keys, owners),
                _ => {
                    for (key, owner) in keys.iter().zip(owners) {
                        *owner = self.server(key) as u16;
                    }
                }
            }
        }
    }
}

impl Points {
    fn new(servers: &[Server]) -> Self {
        let total: u32 = servers.iter().map(Server::weight).sum();
        let mut pairs: Vec<(u32, u16)> = Vec::with_capacity(servers.len() * 161);
        for (index, server) in (0..=u16::MAX).zip(servers) {
            let mut text = server.endpoint().ring_name();
            let name_len = text.len();
            for sum in 0..sums(server.weight(), total, servers.len()) {
                text.truncate(name_len);
                text.push(b'-');
                text.extend_from_slice(itoa::Buffer::new().format(sum).as_bytes());
                pairs.extend(quarters(&text).map(|point| (point, index)));
            }
        }
        // Stable: of equal points the first server's is found.
        pairs.sort_by_key(|(point, _)| *point);
        // At least the heaviest server has points: its share is one in `servers` or more.
        let first_owner = pairs.first().map_or(0, |(_, owner)| *owner);
        pairs.push((u32::MAX, first_owner));

        let (points, owners): (Vec<u32>, Vec<u16>) = pairs.into_iter().unzip();
        let bits = points.len().next_power_of_two().trailing_zeros();
        let shift = 32 - bits;
        let starts = (0..1_u32 << bits)
            .map(|lead| points.partition_point(|point| *point < lead << shift) as u32);
        Points {
            starts: starts.collect(),
            points: points.into(),
            owners: owners.into(),
            shift,
        }
    }

    /// The owners of at most [`LANES`] keys.
    fn owners_of(&self, keys: &[&[u8]], owners: &mut [u16]) {
        let mut texts: [&[u8]; LANES] = [b""; LANES];
        texts[..keys.len()].copy_from_slice(keys);
        for (hash, owner) in md5_lanes::first_quarters(&texts).into_iter().zip(owners) {
            *owner = self.owner(hash);
        }
    }

    #[inline]
    fn owner(&self, hash: u32) -> u16 {
        let mut at = self.starts[(hash >> self.shift) as usize] as usize;
        while self.points[at] < hash {
            at += 1;
        }
        self.owners[at]
    }
}

/// How many MD5 sums a server of this weight gets, in libmemcached's single precision.
fn sums(weight: u32, total: u32, servers: usize) -> u32 {
    #[expect(clippy::cast_precision_loss, reason = "libmemcached's arithmetic")]
    let share = weight as f32 / total as f32;
    #[expect(clippy::cast_precision_loss, reason = "libmemcached's arithmetic")]
    let sums = share * POINTS_PER_SERVER / POINTS_PER_SUM as f32 * servers as f32 + 1e-10;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "positive, at most 40 per server"
    )]
    let sums = sums.floor() as u32;
    sums
}

/// The MD5 sum as four little-endian numbers.
fn quarters(text: &[u8]) -> [u32; 4] {
    let sum: [u8; 16] = Md5::digest(text).into();
    let (numbers, _) = sum.as_chunks::<4>();
    [numbers[0], numbers[1], numbers[2], numbers[3]].map(u32::from_le_bytes)
}

/// Bob Jenkins' one-at-a-time hash. Bytes from 0x80 count as negative, as libmemcached's `char` does.
fn one_at_a_time(key: &[u8]) -> u32 {
    let mut hash = 0_u32;
    for &byte in key {
        hash = hash.wrapping_add_signed(i32::from(byte as i8));
        hash = hash.wrapping_add(hash << 10);
        hash ^= hash >> 6;
    }
    hash = hash.wrapping_add(hash << 3);
    hash ^= hash >> 11;
    hash.wrapping_add(hash << 15)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn servers(list: &str) -> Vec<Server> {
        list.split(' ')
            .map(|text| Server::parse(text.as_bytes()).unwrap())
            .collect()
    }

    #[test]
    fn the_table_leads_to_the_same_point_as_a_plain_search() {
        for list in [
            "a b",
            "a b c:1:9 /s:0:100",
            "a:1:1000000 b",
            "a:1:0 b c d e f g h i j k l m",
        ] {
            let Kind::Ketama(points) = Ring::new(Distribution::Ketama, &servers(list)).0 else {
                panic!("not ketama");
            };
            assert!(points.points.is_sorted());
            let plain =
                |hash: u32| points.owners[points.points.partition_point(|point| *point < hash)];
            let near_points = points
                .points
                .iter()
                .flat_map(|point| [point.wrapping_sub(1), *point, point.wrapping_add(1)]);
            let spread = (0..100_000_u32).map(|at| at.wrapping_mul(0x9e37_79b1));
            for hash in near_points
                .chain(spread)
                .chain([0, 1, u32::MAX - 1, u32::MAX])
            {
                assert_eq!(points.owner(hash), plain(hash), "{hash} of {list}");
            }
        }
    }

    #[test]
    fn a_single_server_has_all_keys() {
        for distribution in [Distribution::Ketama, Distribution::Modula] {
            assert_eq!(Ring::new(distribution, &servers("a")).server(b"foo"), 0);
        }
    }

    /// Asked of php-memcached 3.2.0 for three servers, 127.0.0.1:11211 to 11213.
    #[test]
    fn keys_go_where_pecl_memcached_puts_them() {
        let three = servers("127.0.0.1:11211 127.0.0.1:11212 127.0.0.1:11213");
        #[rustfmt::skip]
        let cases = [
            (Distribution::Modula, &[("foo", 0), ("bar", 1), ("counter", 0)][..]),
            (Distribution::Ketama, &[("foo", 0), ("bar", 1), ("user:42", 1), ("counter", 2), ("z", 2)]),
        ];
        for (distribution, expected) in cases {
            let ring = Ring::new(distribution, &three);
            for (key, server) in expected {
                assert_eq!(ring.server(key.as_bytes()), *server, "{key}");
            }
            for count in 0..=expected.len() {
                let (keys, servers): (Vec<&[u8]>, Vec<u16>) = expected[..count]
                    .iter()
                    .map(|(key, server)| (key.as_bytes(), *server as u16))
                    .unzip();
                let mut owners = vec![9; count];
                ring.servers(&keys, &mut owners);
                assert_eq!(owners, servers);
            }
        }
    }
}
