//! Tells the PHP surface which engine it is built against (`cfg(php83)`, `cfg(php_zts)`, ...).

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    ext_php_rs_build::emit_check_cfg();
    println!("cargo:rustc-check-cfg=cfg(php_zts)");
    // For phpinfo().
    println!(
        "cargo:rustc-env=WRSTATS_TARGET={}",
        std::env::var("TARGET").unwrap_or_default()
    );
    if std::env::var_os("CARGO_FEATURE_PHP").is_none() {
        return;
    }
    for name in ["PHP", "PHP_CONFIG", "PATH"] {
        println!("cargo:rerun-if-env-changed={name}");
    }
    let php = ext_php_rs_build::find_php().expect(
        "no `php` found: install the PHP command line and headers (Debian: php-cli php-dev), \
         or name the binary in the environment variable PHP",
    );
    let info = ext_php_rs_build::PHPInfo::get(&php).expect("`php -i` failed");
    let api: ext_php_rs_build::ApiVersion = info
        .zend_version()
        .expect("`php -i` names no Zend API version")
        .try_into()
        .expect("this PHP is not supported: 8.1 or later is needed");
    ext_php_rs_build::emit_php_cfg_flags(api);
    if info.thread_safety().unwrap_or(false) {
        println!("cargo:rustc-cfg=php_zts");
    }
}
