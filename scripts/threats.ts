// `npm run threats` lists which tests cite a threat of docs/concepts/threats.md. With --write, it writes into that page where
// each threat is tested.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { filesOf, findThreatProblems, readThreats, renderThreats, THREATS_PAGE } from './threats/page.ts';

const USAGE = `npm run threats -- --write       writes where each threat is tested into ${THREATS_PAGE}
npm run threats -- NUMBER …     shows every test file that cites these threats, with its lines`;

const root = path.dirname(import.meta.dirname);
const { values, positionals } = parseArgs({
  options: { write: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const threats = readThreats(root);

if (values.write) writePage();
else if (positionals.length === 0) console.log(USAGE);
else for (const number of positionals) showThreat(Number(number));

function writePage(): void {
  const page = renderThreats(threats);
  writeFileSync(path.join(root, THREATS_PAGE), page);
  for (const problem of findThreatProblems({ ...threats, page })) {
    console.error(problem);
    process.exitCode = 1;
  }
}

function showThreat(number: number): void {
  const own = threats.inTests.filter(({ threat }) => threat === number);
  console.log(`threat ${number}: ${own.length === 0 ? 'no test cites it' : ''}`.trim());
  for (const file of filesOf(own)) {
    const lines = own.filter((each) => each.file === file).map(({ line }) => line);
    console.log(`  ${file}:${lines.join(', ')}`);
  }
}
