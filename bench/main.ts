// `npm run bench`: figures taken side by side in one run, printed as ratios.
//   npm run bench -- [accept] [reads] [growth] [settle] [rows] [networks] [--rounds 15] [--seconds 2] [--json]
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { CONNECTIONS, GENERATOR } from './load.ts';
import { printSuite, type SuiteResult } from './report.ts';
import { LIFTED } from './service-process.ts';
import { SUITES } from './suites.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '15' },
    seconds: { type: 'string', default: '2' },
    json: { type: 'boolean', default: false },
  },
});
const names = positionals.length === 0 ? Object.keys(SUITES) : positionals;
const unknown = names.filter((name) => SUITES[name] === undefined);
if (unknown.length > 0) {
  console.error(`No such benchmark: ${unknown.join(', ')}. There are: ${Object.keys(SUITES).join(', ')}.`);
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
  const result = await SUITES[name]!({
    rounds: conditions.rounds,
    seconds: conditions.secondsPerRun,
    onProgress: (line) => {
      if (process.stderr.isTTY) process.stderr.write(`\r\u001b[2K${line === '' ? '' : `${name}: ${line}`}`);
    },
  });
  results.push(result);
  if (!values.json) printSuite(result);
}
if (values.json) console.log(JSON.stringify({ conditions, results }, null, 2));
