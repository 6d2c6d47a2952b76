//! Settings: which values are taken, what is said of others, and which configs share a pool.

use std::time::Duration;

use proptest::prelude::*;
use wrstats::client::config::{
    Config, Distribution, KEYS, LongKeys, Persistent, Protocol, Servers,
};
use wrstats::client::endpoint::Server;
use wrstats::client::input::Input::{self, Array, Bytes, Float, Int, Null};
use wrstats::client::input::InputKey;

fn text(text: &str) -> Input {
    Bytes(text.into())
}

#[test]
fn settings_are_read_by_what_they_stand_for() {
    let mut config = Config::default();
    #[rustfmt::skip]
    let cases = [
        ("servers", text("/run/m.sock")),
        ("persistent", text("Off")),
        ("protocol", text("classic")),
        ("noreply", text("yes")),
        ("distribution", text("modula")),
        ("prefix", text("p:")),
        ("route", text("/codfw/mw/")),
        ("keyspace", text("enwiki")),
        ("long_keys", text("mediawiki-1.39")),
        ("connect_timeout", Float(0.1)),
        ("timeout", text("0.2")),
        ("retry_interval", Int(3)),
        ("buffer_bytes", text("1M")),
        ("flush_interval", text("0")),
        ("shutdown_timeout", Int(0)),
    ];
    for (key, value) in cases {
        config.set(key.as_bytes(), &value).unwrap();
    }
    let mut expected = Config::default();
    expected.servers = Servers::Remote(vec![Server::parse(b"/run/m.sock").unwrap()]);
    expected.persistent = Persistent::No;
    expected.protocol = Protocol::Classic;
    expected.noreply = true;
    expected.distribution = Distribution::Modula;
    expected.prefix = b"p:"[..].into();
    expected.route = b"/codfw/mw/"[..].into();
    expected.keyspace = b"enwiki"[..].into();
    expected.long_keys = LongKeys::MediaWiki139;
    expected.connect_timeout = Duration::from_millis(100);
    expected.timeout = Duration::from_millis(200);
    expected.retry_interval = Duration::from_secs(3);
    expected.buffer_bytes = 1 << 20;
    expected.flush_interval = Duration::ZERO;
    expected.shutdown_timeout = Duration::ZERO;
    assert_eq!(config, expected);
    for key in KEYS {
        config.set(key.as_bytes(), &Null).unwrap();
    }
    assert_eq!(config, expected, "null changes nothing");
}

#[test]
fn refusals_name_the_key_and_the_form() {
    let mut config = Config::default();
    #[rustfmt::skip]
    let cases = [
        ("timeout", text("abc"), "timeout must be a number of seconds from 0.001 to 60, \"abc\" given"),
        ("connect_timeout", Int(250), "connect_timeout must be a number of seconds from 0.001 to 60, 250 given"),
        ("retry_interval", Int(0), "retry_interval must be a number of seconds from 0.001 to 3600, 0 given"),
        ("flush_interval", Int(-1), "flush_interval must be a number of seconds from 0 to 3600, -1 given"),
        ("shutdown_timeout", Int(61), "shutdown_timeout must be a number of seconds from 0 to 60, 61 given"),
        (
            "buffer_bytes",
            Int(0),
            "buffer_bytes must be a number of bytes from 4096 to 1073741824 (K, M and G may follow it), 0 given",
        ),
        ("persistent", Int(2), "persistent must be true, false or a name of at most 255 bytes, 2 given"),
        ("noreply", text("abc"), "noreply must be true or false, \"abc\" given"),
        ("protocol", text("binary"), "protocol must be \"auto\", \"meta\" or \"classic\", \"binary\" given"),
        ("prefix", text("a\r\nb"), "prefix must be a string without spaces and control characters, \"a\\r\\nb\" given"),
        ("route", text("/a/b"), "route must be empty or of the form \"/region/cluster/\", \"/a/b\" given"),
        ("route", text("//"), "route must be empty or of the form \"/region/cluster/\", \"//\" given"),
        ("keyspace", text(""), "keyspace must be a string of 1 to 128 bytes, \"\" given"),
        ("time_out", Int(1), "config: there is no setting \"time_out\"; did you mean \"timeout\"?"),
        ("Server", Int(1), "config: there is no setting \"Server\"; did you mean \"servers\"?"),
        ("persistent_id", Int(1), "config: there is no setting \"persistent_id\"; did you mean \"persistent\"?"),
    ];
    for (key, value, message) in cases {
        assert_eq!(
            config.set(key.as_bytes(), &value).unwrap_err().to_string(),
            message
        );
    }
    let unknown = config
        .set(b"password", &text("secret"))
        .unwrap_err()
        .to_string();
    assert!(
        unknown.contains("there are servers, persistent") && !unknown.contains("secret"),
        "{unknown}"
    );
    assert_eq!(config, Config::default(), "a refused value changes nothing");
}

#[test]
fn prefix_and_route_leave_room_for_a_key() {
    let mut config = Config::default();
    config.set(b"route", &text("/a/b/")).unwrap();
    config.set(b"prefix", &text(&"p".repeat(244))).unwrap();
    assert!(config.set(b"prefix", &text(&"p".repeat(245))).is_err());
    let message = config
        .set(b"route", &text("/a/bc/"))
        .unwrap_err()
        .to_string();
    assert_eq!(
        message,
        "route must be at most 249 bytes, route and prefix together, \"/a/bc/\" given"
    );
}

#[test]
fn an_array_starts_from_the_ini_settings_but_for_what_belongs_to_a_handle() {
    let mut base = Config::default();
    for (key, value) in [
        ("timeout", "2"),
        ("prefix", "p"),
        ("route", "/r/"),
        ("keyspace", "k"),
        ("long_keys", "mediawiki-1.39"),
    ] {
        base.set(key.as_bytes(), &text(value)).unwrap();
    }
    let list = [(InputKey::Bytes(b"noreply".to_vec()), Input::Bool(true))];
    let config = Config::from_array(&base, &list).unwrap();
    let mut expected = Config::default();
    expected.timeout = Duration::from_secs(2);
    expected.noreply = true;
    assert_eq!(config, expected);
    let list = [(InputKey::Int(0), text("127.0.0.1:11211"))];
    assert_eq!(
        Config::from_array(&base, &list).unwrap_err().to_string(),
        "config: 0 is no key; a list of servers goes under \"servers\"",
    );
}

#[test]
fn a_pool_is_shared_unless_something_of_its_own_differs() {
    let base = Config::default();
    let with = |key: &str, value: Input| {
        let mut config = base.clone();
        config.set(key.as_bytes(), &value).unwrap();
        config.pool_identity()
    };
    for (key, value) in [
        ("prefix", "p"),
        ("route", "/a/b/"),
        ("keyspace", "k"),
        ("long_keys", "mediawiki-1.39"),
    ] {
        assert_eq!(with(key, text(value)), base.pool_identity(), "{key}");
    }
    let mut identities = vec![base.pool_identity()];
    #[rustfmt::skip]
    let cases = [
        ("servers", "127.0.0.1:11212"),
        ("servers", "127.0.0.1:11211:2"),
        ("servers", "/a"),
        ("servers", "/a:11211"),
        ("servers", "a,b"),
        ("servers", "b,a"),
        ("servers", "memory:"),
        ("persistent", "off"),
        ("persistent", "a"),
        ("persistent", "b"),
        ("protocol", "meta"),
        ("noreply", "1"),
        ("distribution", "modula"),
        ("connect_timeout", "0.5"),
        ("timeout", "0.25"),
        ("timeout", "0.25000001"),
        ("retry_interval", "2"),
        ("buffer_bytes", "1M"),
        ("flush_interval", "2"),
        ("shutdown_timeout", "2"),
    ];
    for (key, value) in cases {
        let identity = with(key, text(value));
        assert!(!identities.contains(&identity), "{key} {value}");
        identities.push(identity);
    }
}

fn any_value() -> impl Strategy<Value = Input> {
    let bytes = prop_oneof!["[ -~]{0,20}".prop_map(String::into_bytes), any::<Vec<u8>>()];
    let leaf = prop_oneof![
        Just(Null),
        Just(Input::Other("object".into())),
        any::<bool>().prop_map(Input::Bool),
        any::<i64>().prop_map(Int),
        any::<f64>().prop_map(Float),
        bytes.clone().prop_map(Bytes),
    ];
    let key = prop_oneof![
        any::<i64>().prop_map(InputKey::Int),
        bytes.prop_map(InputKey::Bytes)
    ];
    leaf.prop_recursive(3, 20, 4, move |value| {
        proptest::collection::vec((key.clone(), value), 0..4).prop_map(Array)
    })
}

proptest! {
    #[test]
    fn any_value_is_taken_or_refused_in_one_printable_line(key in 0..KEYS.len(), value in any_value()) {
        if let Err(error) = Config::default().set(KEYS[key].as_bytes(), &value) {
            let message = error.to_string();
            prop_assert!(message.starts_with(KEYS[key]) && message.len() < 400, "{}", message);
            prop_assert!(message.bytes().all(|byte| (0x20..0x7f).contains(&byte)), "{}", message);
        }
    }
}
