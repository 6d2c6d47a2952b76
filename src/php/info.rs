//! What `phpinfo()` and `php --ri wrstats` show.

use super::lifecycle::Globals;
use super::zend::Table;

/// Fills the module's table; the ini settings follow it by themselves.
pub fn print(_globals: &Globals, table: &mut Table) {
    table.header("wrstats", "enabled");
    table.row("Version", env!("CARGO_PKG_VERSION"));
    table.row("Thread safe", if cfg!(php_zts) { "yes" } else { "no" });
    table.row("Built for", env!("WRSTATS_TARGET"));
}
