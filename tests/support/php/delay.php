<?php

/**
 * Lines that take time: everything passes, in order, so much later. A stand-in for distance; connecting takes none, since
 * the kernel answers that. usage: php -n delay.php SECONDS ADDRESS...: prints an address for each, and ends with its standard
 * input.
 */

$delay = (float)$argv[1];
$listeners = $upstreams = [];
foreach (array_slice($argv, 2) as $number => $upstream) {
    $listeners[$number] = stream_socket_server('tcp://127.0.0.1:0');
    $upstreams[$number] = $upstream;
    echo stream_socket_get_name($listeners[$number], false), "\n";
}
/** id => [stream, the other end's id, [[due, bytes], …] to be written to it, no more will come, nothing more comes from it] */
$ends = [];
while (true) {
    $now = hrtime(true) / 1e9;
    $wake = 10.0;
    $read = [STDIN, ...$listeners];
    $write = [];
    foreach ($ends as $id => [$stream, $other, $queue, $over, $ended]) {
        if (!$ended) {
            $read[] = $stream;
        }
        if ($queue !== []) {
            $queue[0][0] <= $now ? $write[] = $stream : $wake = min($wake, $queue[0][0] - $now);
        } elseif ($over) {
            fclose($stream);
            unset($ends[$id]);
            if (isset($ends[$other])) {
                $ends[$other][3] = true;
            }
            continue 2;
        }
    }
    $none = null;
    if (!stream_select($read, $write, $none, (int)$wake, (int)(fmod($wake, 1) * 1e6))) {
        continue;
    }
    foreach ($read as $stream) {
        if ($stream === STDIN) {
            exit;
        }
        $number = array_search($stream, $listeners, true);
        if ($number !== false) {
            $near = stream_socket_accept($stream);
            $far = stream_socket_client("tcp://$upstreams[$number]", $code, $error, 1, STREAM_CLIENT_CONNECT, stream_context_create(['socket' => ['tcp_nodelay' => true]]));
            foreach ([[$near, $far], [$far, $near]] as [$end, $other]) {
                stream_set_blocking($end, false);
                stream_set_read_buffer($end, 0);
                stream_set_write_buffer($end, 0);
                $ends[(int)$end] = [$end, (int)$other, [], false, false];
            }
            continue;
        }
        $other = $ends[(int)$stream][1];
        $bytes = fread($stream, 1 << 18);
        if ((string)$bytes === '') {
            $ends[(int)$stream][4] = true;
            if (isset($ends[$other])) {
                $ends[$other][3] = true;
            }
        } elseif (isset($ends[$other])) {
            $ends[$other][2][] = [hrtime(true) / 1e9 + $delay, $bytes];
        }
    }
    foreach ($write as $stream) {
        $queue = &$ends[(int)$stream][2];
        $sent = (int)@fwrite($stream, $queue[0][1]);
        $queue[0][1] = substr($queue[0][1], $sent);
        if ($queue[0][1] === '') {
            array_shift($queue);
        }
        unset($queue);
    }
}
