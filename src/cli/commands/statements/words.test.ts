// Tests the texts that are printed after an import of one day and of several days.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ImportSummary } from '../../../app/statements/import-statement.ts';
import { nextSteps } from './words.ts';

function steps(gaps: number, incompleteDays: readonly string[]): readonly string[] {
  const file = { id: 'stf_1', problems: { total: 0, list: [] } };
  return nextSteps({ file, gaps, incompleteDays, isDryRun: false } as unknown as ImportSummary);
}

test('the texts use the singular for one day and the plural for several', () => {
  const [gap, cover] = steps(1, ['2026-11-16']);
  assert.match(gap!, /^1 day has a gap in its balances: its new rows are not credited/);
  assert.match(cover!, /^The files cover 1 day only partly \(2026-11-16\)\./);
  const [gaps, covers] = steps(2, ['2026-11-16', '2026-11-17']);
  assert.match(gaps!, /^2 days have a gap in their balances: their new rows are not credited/);
  assert.match(covers!, /^The files cover 2 days only partly \(2026-11-16, 2026-11-17\)\./);
  assert.deepEqual(steps(0, []), []);
});
