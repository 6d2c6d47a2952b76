<?php
/**
 * Runs scenarios on MediaWiki's own WRStats classes and prints what they did, for tests/core/stats_php_oracle.rs.
 *
 * One command a line on stdin, its words separated by spaces; after each, one line of outcomes.
 * Numbers: "i" and digits, or "f" and the 16 hex digits of a float's bits. Bytes: "x" and hex digits.
 * Entities: "L" (local) or "G" (global), or these in lower case for string-keyed components; then ",component" each.
 *
 * MEDIAWIKI_DIR names another MediaWiki than Debian's.
 */

error_reporting( E_ALL & ~E_DEPRECATED );
ini_set( 'display_errors', 'stderr' );
set_error_handler( static function ( $level, $text, $file, $line ) {
	throw new ErrorException( $text, 0, $level, $file, $line );
}, E_ALL & ~E_DEPRECATED );

$libs = ( getenv( 'MEDIAWIKI_DIR' ) ?: '/usr/share/mediawiki' ) . '/includes/libs';
spl_autoload_register( static function ( $class ) use ( $libs ) {
	$space = strrpos( $class, '\\' ) === false ? '' : substr( $class, 0, strrpos( $class, '\\' ) );
	$name = $space === '' ? $class : substr( $class, strlen( $space ) + 1 );
	foreach ( [ 'WRStats', 'objectcache', 'objectcache/utils', 'ObjectCache' ] as $folder ) {
		$file = "$libs/$folder/$name.php";
		if ( !is_file( $file ) ) {
			continue;
		}
		if ( $name === 'WRStatsReader' ) {
			// The two slips that our reader doesn't repeat: 0 and 0.0 are told apart where now is on a bucket's edge,
			// and totals from 2^63 on wrap around. With these repaired, and nothing else, every number has to be the same.
			$repaired = file_get_contents( $file );
			foreach ( [
				'$overlapDuration === $interpolationDuration' => '$overlapDuration == $interpolationDuration',
				'$rounded = (int)$rounded' => '$rounded = $rounded >= 2 ** 63 ? PHP_INT_MAX : (int)$rounded',
			] as $slip => $right ) {
				$repaired = str_replace( $slip, $right, $repaired, $count );
				if ( $count !== 1 ) {
					throw new Exception( "$file is not as it was known" );
				}
			}
			eval( substr( $repaired, strlen( '<?php' ) ) );
		} else {
			require $file;
		}
		return;
	}
	// Interfaces of libraries that MediaWiki's classes name and none of these scenarios use.
	eval( ( $space === '' ? '' : "namespace $space; " ) . "interface $name {}" );
} );

use Wikimedia\WRStats\GlobalEntityKey;
use Wikimedia\WRStats\LimitCondition;
use Wikimedia\WRStats\LocalEntityKey;
use Wikimedia\WRStats\StatsStore;
use Wikimedia\WRStats\WRStatsFactory;

/** Counters in an array, under the keys of MediaWiki's memcached class; remembers what was done to it. */
class RecordingStore implements StatsStore {
	public $counters = [];
	public $done = [];
	private $makeKey;

	public function __construct() {
		$class = new ReflectionClass( 'MemcachedPeclBagOStuff' );
		$method = $class->getMethod( 'makeKeyInternal' );
		$method->setAccessible( true );
		$bag = $class->newInstanceWithoutConstructor();
		$this->makeKey = static fn ( $space, $parts ) => $method->invoke( $bag, $space, $parts );
	}

	public function makeKey( $prefix, $internals, $entity ) {
		// By value: string-keyed components must not get lost.
		$parts = array_merge( $prefix, $internals, array_values( $entity->getComponents() ) );
		return ( $this->makeKey )( $entity->isGlobal() ? 'global' : 'local', array_map( 'strval', $parts ) );
	}

	public function incr( array $values, $ttl ) {
		foreach ( $values as $key => $value ) {
			$this->counters[$key] = ( $this->counters[$key] ?? 0 ) + $value;
			$this->done[] = "+$key=$value/$ttl";
		}
	}

	public function delete( array $keys ) {
		foreach ( $keys as $key ) {
			unset( $this->counters[$key] );
			$this->done[] = "-$key";
		}
	}

	public function query( array $keys ) {
		foreach ( $keys as $key ) {
			$this->done[] = "?$key";
		}
		return array_intersect_key( $this->counters, array_flip( $keys ) );
	}

	/** What was done since the last call, in an order of its own. */
	public function report() {
		$done = array_unique( $this->done );
		sort( $done, SORT_STRING );
		$this->done = [];
		return $done;
	}
}

function number( $word ) {
	return $word[0] === 'i' ? (int)substr( $word, 1 ) : unpack( 'E', hex2bin( substr( $word, 1 ) ) )[1];
}

function shown( $number ) {
	return is_int( $number ) ? "i$number" : 'f' . bin2hex( pack( 'E', $number ) );
}

function value( $word ) {
	return $word[0] === 'x' ? hex2bin( substr( $word, 1 ) ) : number( $word );
}

function components( $word ) {
	$parts = array_map( 'value', array_slice( explode( ',', $word ), 1 ) );
	if ( $word[0] >= 'a' ) {
		$parts = array_combine( array_map( static fn ( $i ) => "k$i", array_keys( $parts ) ), $parts );
	}
	return $parts;
}

function entity( $word ) {
	if ( $word === 'L' ) {
		return null;
	}
	return strtolower( $word[0] ) === 'g'
		? new GlobalEntityKey( components( $word ) ) : new LocalEntityKey( components( $word ) );
}

function results( $results ) {
	$words = [];
	foreach ( $results as $name => $result ) {
		$words[] = 'x' . bin2hex( $name ) . "={$result->prevTotal},{$result->newTotal}," . (int)$result->isAllowed();
	}
	return $words;
}

$store = $specs = $prefix = $conditions = $writer = $reader = $rates = $limiter = $batch = null;

function run( $command, $args ) {
	global $store, $specs, $prefix, $conditions, $writer, $reader, $rates, $limiter, $batch;
	switch ( $command ) {
		case 'version':
			return [ PHP_VERSION ];
		case 'round':
			return [ shown( round( number( $args[0] ) ) ) ];
		case 'scenario':
			$store = new RecordingStore;
			$specs = $conditions = $rates = [];
			$prefix = array_map( 'value', $args );
			return [];
		case 'metric':
			$spec = [];
			if ( $args[1] !== '-' ) {
				$spec['resolution'] = number( $args[1] );
			}
			foreach ( array_chunk( array_slice( $args, 2 ), 3 ) as $sequence ) {
				$words = array_combine( [ 'name', 'timeStep', 'expiry' ], $sequence );
				$spec['sequences'][] = array_map( 'value', array_filter( $words, static fn ( $w ) => $w !== '-' ) );
			}
			$specs[value( $args[0] )] = $spec;
			return [];
		case 'writer':
			$writer = ( new WRStatsFactory( $store ) )->createWriter( $specs, $prefix );
			$writer->setCurrentTime( number( $args[0] ) );
			return [];
		case 'writer-time':
			$writer->setCurrentTime( number( $args[0] ) );
			return [];
		case 'incr':
			$writer->incr( value( $args[0] ), entity( $args[1] ), number( $args[2] ) );
			return [];
		case 'flush':
			$writer->flush();
			return $store->report();
		case 'reset':
			$writer->resetAll( $args ? array_map( static fn ( $w ) => entity( $w ) ?? new LocalEntityKey, $args ) : null );
			return $store->report();
		case 'reader':
			$reader = ( new WRStatsFactory( $store ) )->createReader( $specs, $prefix );
			$reader->setCurrentTime( number( $args[0] ) );
			$rates = [];
			return [];
		case 'reader-time':
			$reader->setCurrentTime( number( $args[0] ) );
			return [];
		case 'latest':
			$rates[] = $reader->getRate( value( $args[0] ), entity( $args[1] ), $reader->latest( number( $args[2] ) ) );
			return [];
		case 'rate':
			$range = $reader->timeRange( number( $args[2] ), number( $args[3] ) );
			$rates[] = $reader->getRate( value( $args[0] ), entity( $args[1] ), $range );
			return [];
		case 'fetch':
			$reader->fetch();
			return $store->report();
		case 'total':
			return array_merge( [ shown( $rates[(int)$args[0]]->total() ) ], $store->report() );
		case 'per':
			$rate = $rates[(int)$args[0]];
			$per = [ $rate->perSecond(), $rate->perMinute(), $rate->perHour(), $rate->perDay() ];
			return array_merge( array_map( static fn ( $x ) => shown( (float)$x ), $per ), $store->report() );
		case 'condition':
			$conditions[value( $args[0] )] = new LimitCondition( number( $args[1] ), number( $args[2] ) );
			return [];
		case 'limiter':
			$limiter = ( new WRStatsFactory( $store ) )->createRateLimiter( $conditions, $prefix,
				$args[0] === '-' ? [] : [ 'bucketCount' => number( $args[0] ) ] );
			$limiter->setCurrentTime( number( $args[1] ) );
			return [];
		case 'limiter-time':
			$limiter->setCurrentTime( number( $args[0] ) );
			return [];
		case 'limit-peek':
		case 'limit-tryIncr':
		case 'limit-incr':
			$method = substr( $command, 6 );
			$result = $limiter->$method( value( $args[0] ), entity( $args[1] ), number( $args[2] ) );
			return array_merge( $result ? results( [ value( $args[0] ) => $result ] ) : [], $store->report() );
		case 'batch':
			$batch = $limiter->createBatch( number( $args[0] ) );
			return [];
		case 'op':
			$method = strtolower( $args[1][0] ) === 'g' ? 'globalOp' : 'localOp';
			$batch->$method( value( $args[0] ), components( $args[1] ), $args[2] === '-' ? null : number( $args[2] ) );
			return [];
		case 'batch-peek':
		case 'batch-tryIncr':
		case 'batch-incr':
			$method = substr( $command, 6 );
			$result = $batch->$method();
			return array_merge( $result ? results( $result->getAllResults() ) : [], $store->report() );
	}
	throw new Exception( "no such command: $command" );
}

while ( ( $line = fgets( STDIN ) ) !== false ) {
	$words = explode( ' ', rtrim( $line, "\n" ) );
	try {
		echo implode( ' ', run( array_shift( $words ), $words ) ), "\n";
	} catch ( \Throwable $error ) {
		echo 'error: ', str_replace( "\n", ' ', "$error" ), "\n";
	}
}
