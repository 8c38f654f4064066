// Tests that the event log contains every acceptance and every state change once, in the order of commits, with the transaction
// as it was at that commit. The log never shows an event while a running database transaction could still add an earlier event.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { acceptedBuys, movement } from '../../../../test/http/settlement-fixtures.ts';
import {
  acceptance,
  BUSINESS,
  databaseWithKeys,
  NOW,
  SCOPE,
  sell,
} from '../../../../test/http/store-fixtures.ts';
import { commitAll } from '../../../../test/support/database.ts';
import { untilReadable } from '../../../../test/support/horizon.ts';
import { type BusinessEvent, EVENT_TYPES, type EventType } from '../../../domain/events/event.ts';
import type { MoveReason } from '../../../domain/records/move-reasons.ts';
import type { TransactionState } from '../../../domain/records/states.ts';
import type { Transaction } from '../../../domain/records/transaction.ts';
import { moveTransaction } from '../../../domain/records/transaction-moves.ts';
import { acceptBatch } from '../accept/accept-batch.ts';
import { makePostgresStore } from '../store.ts';
import { makeEventLog } from './event-log.ts';

const { url, database } = await databaseWithKeys();
const store = makePostgresStore(database);
const log = makeEventLog(database);

async function moved(
  transaction: Transaction,
  ...steps: readonly (readonly [
    TransactionState,
    MoveReason,
    Partial<Transaction>?,
    Record<string, unknown>?,
  ])[]
): Promise<Transaction[]> {
  const shown = [transaction];
  for (const [to, reason, updates = {}, evidence = {}] of steps) {
    const facts = { actor: 'settlement', atMs: NOW + shown.length, reason, dueAtMs: null, updates, evidence };
    const move = moveTransaction(shown.at(-1)!, to, facts);
    await commitAll(store, [{ atMs: NOW, transactions: [move] }]);
    shown.push(move.after);
  }
  return shown;
}

async function settled(...given: Parameters<typeof moved>): Promise<Transaction[]> {
  const shown = await moved(...given);
  await untilReadable(database);
  return shown;
}

const brief = (events: readonly BusinessEvent[] | undefined) =>
  events!.map(({ type, sequence }) => `${sequence} ${type}`);
const idsOf = (events: readonly BusinessEvent[] | undefined) => events!.map(({ id }) => id);

async function readAll(from: string, limit: number): Promise<BusinessEvent[]> {
  const events: BusinessEvent[] = [];
  for (let position = from; ; ) {
    const page = await log.read(position, limit);
    assert.ok(page.events.length <= limit);
    events.push(...page.events);
    position = page.position;
    if (page.atEnd) return events;
  }
}

async function listAll(filter: Partial<Parameters<typeof log.list>[1]>, limit: number) {
  const events: BusinessEvent[] = [];
  for (;;) {
    const after = events.at(-1)?.id;
    const page = (await log.list(SCOPE, { ...filter, limit, ...(after !== undefined && { after }) }))!;
    events.push(...page);
    if (page.length < limit) return events;
  }
}

test('each event contains the transaction at the time of its commit; the acceptance is first, and the numbers have no gaps', async () => {
  const [buy] = await acceptedBuys(database, 1);
  const shown = await settled(
    buy!,
    ['paid', 'payment_found', { receivedMinor: 1_500_050n }],
    ['sending', 'transfer_broadcast' as MoveReason, { txHash: '0xabc' }],
    ['completed', 'tokens_arrived'],
  );
  const events = (await log.list(SCOPE, { transactionId: buy!.id, limit: 100 }))!;
  assert.deepEqual(brief(events), [
    '1 transaction.accepted',
    '2 transaction.paid',
    '3 transaction.sending',
    '4 transaction.completed',
  ]);
  const seen = events.map((event) => event.kind === 'transaction' && event.transaction);
  assert.deepEqual(
    seen,
    shown.map((each) => ({ ...each, dueAtMs: null, tries: 0, released: false })),
  );
  assert.deepEqual(
    events.map(({ atMs }) => atMs),
    [NOW, NOW + 1, NOW + 2, NOW + 3],
  );
});

test('a wallet that was set later is not in the acceptance event, no matter when the event is read', async () => {
  const without = acceptance({ state: 'awaiting_wallet', wallet: null });
  await acceptBatch(database, [without]);
  await untilReadable(database);
  const read = async () => {
    const [first] = (await log.list(SCOPE, { transactionId: without.transaction.id, limit: 1 }))!;
    return first;
  };
  const before = await read();
  const wallet = { network: 'Polygon', address: '0x1' };
  await settled(without.transaction, ['awaiting_payment', 'wallet_given', { wallet }]);
  assert.deepEqual(await read(), before);
  const [, given] = (await log.list(SCOPE, { transactionId: without.transaction.id, limit: 9 }))!;
  assert.deepEqual(given!.kind === 'transaction' && given!.transaction.wallet, wallet);
});

test('a refund that ends a transaction creates two events, even if a page ends between them', async () => {
  const accepted = acceptance(sell());
  await acceptBatch(database, [accepted]);
  const refund = movement({ kind: 'refund', transactionId: accepted.transaction.id, state: 'done' });
  const partial = movement({ kind: 'refund', transactionId: accepted.transaction.id, state: 'done' });
  await commitAll(store, [{ atMs: NOW, newMovements: [refund, partial] }]);
  await settled(
    accepted.transaction,
    ['cancelled', 'cancelled_by_business'],
    ['cancelled', 'refund_made', { refundedMinor: 5n }, { movement: partial.id, reference: '0xa' }],
    ['refunded', 'refund_made', { refundedMinor: 9n }, { movement: refund.id, reference: '0xb' }],
    ['refunded', 'payout_returned' as MoveReason],
  );
  const { id } = accepted.transaction;
  const body = id.slice(4);
  for (const limit of [1, 2, 3, 5]) {
    const events = await listAll({ transactionId: id }, limit);
    assert.deepEqual(brief(events), [
      ...['1 transaction.accepted', '2 transaction.cancelled', '3 refund.completed'],
      ...['4 refund.completed', '5 transaction.refunded', '6 transaction.payout_returned'],
    ]);
    assert.deepEqual(idsOf(events).slice(-3, -1), [`evt_${body}_4r`, `evt_${body}_4`]);
    assert.deepEqual(idsOf(await listAll({ newestFirst: true }, limit)).slice(0, 6), idsOf(events).reverse());
    assert.deepEqual(idsOf(await listAll({}, limit)).slice(-6), idsOf(events));
    assert.deepEqual(idsOf(await readAll('', limit)).slice(-6), idsOf(events));
  }
  const refunds = (await listAll({ types: ['refund.completed'] }, 1)).slice(-2);
  assert.deepEqual(
    refunds.map((event) => event.kind === 'transaction' && event.refund?.movementId),
    [partial.id, refund.id],
  );
  const byId = await log.byIds([`evt_${body}_4r`, `evt_${body}_3`, `evt_${body}_9`, 'evt_none']);
  assert.deepEqual([...byId.keys()].sort(), [`evt_${body}_3`, `evt_${body}_4r`]);
});

test('a filter returns exactly the events that the domain selects, in either order', async () => {
  await settled((await acceptedBuys(database, 1))[0]!, ['on_hold', 'payer_unclear' as MoveReason]);
  const all = await listAll({}, 100);
  for (const newestFirst of [false, true]) {
    const ordered = newestFirst ? all.toReversed() : all;
    for (const types of [...EVENT_TYPES.map((type) => [type]), EVENT_TYPES.slice(0, 5)]) {
      const wanted = ordered.filter(({ type }) => types.includes(type as EventType));
      assert.deepEqual(idsOf(await listAll({ types, newestFirst }, 3)), idsOf(wanted), types.join());
    }
    for (const [fromMs, toMs] of [
      [NOW + 1, NOW + 2],
      [NOW + 3, undefined],
      [undefined, NOW],
      [NOW + 99, undefined],
    ]) {
      const filter = {
        ...(fromMs !== undefined && { fromMs }),
        ...(toMs !== undefined && { toMs }),
        newestFirst,
      };
      const wanted = ordered.filter(
        ({ atMs }) => atMs >= (fromMs ?? 0) && atMs <= (toMs ?? Number.MAX_VALUE),
      );
      assert.deepEqual(idsOf(await listAll(filter, 2)), idsOf(wanted));
    }
  }
});

test('threat 68: the log of a business has no event of another business, of the other mode, or for one endpoint only', async () => {
  const [live] = [acceptance({ mode: 'live' }, { keyId: 'key_live' })];
  await acceptBatch(database, [live!]);
  await database.query({
    text: `insert into account_events (id, business_id, mode, type, at, data, endpoint_id)
      values ('evt_00000000000000000000000001', $1, 'test', 'webhook.test', now(), '{}', 'whe_1'),
        ('evt_00000000000000000000000002', $1, 'test', 'webhook_endpoint.disabled', now(), '{"a": 1}', null)`,
    values: [BUSINESS],
  });
  await untilReadable(database);
  const ids = idsOf(await listAll({}, 100));
  assert.ok(!ids.includes('evt_00000000000000000000000001'));
  assert.ok(ids.includes('evt_00000000000000000000000002'));
  assert.ok(ids.every((id) => !id.includes(live!.transaction.id.slice(4))));
  const cursor = `evt_${live!.transaction.id.slice(4)}_1`;
  assert.equal(await log.list(SCOPE, { after: cursor, limit: 1 }), undefined);
  assert.equal(await log.list(SCOPE, { after: 'evt_00000000000000000000000001', limit: 1 }), undefined);
  assert.equal((await log.list({ ...SCOPE, businessId: 'biz_other' }, { limit: 9 }))!.length, 0);
  assert.equal((await log.list({ ...SCOPE, mode: 'live' }, { limit: 9 }))!.length, 1);
  const everything = idsOf(await readAll('', 100));
  assert.ok(everything.includes(cursor) && everything.includes('evt_00000000000000000000000001'));
});

test('an event that commits late is not skipped, events committed before it wait, and no event is read twice', async () => {
  const from = await log.end();
  const [slow, ...quick] = await acceptedBuys(database, 4);
  await untilReadable(database);
  const seen = await readAll(from, 2);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('begin');
  await client.query(
    `insert into timeline (transaction_id, version, at, from_state, to_state, actor, reason, business_id, mode)
      values ($1, 2, now(), 'awaiting_payment', 'cancelled', 'key_test', 'cancelled_by_business', $2, 'test')`,
    [slow!.id, BUSINESS],
  );
  const { rows } = await client.query('select pg_current_xact_id()::text as xid');
  for (const each of quick) await moved(each, ['cancelled', 'cancelled_by_business']);
  await untilReadable(database, rows[0].xid);
  const { position } = await log.read(from, 100);
  assert.deepEqual(await readAll(position, 2), [], 'nothing beyond the running one');
  assert.deepEqual(idsOf(await listAll({}, 100)).slice(-4), idsOf(seen));
  await client.query('commit');
  await client.end();
  await untilReadable(database);
  const later = await readAll(position, 2);
  assert.equal(later.length, 4);
  assert.deepEqual(idsOf(await log.list(SCOPE, { after: seen.at(-1)!.id, limit: 100 })), idsOf(later));
  assert.deepEqual(idsOf(await readAll(from, 3)), [...idsOf(seen), ...idsOf(later)]);
});

test('a page that ends inside one database transaction does not lose or repeat any of its events', async () => {
  const from = await log.end();
  const buys = await acceptedBuys(database, 30);
  await commitAll(
    store,
    buys.map((buy) => ({
      atMs: NOW,
      transactions: [
        moveTransaction(buy, 'cancelled', {
          actor: 'key_test',
          atMs: NOW,
          reason: 'cancelled_by_business',
          dueAtMs: null,
        }),
      ],
    })),
  );
  await database.query({
    text: `insert into timeline (transaction_id, version, at, from_state, to_state, actor, reason, business_id, mode)
      select $1, v, now(), 'cancelled', 'cancelled', 'settlement', 'payment_returning', $2, 'test'
      from unnest(array[9, 4, 7, 3, 8, 5, 6]) v`,
    values: [buys[0]!.id, BUSINESS],
  });
  await untilReadable(database);
  const whole = idsOf(await readAll(from, 100));
  assert.equal(new Set(whole).size, 67);
  assert.deepEqual(
    whole.slice(-7),
    [3, 4, 5, 6, 7, 8, 9].map((version) => `evt_${buys[0]!.id.slice(4)}_${version}`),
  );
  for (const limit of [1, 7, 29, 30, 31]) {
    assert.deepEqual(idsOf(await readAll(from, limit)), whole);
    assert.deepEqual(idsOf(await listAll({}, limit)).slice(-67), whole);
  }
});

test('if the event of a position is not in this log, or is above its horizon, reading starts over and reports this', async () => {
  const end = await log.end();
  const [committedBy, subject, version] = end.split('/');
  assert.equal((await log.read(end, 10)).startedOver, false);
  for (const lost of [
    `${committedBy}/txn_00000000000000000000000000/${version}`,
    `${Number(committedBy) + 1_000_000}/${subject}/${version}`,
  ]) {
    const page = await log.read(lost, 3);
    assert.equal(page.startedOver, true);
    assert.deepEqual(idsOf(page.events), idsOf((await log.read('', 3)).events));
  }
  await assert.rejects(log.read('7', 10), /not a position/);
});

test('a list ends at the requested position', async () => {
  const all = await listAll({}, 100);
  const first = await log.read('', 4);
  const ofScope = first.events.filter(({ mode }) => mode === 'test');
  assert.deepEqual(idsOf(await listAll({ upTo: first.position }, 100)), idsOf(all.slice(0, ofScope.length)));
});
