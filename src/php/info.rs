//! What `phpinfo()` and `php --ri wrstats` show.

use super::lifecycle::Globals;
use super::zend::Table;
use crate::client::handle::ServerInfo;
use crate::client::pools::process_totals;

/// Fills the module's table; the ini settings follow it by themselves.
pub fn print(globals: &Globals, table: &mut Table) {
    table.header("wrstats", "enabled");
    table.row("Version", env!("CARGO_PKG_VERSION"));
    table.row("Thread safe", if cfg!(php_zts) { "yes" } else { "no" });
    table.row("Built for", env!("WRSTATS_TARGET"));
    table.row("TLS, SASL, ASCII authentication", "not supported");
    // Copied first: nothing may be borrowed while the engine prints.
    let mut pools = Vec::new();
    for pool in globals.pools.borrow().iter() {
        let mut pool = pool.borrow_mut();
        pools.push((ServerInfo::of_pool(&pool), pool.metrics()));
    }
    for (servers, books) in pools {
        for server in servers {
            let mut state = server.state.to_owned();
            if let Some(dialect) = server.dialect {
                state += &format!(", {dialect}, version {}", server.version);
            }
            if let Some(error) = &server.error {
                state += &format!(" ({error})");
            }
            table.row(&format!("Server {}", server.name), &state);
        }
        for (name, value) in books.rows() {
            table.row(&format!("Pool {name}"), &value.to_string());
        }
    }
    for (name, value) in process_totals().rows() {
        table.row(
            &format!("Process total, as of the last request: {name}"),
            &value.to_string(),
        );
    }
}
