#!/bin/sh
# usage: run.sh [ROUTE...]     routes: install phpize composer deb messages; all when none is named
# Goes each way of installing on a clean copy of what git has, and looks whether PHP then has the extension. Installs below
# DESTDIR or into a throw-away folder only: the machine's PHP is left as it is. What was compiled is kept in
# target/packaging, so that a second run takes less time.
set -eu
. "$(dirname "$0")/../support/env.sh"

[ $# -gt 0 ] || set -- install phpize composer deb messages
work=$root/target/packaging
mkdir -p "$work/target"
version=$("$PHP_CONFIG" --version | sed 's/^\([0-9]*\.[0-9]*\).*/\1/')
extensions=$("$PHP_CONFIG" --extension-dir)

copy() { # copy NAME: a clean copy of the committed tree, compiled things apart
    rm -rf "${work:?}/$1"
    mkdir -p "$work/$1"
    git -C "$root" archive HEAD | tar -x -C "$work/$1"
    ln -s ../target "$work/$1/target"
}
loads() { # loads LIBRARY: PHP takes it, and it counts
    found=$("$PHP" -n -d "extension=$1" -r '$s = new WRStats("memory:"); $s->incr("a", 7); echo phpversion("wrstats"), " ", $s->get("a");')
    [ "$found" = "$(sed -n 's/^version *= *"\(.*\)"/\1/p' "$root/Cargo.toml" | head -n 1) 7" ] || die "$1: PHP says \"$found\""
}
is_there() { [ -f "$1" ] || die "$1 was not installed"; }

route_install() {
    copy install
    make -C "$work/install" --no-print-directory install DESTDIR="$work/install.root"
    is_there "$work/install.root$extensions/wrstats.so"
    is_there "$work/install.root/etc/php/$version/mods-available/wrstats.ini"
    loads "$work/install.root$extensions/wrstats.so"
    # An ini file that someone has edited stays.
    echo 'wrstats.timeout = 0.1' >>"$work/install.root/etc/php/$version/mods-available/wrstats.ini"
    make -C "$work/install" --no-print-directory install DESTDIR="$work/install.root"
    grep -q 'wrstats.timeout = 0.1' "$work/install.root/etc/php/$version/mods-available/wrstats.ini" || die "an edited wrstats.ini was overwritten"
    is_there "$work/install.root/etc/php/$version/mods-available/wrstats.ini.new"
}
build_path() { # the folder that composer.json names to PIE
    # shellcheck disable=SC2016
    "$PHP" -n -r 'echo json_decode(file_get_contents($argv[1]), true)["php-ext"]["build-path"];' "$root/composer.json"
}
route_phpize() {
    copy phpize
    (
        cd "$work/phpize/$(build_path)"
        phpize="$(dirname "$(command -v "$PHP_CONFIG")")/phpize${PHP_CONFIG##*php-config}"
        "$phpize"
        ./configure --with-php-config="$(command -v "$PHP_CONFIG")"
        make
        make test
        make install INSTALL_ROOT="$work/phpize.root"
    )
    is_there "$work/phpize.root$extensions/wrstats.so"
    loads "$work/phpize.root$extensions/wrstats.so"
    # phpize's files are in its folder only.
    litter=$(cd "$work/phpize" && find . -path "./$(build_path)" -prune -o -path ./target -prune -o -type f -print | sed 's#^\./##' |
        while read -r file; do git -C "$root" cat-file -e "HEAD:$file" 2>/dev/null || echo "$file"; done)
    [ -z "$litter" ] || die "phpize left files outside its folder: $litter"
}
composer() { # Debian's, on the PHP under test; PHP_OPTIONS are this PHP's
    # shellcheck disable=SC2086
    COMPOSER_ALLOW_SUPERUSER=1 COMPOSER_HOME=$work/composer.root "$PHP" ${PHP_OPTIONS:-} /usr/bin/composer \
        --no-interaction --no-ansi "$@"
}
route_composer() {
    # What PIE reads, since PIE itself is not to be had here. That phpize builds in build-path shows the route phpize.
    # shellcheck disable=SC2016
    "$PHP" -n -r '
        $json = json_decode(file_get_contents($argv[1] . "/composer.json"), true, flags: JSON_THROW_ON_ERROR);
        $ext = $json["php-ext"];
        $wrong = array_keys(array_filter([
            "type" => $json["type"] !== "php-ext",
            "extension-name" => $ext["extension-name"] !== "wrstats",
            "build-path" => !is_file("$argv[1]/{$ext["build-path"]}/config.m4"),
            "support-zts" => $ext["support-zts"] !== true,
            "support-nts" => $ext["support-nts"] !== true,
        ]));
        if ($wrong) { fwrite(STDERR, "composer.json: wrong: " . implode(", ", $wrong) . "\n"); exit(1); }
    ' "$root"
    # Composer's own check, warnings too. Before 2.8 it does not know what describes an extension.
    for folder in "$root" "$root/php"; do
        said=$(composer validate --strict -d "$folder" 2>&1) || true
        case $said in *"composer.json is valid"*) ;; *) die "$folder: $said" ;; esac
        complaints=$(printf '%s\n' "$said" | grep '^- ' | grep -v 'property php-ext is not defined') || true
        [ -z "$complaints" ] || die "$folder/composer.json: $complaints"
    done
    # The PHP side as a site's dependency: refused without the extension, else autoloaded and with its command.
    copy composer
    make -C "$work/composer" --no-print-directory build
    mkdir "$work/composer/site"
    cd "$work/composer/site"
    echo '{"repositories": [{"type": "path", "url": "../php"}, {"packagist.org": false}],
        "require": {"wrstats/php": "*@dev"}}' >composer.json
    if composer update >without.log 2>&1; then
        die "the PHP side was installed without the extension"
    fi
    grep -q 'wrstats/php .* requires ext-wrstats' without.log || { cat without.log; die "it is not said that the extension is missing"; }
    PHP_OPTIONS="-d extension=$work/composer/target/release/libwrstats.so"
    composer update
    # shellcheck disable=SC2086
    "$PHP" $PHP_OPTIONS vendor/bin/wrstats status --servers=memory:
    # shellcheck disable=SC2086
    "$PHP" $PHP_OPTIONS -r 'require "vendor/autoload.php"; echo get_class(new WRStats\Prometheus(new WRStats("memory:"))), "\n";'
}
route_deb() {
    copy deb
    # A copy without git: the packages are made of the tree as it is.
    make -C "$work/deb" --no-print-directory deb
    rm -rf "$work/deb.root"
    mkdir "$work/deb.root"
    for package in "$work"/target/deb/*.deb; do
        dpkg-deb -x "$package" "$work/deb.root"
    done
    is_there "$work/deb.root$extensions/wrstats.so"
    is_there "$work/deb.root/etc/php/$version/mods-available/wrstats.ini"
    is_there "$work/deb.root/usr/share/php/WRStats/src/Prometheus.php"
    loads "$work/deb.root$extensions/wrstats.so"
    dpkg-deb --ctrl-tarfile "$work/target/deb/php$version-wrstats_"*.deb | tar -xO ./postinst |
        grep -q 'enmod "$version" ALL' || die "the package does not enable the extension for all of cli, fpm, …"
    [ "$(id -u)" -eq 0 ] || die "the packages are made and sound; installing them needs root"
    install_in_a_copy_of_this_machine
}
# As a user would, on this machine as it looks through an overlay that is gone afterwards.
install_in_a_copy_of_this_machine() {
    cp "$work/target/deb/"*.deb "$work/deb.root/"
    # shellcheck disable=SC2016
    unshare --mount --propagation private sh -eu -c '
        packages=$1 version=$2
        over=$(mktemp -d)
        trap "umount -R $over/root $over; rmdir $over" EXIT
        mount -t tmpfs tmpfs "$over"
        mkdir "$over/upper" "$over/work" "$over/root" "$over/upper/packages"
        cp "$packages"/*.deb "$over/upper/packages/"
        # No service of this machine is to be restarted.
        mkdir -p "$over/upper/usr/sbin"
        printf "#!/bin/sh\nexit 101\n" >"$over/upper/usr/sbin/policy-rc.d"
        chmod +x "$over/upper/usr/sbin/policy-rc.d"
        mount -t overlay overlay -o "lowerdir=/,upperdir=$over/upper,workdir=$over/work" "$over/root"
        mount -t proc proc "$over/root/proc"
        mount --rbind /dev "$over/root/dev"
        chroot "$over/root" sh -euxc "
            DEBIAN_FRONTEND=noninteractive apt-get -q -y install --no-install-recommends /packages/*.deb
            php$version --ri wrstats | grep \"Version => \"
            php-fpm$version -i | grep \"wrstats.servers\"
            wrstats --version
            wrstats status --servers=memory:
            php$version -r \"require \\\"/usr/share/php/WRStats/autoload.php\\\"; echo get_class(new WRStats\\Prometheus(new WRStats)), PHP_EOL;\"
            dpkg --purge wrstats php$version-wrstats
            ! php$version --ri wrstats
            ! test -e /etc/php/$version/cli/conf.d/20-wrstats.ini
        "
    ' sh "$work/deb.root" "$version"
}
route_messages() {
    # What is missing is said in one line by each route.
    empty=$work/empty
    rm -rf "$empty"
    mkdir -p "$empty"
    says() { # says WHAT PATTERN COMMAND...
        what=$1 pattern=$2
        shift 2
        if output=$("$@" 2>&1); then
            die "$what: nothing was said"
        fi
        lines=$(printf '%s\n' "$output" | grep -c .)
        [ "$lines" -eq 1 ] && printf '%s' "$output" | grep -q "$pattern" || die "$what: instead of one line: $output"
        say "$what: $output"
    }
    look="$root/tests/support/deps.sh build --only-look"
    printf '#!/bin/sh\necho "cargo 1.63.0"\n' >"$empty/old-cargo"
    printf '#!/bin/sh\necho 7.4.0\n' >"$empty/php-config"
    chmod +x "$empty/old-cargo" "$empty/php-config"
    says 'no Rust' 'Rust .* or newer is needed, and there is no cargo; get it with' \
        env CARGO="$empty/none" $look
    says 'old Rust' 'or newer is needed, 1.63.0 is installed' env CARGO="$empty/old-cargo" $look
    mkdir "$empty/bin"
    for tool in sh dirname sed grep sort head tr id cc php; do
        ln -s "$(command -v "$tool")" "$empty/bin/$tool"
    done
    says 'no php-config' "missing: php$version-dev" env PATH="$empty/bin" PHP_CONFIG=php-config CARGO="$(command -v "$CARGO")" $look
    says 'no PHP' 'PHP=.* is not there' env PHP="$empty/none" $look
    says 'php-config of another PHP' 'php-dev\|php.*-dev\|belongs to' env PHP_CONFIG="$empty/php-config" $look
    says 'no libclang' 'missing: libclang-dev' env LIBCLANG_PLACES="$empty/none" $look
    : >"$empty/libclang-cpp.so.14"
    says 'only libclang-cpp' 'missing: libclang-dev' env LIBCLANG_PLACES="$empty/libclang*.so*" $look
}

for route in "$@"; do
    case $route in
    install | phpize | composer | deb | messages) ;;
    *) die "run.sh: no route is called $route." ;;
    esac
    say "route $route"
    rm -rf "$work/$route.root"
    # Not in a condition, where set -e does not hold.
    set +e
    (set -e; "route_$route") >"$work/$route.log" 2>&1
    status=$?
    set -e
    [ "$status" -eq 0 ] || { tail -n 40 "$work/$route.log" >&2; die "route $route FAILED: $work/$route.log"; }
    [ "$route" != messages ] || cat "$work/$route.log"
    say "route $route: passed"
done
