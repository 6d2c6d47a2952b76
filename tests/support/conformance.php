<?php
/**
 * usage: php conformance.php JUNIT-LOG
 * Prints, case by case, how the caches kept CacheContract: MediaWiki's own on PECL memcached, and ours. Answers 1 if a case is
 * not kept by both, or run for one of them only.
 */

$log = new DOMDocument();
$log->load($argv[1]);
$cases = [];
foreach ($log->getElementsByTagName('testcase') as $case) {
    $class = substr(strrchr($case->getAttribute('class'), '\\'), 1);
    $kept = true;
    foreach (['failure', 'error', 'skipped', 'warning'] as $trouble) {
        $kept = $kept && $case->getElementsByTagName($trouble)->length === 0;
    }
    // testValuesComeBack with data set "null" -> values come back, null
    $name = preg_replace('/^test(\w+?)(?: with data set "?(.*?)"?)?$/', '$1|$2', $case->getAttribute('name'));
    [$name, $data] = explode('|', $name, 2);
    $words = strtolower(trim(preg_replace('/(?<!^)[A-Z]/', ' $0', $name)));
    $cases[$data === '' ? $words : "$words: $data"][$class] = $kept ? 'kept' : 'BROKEN';
}
$columns = ['PeclContractTest', 'WRStatsContractTest'];
$differ = 0;
printf("%-68s %-8s %-8s\n", 'case', 'PECL', 'ours');
foreach ($cases as $name => $results) {
    $row = array_map(fn ($class) => $results[$class] ?? 'NOT RUN', $columns);
    $differ += (int)($row !== ['kept', 'kept']);
    printf("%-68s %-8s %-8s\n", $name, ...$row);
}
printf("%d cases, %d not kept by both\n", count($cases), $differ);
exit($differ === 0 && $cases ? 0 : 1);
