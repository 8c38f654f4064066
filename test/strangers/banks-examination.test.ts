// Runs the service with banks that other people wrote. Each sell has one fault, and only the banks' own books show the result.
// These banks pay a reference again when the service repeats the order, so every additional order is lost money.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inTime } from '../support/patience.ts';
import { complaintsAbout, surplusOfLedger, unexplained } from './examination/judge.ts';
import { runExamination } from './examination/run.ts';
import { setStage } from './examination/stage.ts';

const MOST_LOOKS = 5;

test('no bank pays a sell twice, and none pays a sell whose tokens were returned', async (t) => {
  const stage = await setStage(t);
  const { books, notices } = stage.fleet;
  const sold = await runExamination(stage);
  const sales = sold.map(({ sale }) => sale);
  for (const call of books.unknown) t.diagnostic(`a call that is not documented: ${call}`);

  for (const { part, sale } of sold) {
    await t.test(`${part.rail}: ${part.name}`, async () => {
      const state = await stage.stateOf(sale);
      assert.deepEqual(complaintsAbout(sale, { ...part, books, state }), []);
    });
  }
  await t.test('every payment that a bank made belongs to a sell', () => {
    assert.deepEqual(unexplained(books, sales), []);
  });
  await t.test('every kobo that left a bank is booked, or reserved for a waiting sell', async () => {
    let surplus = await surplusOfLedger(stage, sales);
    // If a sell completes between two reads, the sums differ for a moment.
    for (let looks = 1; looks < MOST_LOOKS && surplus !== 0n; looks++) {
      surplus = await surplusOfLedger(stage, sales);
    }
    assert.equal(surplus, 0n);
  });
  await t.test('no forged event was accepted', () => {
    const answers = notices.filter(({ isForged }) => isForged).map(({ status }) => status);
    assert.deepEqual(answers, [401, 401, 401, 401]);
  });
  await t.test('the ledger adds up', async () => {
    await inTime('the ledger is recounted', stage.command('ledger', 'check'));
  });
});
