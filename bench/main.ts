// `npm run bench` measures variants side by side in one run and prints their ratios. npm run bench -- [accept] [reads] [rates]
// [growth] [settle] [webhooks] [streams] [quotes] [rows] [statements] [networks] [--rounds 15] [--seconds 2] [--json] npm run
// bench -- accept settle --against ../before compares this version with another version that is checked out in that directory
import { existsSync } from 'node:fs';
import { cpus } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { CONNECTIONS, GENERATOR } from './load.ts';
import { printSuite, type SuiteResult } from './report.ts';
import { LIFTED } from './service-process.ts';
import { AGAINST_SUITES, SUITES } from './suites.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '15' },
    seconds: { type: 'string', default: '2' },
    against: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const suites = values.against === undefined ? SUITES : AGAINST_SUITES;
const names = positionals.length === 0 ? Object.keys(suites) : positionals;
const unknown = names.filter((name) => suites[name] === undefined);
if (unknown.length > 0) {
  const which = values.against === undefined ? 'There are' : 'With --against there are';
  console.error(`No such benchmark: ${unknown.join(', ')}. ${which}: ${Object.keys(suites).join(', ')}.`);
  process.exit(1);
}
if (values.against !== undefined && !existsSync(path.join(values.against, 'bench', 'server.ts'))) {
  console.error(`--against ${values.against} is no checkout of this repository: it has no bench/server.ts.`);
  process.exit(1);
}

const conditions = {
  node: process.version,
  cores: cpus().length,
  generator: GENERATOR,
  connections: CONNECTIONS,
  rounds: Number(values.rounds),
  secondsPerRun: Number(values.seconds),
  lifted: LIFTED,
  against: values.against ?? null,
};
if (!values.json) {
  const lifted = Object.entries(LIFTED).map(([name, value]) => `${name}=${value}`);
  console.log(
    `Node ${conditions.node}, ${conditions.cores} cores, ${GENERATOR}, ${CONNECTIONS} keep-alive connections, ` +
      `${values.rounds} alternating rounds of ${values.seconds} s\nLifted: ${lifted.join(' ')}`,
  );
}
const results: SuiteResult[] = [];
for (const name of names) {
  const result = await suites[name]!({
    rounds: conditions.rounds,
    seconds: conditions.secondsPerRun,
    against: values.against,
    onProgress: (line) => {
      if (process.stderr.isTTY) process.stderr.write(`\r\u001b[2K${line === '' ? '' : `${name}: ${line}`}`);
    },
  });
  results.push(result);
  if (!values.json) printSuite(result);
}
if (values.json) console.log(JSON.stringify({ conditions, results }, null, 2));
