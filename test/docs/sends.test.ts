// Tests that docs/concepts/sends.md gives the action for every response of a network, as the code decides it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import {
  decideSecondSignature,
  ENVELOPE_ANSWERS,
  type EnvelopeAnswer,
  hasEndedUnpaid,
  UNCLEAR_FOR_MS,
} from '../../src/domain/movements/second-signature.ts';

const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/concepts/sends.md'), 'utf8');
const sectionOf = (name: string) => page.split(`\n## ${name}\n`)[1]!.split('\n## ')[0]!;
const rowsOf = (section: string) =>
  [...section.matchAll(/^\| `(\w+)` \|(.*)\|$/gm)].map(([, name, cells]) => ({
    name: name!,
    cells: cells!.split('|').map((cell) => cell.trim()),
  }));

test('for every outcome, the page states which provider responses each family needs', () => {
  const rows = rowsOf(sectionOf('What each provider must have said'));
  assert.deepEqual(
    rows.map(({ name }) => name),
    ENVELOPE_ANSWERS,
  );
  for (const { name, cells } of rows) {
    assert.equal(cells.length, 4, name);
    // Every response that may lead to a second signature needs two providers.
    if (hasEndedUnpaid(name as EnvelopeAnswer)) assert.equal(cells[0], '2', name);
  }
});

test('for every outcome, the page states the action that the code takes', () => {
  const rows = rowsOf(sectionOf('What is done then')).filter(({ cells }) => cells.length === 4);
  const fits = (cell: string, value: boolean) => cell === '—' || cell === (value ? 'yes' : 'no');
  for (const heard of ENVELOPE_ANSWERS)
    for (const contradicted of hasEndedUnpaid(heard) ? [false, true] : [false])
      for (const isLong of [false, true])
        for (const byOneAlone of [false, true]) {
          const unclearMs = isLong ? UNCLEAR_FOR_MS : UNCLEAR_FOR_MS - 1;
          const case_ = `${heard} ${contradicted} ${isLong} ${byOneAlone}`;
          const own = rows.filter(
            ({ name, cells: [a, b, c] }) =>
              name === heard && fits(a!, contradicted) && fits(b!, isLong) && fits(c!, byOneAlone),
          );
          assert.equal(own.length, 1, `${case_}: one row`);
          const decided = decideSecondSignature({ heard, contradicted, unclearMs, byOneAlone });
          assert.equal(own[0]!.cells[3], `\`${decided}\``, case_);
        }
});
