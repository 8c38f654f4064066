// Tests that the service looks up the bank account of each sell once, after the acceptance and in one process at a time. The
// service repeats a look-up to which no bank replied, and skips sells that have ended. A look-up never changes the state of a
// sell.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readableLog } from '../../../test/support/horizon.ts';
import { until } from '../../../test/support/patience.ts';
import { openRig, POLYGON_WALLET } from '../../../test/support/settlement.ts';
import { makeAccountLookups } from '../../adapters/postgres/account-lookups.ts';
import { makeLogReaders } from '../../adapters/postgres/events/event-log.ts';
import { makeBanks } from '../../adapters/rails/registry.ts';
import type { NameEnquiryAnswer, NameEnquiryRequest } from '../../ports/rails/rail-payouts.ts';
import {
  type LookUpSellAccountsDeps,
  lookUpSellAccounts,
  queueAcceptedSells,
} from './look-up-sell-accounts.ts';

const rig = await openRig();
const { store, entropy } = rig.deps;
const enquiries = makeAccountLookups(rig.database);
const LEASE_MS = 15_000;

function asking(answer: (question: NameEnquiryRequest) => NameEnquiryAnswer | Promise<NameEnquiryAnswer>) {
  const asked: string[] = [];
  const payouts = {
    ...rig.rail.payouts,
    enquireName: async (question: NameEnquiryRequest) => {
      asked.push(question.about!);
      return answer(question);
    },
  };
  const deps: LookUpSellAccountsDeps = {
    ...{ store, enquiries, entropy, clock: { now: rig.now } },
    eventLog: readableLog(rig.database),
    logReaders: makeLogReaders(rig.database),
    banks: makeBanks({ live: [], test: [{ ...rig.rail, payouts }] }),
  };
  const turn = async () => {
    await queueAcceptedSells(deps);
    await lookUpSellAccounts(deps, await enquiries.lease({ atMs: rig.now(), leaseMs: LEASE_MS, limit: 50 }));
  };
  return { asked, turn };
}

const found = (name: string): NameEnquiryAnswer => ({ kind: 'found', name });
const answered = async (transactionId: string) => (await enquiries.list({ transactionId, limit: 1 }))[0];

test('the account of each sell is looked up once, and the bank’s response is stored; buys are not looked up', async () => {
  const [same, other, none] = [await rig.sell(), await rig.sell(), await rig.sell()];
  const buy = await rig.buy();
  const { asked, turn } = asking(({ about }) =>
    about === none.id
      ? { kind: 'no_account' }
      : found(about === same.id ? 'OKAFOR ADAEZE NGOZI' : 'MUSA BELLO'),
  );
  await turn();
  await turn();
  rig.pass(LEASE_MS * 2);
  await turn();
  assert.deepEqual(asked.toSorted(), [same.id, other.id, none.id].toSorted());
  assert.equal(asked.includes(buy.id), false);
  const facts = await Promise.all([same, other, none].map(async ({ id }) => answered(id)));
  assert.deepEqual(
    facts.map((each) => [each?.rail, each?.verdict, each?.bankSays]),
    [
      ['simulated', 'same_name', 'OKAFOR ADAEZE NGOZI'],
      ['simulated', 'other_name', 'MUSA BELLO'],
      ['simulated', 'no_account', null],
    ],
  );
  assert.equal(facts[2]!.score, null);
  for (const { id } of [same, other, none]) {
    const { state, version, exception } = await rig.find(id);
    assert.deepEqual([state, version, exception], ['awaiting_deposit', 1, null], 'it moves nothing');
  }
});

test('a bank that does not respond is queried again, after growing pauses, until it responds', async () => {
  const sell = await rig.sell();
  let up = false;
  const { asked, turn } = asking(() => (up ? found('Adaeze Okafor') : { kind: 'unknown', reason: 'down' }));
  for (let seconds = 0; seconds < 60; seconds++) {
    await turn();
    rig.pass(1_000);
  }
  assert.ok(asked.length >= 4 && asked.length <= 8, `${asked.length} questions in a minute`);
  assert.equal(await answered(sell.id), undefined);
  up = true;
  rig.pass(300_000);
  await turn();
  assert.equal((await answered(sell.id))?.verdict, 'same_name');
});

test('two processes never look up one sell at the same time, and a late response after a lost lease is not stored', async () => {
  const sell = await rig.sell();
  const slow = asking(() => late.promise);
  const late = Promise.withResolvers<NameEnquiryAnswer>();
  const first = slow.turn();
  await until('the first asks', () => slow.asked.length > 0, { everyMs: 5 });
  const other = asking(() => found('Adaeze Okafor'));
  await other.turn();
  assert.deepEqual(other.asked, [], 'leased by the first');
  rig.pass(LEASE_MS + 1);
  await other.turn();
  assert.deepEqual(other.asked, [sell.id]);
  late.resolve({ kind: 'no_account' });
  await first;
  assert.equal((await answered(sell.id))?.verdict, 'same_name');
});

test('a sell that was paid out or ended before its turn is not looked up', async () => {
  const sell = await rig.sell({ wallet: POLYGON_WALLET });
  await queueAcceptedSells({
    ...{ store, enquiries, entropy, clock: { now: rig.now }, banks: rig.deps.banks },
    eventLog: readableLog(rig.database),
    logReaders: makeLogReaders(rig.database),
  });
  await rig.depositFor(sell, sell.amountMinor);
  await rig.until(sell.id, 'completed');
  const { asked, turn } = asking(() => found('Adaeze Okafor'));
  await turn();
  rig.pass(LEASE_MS * 2);
  await turn();
  assert.deepEqual(asked, []);
  const [row] = await rig.rows(
    'select due_at, verdict from account_enquiries where transaction_id = $1',
    sell.id,
  );
  assert.deepEqual(row, { due_at: null, verdict: null });
});
