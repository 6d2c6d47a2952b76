--TEST--
an error about a setting says what is accepted
--EXTENSIONS--
wrstats
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

caught(fn() => new WRStats(['protocol' => 'binary']));
caught(fn() => new WRStats(['distribution' => 'random']));
caught(fn() => new WRStats(['long_keys' => 'short']));
--EXPECTF--
ValueError: WRStats::__construct(): Argument #1 ($config) %Sprotocol%Sauto%Smeta%Sclassic%S
ValueError: WRStats::__construct(): Argument #1 ($config) %Sdistribution%Sketama%Smodula%S
ValueError: WRStats::__construct(): Argument #1 ($config) %Slong_keys%Smediawiki-1.45%Smediawiki-1.39%S
