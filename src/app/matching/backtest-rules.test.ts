// Stored credits are decided again. The rules of that time must give the recorded outcome; another version of the rules gives a
// list of differences.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PAYER } from '../../../test/support/settlement.ts';
import { openCreditStage } from '../../../test/support/stages/credits.ts';
import { makeMatchHistory } from '../../adapters/postgres/matching.ts';
import type { MatchHistory } from '../../ports/matching.ts';
import { StoreUnavailable } from '../../ports/store/store.ts';
import { type BacktestDifference, type BacktestRequest, backtestRules } from './backtest-rules.ts';

const { creditNamed, newPayer, rig } = await openCreditStage();
const { policies, directory } = rig.deps;
const matchHistory = makeMatchHistory(rig.database);
const START_MS = rig.now();

async function run(changes: Partial<BacktestRequest> = {}) {
  const found: BacktestDifference[] = [];
  const pages: number[] = [];
  const asked = { version: 1, mode: undefined, fromMs: START_MS, toMs: rig.now() + 1, ...changes };
  const result = await backtestRules({ matchHistory, policies, directory }, asked, {
    difference: (each) => found.push(each),
    page: (credits) => pages.push(credits),
  });
  return { result, found, pages };
}

test('credits are decided again with the claims that existed at the time, and the differences are listed', async () => {
  const { accountNumber, amountMinor } = newPayer();
  const buy = { accountNumber, amountMinor, accountName: PAYER.name };
  // This buy is paid exactly; a claim that is made after the decision changes nothing.
  const exact = await rig.buy(buy);
  const first = await rig.payIn({ payerAccount: accountNumber, amountMinor });
  await rig.until(exact.id, 'completed');
  await rig.buy({ ...buy, businessId: 'biz_two', expiresAtMs: rig.now() + 86_400_000 });
  // Paid in two parts.
  const other = newPayer();
  const parts = await rig.buy({ accountNumber: other.accountNumber, amountMinor: other.amountMinor });
  const pay = (minor: bigint) => rig.payIn({ payerAccount: other.accountNumber, amountMinor: minor });
  const part = await pay(1_000_000n);
  await rig.until(parts.id, 'on_hold');
  rig.pass(1_000);
  const rest = await pay(other.amountMinor - 1_000_000n);
  await rig.until(parts.id, 'completed');
  // Paid from another account of the same name.
  const third = newPayer();
  const elsewhere = await rig.buy({ ...third, accountName: PAYER.name });
  const strange = await rig.payIn({
    payerAccount: '7777777776',
    amountMinor: third.amountMinor,
    payerName: PAYER.name,
  });
  await rig.passing(5_000);

  const now = await run({ version: 3 });
  assert.deepEqual([now.result.ok && now.result.value.differences, now.found], [0, []]);
  const { result, found, pages } = await run();
  assert.ok(result.ok);
  const { credits, differences, kinds, replayed } = result.value;
  const matched = [first, rest, strange].length + 1;
  assert.deepEqual([credits, differences, replayed, pages], [matched, 2, matched - 1, [matched]]);
  assert.deepEqual(kinds.map(({ before, now: after, count }) => `${before} > ${after}: ${count}`).sort(), [
    'attached paid_partial > completes: 1',
    'review no_claim > review other_account: 1',
  ]);
  assert.deepEqual(
    found.map(({ creditId, recorded, before, now: after }) => [
      ...[creditId, recorded.kind, recorded.version, before.transactionIds, after.transactionIds],
    ]),
    [
      [(await creditNamed(rest)).id, 'completes', 3, [parts.id], [parts.id]],
      [(await creditNamed(strange)).id, 'review other_account', 3, [], [elsewhere.id]],
    ],
  );
  assert.equal((await creditNamed(part)).state, 'matched');
});

test('filters by days and modes, and refuses a version that does not exist', async () => {
  const count = async (changes: Partial<BacktestRequest>) => {
    const { result } = await run(changes);
    return result.ok ? result.value.credits : result.error.message;
  };
  assert.equal(await count({ mode: 'live' }), 0);
  assert.equal(await count({ mode: 'test' }), 4);
  assert.equal(await count({ toMs: START_MS }), 0);
  assert.equal(await count({ version: 9 }), 'There is no version 9 of the rules. Versions: 1, 2, 3.');
});

test('if the database does not answer in time, smaller pages are read, and then the refusal says what to do', async () => {
  const limits: number[] = [];
  const slow = (answersUpTo: number): MatchHistory => ({
    page: async (asked) => {
      limits.push(asked.limit);
      if (asked.limit > answersUpTo)
        throw new StoreUnavailable('Query read timeout', { mayHaveActed: false });
      return matchHistory.page(asked);
    },
  });
  const on = { difference: () => undefined, page: () => undefined };
  const asked = { version: 1, mode: undefined, fromMs: START_MS, toMs: rig.now() + 1 };
  const answered = await backtestRules({ matchHistory: slow(50), policies, directory }, asked, on);
  assert.deepEqual([answered.ok && answered.value.credits, limits.splice(0)], [4, [200, 100, 50]]);
  const refused = await backtestRules({ matchHistory: slow(0), policies, directory }, asked, on);
  assert.deepEqual([refused.ok ? null : refused.error.code, limits], ['unavailable', [200, 100, 50, 25]]);
  assert.match(refused.ok ? '' : refused.error.message, /did not answer in time.*--from, --to/);
});

test('decisions of a version of the rules that does not exist here are counted, not replayed', async () => {
  const unknownVersion: MatchHistory = {
    page: async (asked) =>
      (await matchHistory.page(asked)).map((past) => ({
        ...past,
        recorded: { ...past.recorded, ruleVersion: 4 },
      })),
  };
  const asked = { version: 1, mode: undefined, fromMs: START_MS, toMs: rig.now() + 1 };
  const on = { difference: () => undefined, page: () => undefined };
  const result = await backtestRules({ matchHistory: unknownVersion, policies, directory }, asked, on);
  assert.deepEqual(result.ok && [result.value.unknown, result.value.replayed], [4, 0]);
});
