// Tests what a business reads through the API. For every exception, no documented route shows what only operators may read.
// Holds that a business must not be able to distinguish get the same response.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EXCEPTIONS, type TransactionException } from '../../src/domain/records/exceptions.ts';
import { EXCEPTION_CODES, PUBLIC_SENTENCES } from '../../src/domain/records/public-reasons.ts';
import type { Transaction } from '../../src/domain/records/transaction.ts';
import { moveTransaction } from '../../src/domain/records/transaction-moves.ts';
import { rejectBuy } from '../../src/domain/review/buys.ts';
import { releaseTransaction } from '../../src/domain/review/holds.ts';
import { changeFacts } from '../support/database.ts';
import { openStream } from '../support/event-stream.ts';
import { untilReadable } from '../support/horizon.ts';
import { until } from '../support/patience.ts';
import { type Answer, buyBody, sellBody } from '../support/service.ts';
import { sharedTestService } from '../support/sharing/shared-service.ts';
import { OFFRAMP, ONRAMP } from './helpers.ts';
import { movement } from './settlement-fixtures.ts';
import { addTimelineLines } from './store-fixtures.ts';

const service = await sharedTestService();
const { foundation, business } = service;
const { database, store } = foundation;
const PRIVATE = 'zqprivate';
const WALLET = { network: 'Polygon', wallet_address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' };
const BODIES = {
  buy: (reference: string) => buyBody(business, { reference }),
  sell: (reference: string) => sellBody(business, { ...WALLET, reference }),
};
const PATHS = { buy: ONRAMP, sell: OFFRAMP };
/** No response may contain these internal terms. */
const INSIDE = EXCEPTIONS.filter((each) => EXCEPTION_CODES[each] !== each);
const SECRET = new RegExp([PRIVATE, 'per_', 'os:', 'prp_', ...INSIDE].join('|'), 'i');
const EVIDENCE = {
  note: PRIVATE,
  hits: [{ value: PRIVATE, reason: PRIVATE }],
  candidates: [PRIVATE],
  bank_says: PRIVATE,
  source: PRIVATE,
  source_id: PRIVATE,
  proposal: `prp_${PRIVATE}`,
  proposed_by: `per_${PRIVATE}`,
};

async function find(id: string): Promise<Transaction> {
  return (await store.transactionsById([id])).get(id)!;
}

/**
 * Makes a transaction that the service put on hold for this exception. Every field of its records that can contain text has
 * private text.
 */
async function held(
  type: 'buy' | 'sell',
  exception: TransactionException,
  reference: string,
): Promise<Transaction> {
  const created = await service.post(PATHS[type], BODIES[type](reference));
  assert.equal(created.status, 200, created.text);
  const id = created.body.transaction.transaction_id as string;
  await changeFacts(database, 'flags = $2', [id, [PRIVATE]]);
  const atMs = foundation.clock.now();
  const move = moveTransaction(await find(id), 'on_hold', {
    ...{ actor: 'settlement', atMs, reason: exception, dueAtMs: null },
    ...{ updates: { exception }, evidence: EVIDENCE },
  });
  // The refund is not due, so that the compared values do not change during the test.
  const refund = movement({
    ...{ id: `mov_${reference}`, kind: 'refund', transactionId: id, reason: PRIVATE, dueAtMs: null },
  });
  const outcomes = await store.commit([{ atMs, transactions: [move], newMovements: [refund] }]);
  assert.deepEqual(outcomes, [{ kind: 'committed' }]);
  return find(id);
}

/** Adds timeline lines as earlier versions wrote them, with a person's text as the reason, and lines that people caused. */
async function addPrivateLines(id: string): Promise<void> {
  const actors = [PRIVATE, `os:${PRIVATE}`, `per_${PRIVATE}`, `cli:${PRIVATE}`];
  await addTimelineLines(
    database,
    id,
    'on_hold',
    actors.map((actor) => [actor, `because of ${PRIVATE}`]),
    EVIDENCE,
  );
}

type Call = (transaction: Transaction) => Promise<Answer>;
const at = (path: string) => (transaction: Transaction) => path.replace('{transaction_id}', transaction.id);
const reads =
  (path: string): Call =>
  (transaction) =>
    service.get(at(path)(transaction));

const streams =
  (path: string): Call =>
  async (transaction) => {
    const cursor = `evt_${transaction.id.slice(4)}_1`;
    await untilReadable(database);
    const stream = await openStream(`${service.baseUrl}${at(path)(transaction)}?cursor=${cursor}`, {
      key: business.testKey,
    });
    await until('the last line is there', () => stream.received.some(({ id }) => id.endsWith('_103')));
    stream.close();
    const text = JSON.stringify(stream.received);
    return { status: stream.status, headers: stream.headers, text, body: undefined };
  };

const ENDPOINTS = '/webhooks/v1/endpoints';
const addEndpoint = () => service.post(ENDPOINTS, { url: 'https://receiver.invalid/hooks' });
const endpointId = (await addEndpoint()).body.endpoint.id as string;
const ofEndpoint = `${ENDPOINTS}/${endpointId}`;

const delivery: Call = async ({ id }) => {
  let found: string | undefined;
  await until('the last line is to be delivered', async () => {
    const list = await service.get(`${ofEndpoint}/deliveries?event_id=evt_${id.slice(4)}_103`);
    found = list.body.deliveries[0]?.id;
    return found !== undefined;
  });
  return service.get(`/webhooks/v1/deliveries/${found}`);
};
const since = new Date(0).toISOString();

/** Makes one call for every operation. A call about a transaction returns its current state. */
const CALLS: Readonly<Record<string, Call>> = {
  initiateBuy: ({ reference }) => service.post(ONRAMP, BODIES.buy(reference)),
  initiateSell: ({ reference }) => service.post(OFFRAMP, BODIES.sell(reference)),
  getTransaction: reads('/transactions/v1/{transaction_id}'),
  getTimeline: reads('/transactions/v1/{transaction_id}/timeline'),
  listTransactions: reads('/transactions/v1?limit=100'),
  listEvents: reads('/events/v1?order=desc&limit=100'),
  streamEvents: streams('/events/v1/stream'),
  streamTransactionEvents: streams('/transactions/v1/{transaction_id}/events'),
  setWallet: ({ id }) => service.put(`/transactions/v1/${id}/wallet`, WALLET),
  cancelTransaction: ({ id }) => service.post(`/transactions/v1/${id}/cancel`, {}),
  addWebhookEndpoint: addEndpoint,
  listWebhookEndpoints: reads(ENDPOINTS),
  getWebhookEndpoint: reads(ofEndpoint),
  changeWebhookEndpoint: () => service.patch(ofEndpoint, { description: 'the first one' }),
  rotateWebhookKeys: () => service.post(`${ofEndpoint}/rotate`, {}),
  testWebhookEndpoint: () => service.post(`${ofEndpoint}/test`, {}),
  listWebhookDeliveries: reads(`${ofEndpoint}/deliveries`),
  getWebhookDelivery: delivery,
  redeliverWebhook: async (transaction) => {
    const { id } = (await delivery(transaction)).body.delivery;
    return service.post(`/webhooks/v1/deliveries/${id}/redeliver`, {});
  },
  redeliverWebhookRange: () => service.post(`${ofEndpoint}/redeliver`, { from: since, to: since }),
  recoverWebhooks: () => service.post(`${ofEndpoint}/recover`, { since: new Date().toISOString() }),
  deleteWebhookEndpoint: ({ id }) => service.del(`${ENDPOINTS}/${id}`),
  getRequest: async ({ id }) => {
    const { headers } = await service.post(`/transactions/v1/${id}/cancel`, {});
    const path = `/requests/v1/${headers.get('request-id')}`;
    await until('the request is kept', async () => (await service.get(path)).status === 200);
    return service.get(path);
  },
  listBanks: reads('/banks/v1'),
  listVendors: reads('/transactions/v1/vendors'),
  listVendorsAlias: reads('/transactions/v1/list_vendors'),
  listTestVendors: reads('/transactions/v1/test-vendors'),
  getUsdcRates: reads('/rates/v1/usdc-ngnc'),
  getRateHistory: reads('/rates/v1/history?product=otc_buy&currency=USD'),
  makeQuote: () => service.post('/quotes/v1', { side: 'buy', amount: 15_000 }),
  listQuotes: reads('/quotes/v1'),
  getQuote: async () => {
    const made = await service.post('/quotes/v1', { side: 'buy', amount: 100, currency: 'USD' });
    return service.get(`/quotes/v1/${made.body.quote.quote_id}`);
  },
  getOtcBuyRates: () => service.get(`${service.otcBaseUrl}/otc/buy`),
  getBankAccount: reads('/banks/v1/gtbank/accounts/0123456785'),
  health: reads('/health'),
  ready: reads('/ready'),
  sandboxBankCredit: () => service.post('/sandbox/v1/bank-credits', {}),
  sandboxReverseBankCredit: ({ id }) => service.post(`/sandbox/v1/bank-credits/${id}/reverse`, {}),
  sandboxDeposit: ({ id }) => service.post('/sandbox/v1/deposits', { transaction_id: id, amount: 0.001 }),
};

/** These operations do not concern a transaction, so the test calls them once, after every exception exists. */
const GENERAL = new Set([
  ...['addWebhookEndpoint', 'listWebhookEndpoints', 'getWebhookEndpoint', 'changeWebhookEndpoint'],
  ...['rotateWebhookKeys', 'testWebhookEndpoint', 'redeliverWebhookRange', 'recoverWebhooks', 'listBanks'],
  ...['listVendors', 'listVendorsAlias', 'listTestVendors', 'getUsdcRates', 'getRateHistory', 'makeQuote'],
  ...['listQuotes', 'getQuote', 'getOtcBuyRates', 'getBankAccount', 'health', 'ready', 'sandboxBankCredit'],
]);

async function assertSilent(operation: string, call: Call, transaction: Transaction): Promise<void> {
  const { text, status } = await call(transaction);
  assert.doesNotMatch(text, SECRET, `${operation} of a ${transaction.type} with ${transaction.exception}`);
  assert.ok(status < 500, operation);
}

test('threat 85: for every exception, no route shows the business data that only operators may read', async () => {
  const document = (await service.get('/openapi.json', { key: null })).body;
  const operations = Object.values<Record<string, { operationId: string }>>(document.paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  );
  assert.deepEqual(operations.sort(), Object.keys(CALLS).sort(), 'a new route is called here, too');
  await database.query({
    text: `insert into freezes (business_id, mode, reason, at) values ($1, 'test', $2, now())`,
    values: [business.businessId, PRIVATE],
  });
  let last: Transaction | undefined;
  for (const [index, exception] of EXCEPTIONS.entries()) {
    for (const type of ['buy', 'sell'] as const) {
      const transaction = await held(type, exception, `${type}-${index}`);
      await addPrivateLines(transaction.id);
      for (const [operation, call] of Object.entries(CALLS))
        if (!GENERAL.has(operation)) await assertSilent(operation, call, transaction);
      const shown = (await service.get(`/transactions/v1/${transaction.id}`)).body.transaction;
      const code = EXCEPTION_CODES[exception];
      assert.deepEqual(
        [shown.exception, shown.state_reason, shown.state_message],
        [code, code, PUBLIC_SENTENCES[code]],
      );
      await database.query({
        text: 'update transaction_states set state_reason = $2 where transaction_id = $1',
        values: [transaction.id, PRIVATE],
      });
      const earlier = await service.get(`/transactions/v1/${transaction.id}`);
      assert.equal(earlier.body.transaction.state_reason, 'under_review');
      assert.doesNotMatch(earlier.text, SECRET);
      last = transaction;
    }
  }
  for (const operation of GENERAL) await assertSilent(operation, CALLS[operation]!, last!);
});

test('a screening hit, a freeze and a limit give the same response in every field', async () => {
  const answers = new Set<string>();
  for (const exception of ['screening_hit', 'business_frozen', 'limit_day', 'limit_reached'] as const) {
    const transaction = await held('buy', exception, `alike-${answers.size}-${exception.length}`);
    const { id, reference } = transaction;
    const own = [new RegExp(id, 'g'), new RegExp(reference, 'g'), /"(?:\w+_)?at":"[^"]+"/g, /"req_\w+"/g];
    const texts: string[] = [];
    for (const operation of [
      'getTransaction',
      'getTimeline',
      'initiateBuy',
      'setWallet',
      'cancelTransaction',
    ])
      texts.push((await CALLS[operation]!(transaction)).text);
    answers.add(own.reduce((text, each) => text.replaceAll(each, '-'), texts.join('\n')));
  }
  assert.equal(answers.size, 1, [...answers].join('\n\n'));
});

test('a rejected buy shows its public reason; the note is visible only to operators', async () => {
  const transaction = await held('buy', 'screening_hit', 'rejected-1');
  const atMs = foundation.clock.now();
  const by = { actor: `per_${PRIVATE}`, atMs, publicReason: 'declined', note: PRIVATE } as const;
  const plan = rejectBuy(transaction, [], by);
  assert.ok(plan.ok);
  assert.deepEqual(await store.commit([plan.value.change]), [{ kind: 'committed' }]);
  const read = await service.get(`/transactions/v1/${transaction.id}`);
  const { state, state_reason, state_message, exception, next_action } = read.body.transaction;
  assert.deepEqual([state, state_reason, state_message], ['rejected', 'declined', PUBLIC_SENTENCES.declined]);
  assert.deepEqual([exception, next_action], [null, null]);
  const timeline = await service.get(`/transactions/v1/${transaction.id}/timeline`);
  const { actor, reason, evidence } = timeline.body.timeline.at(-1);
  assert.deepEqual([actor, reason, evidence], ['operator', 'declined', null]);
  assert.doesNotMatch(read.text + timeline.text, SECRET);
  const kept = (await store.timeline(transaction.id)).at(-1)!;
  assert.deepEqual([kept.actor, kept.evidence], [`per_${PRIVATE}`, { note: PRIVATE }]);
});

test('a released transaction is no longer under review, even if an earlier version did not clear the exception', async () => {
  const now = await held('buy', 'business_frozen', 'released-1');
  const plan = releaseTransaction(now, 'paid', { actor: 'per_1', atMs: foundation.clock.now() });
  assert.ok(plan.ok);
  const [move] = plan.value.change.transactions!;
  assert.equal(move!.after.exception, null);
  const kept = { ...move!, after: { ...move!.after, dueAtMs: null, exception: now.exception } };
  assert.deepEqual(await store.commit([{ ...plan.value.change, transactions: [kept] }]), [
    { kind: 'committed' },
  ]);
  const { transaction } = (await service.get(`/transactions/v1/${now.id}`)).body;
  assert.deepEqual([transaction.state, transaction.exception], ['paid', null]);
});

test('the actor is shown as "you" for a person of the business, as "service" for the service, and as the key for a key', async () => {
  const { body } = await service.post(ONRAMP, BODIES.buy('actors-1'));
  const id = body.transaction.transaction_id;
  await addTimelineLines(database, id, 'awaiting_payment', [
    [`per_${PRIVATE}`, 'wallet_given'],
    [`per_${PRIVATE}`, 'released'],
    [`service:${PRIVATE}`, 'payment_found'],
    [`os:${PRIVATE}`, 'cancelled_by_business'],
  ]);
  const { timeline } = (await service.get(`/transactions/v1/${id}/timeline`)).body;
  const [first, ...rest] = timeline.map(({ actor }: { actor: string }) => actor);
  assert.match(first, /^key_/);
  assert.deepEqual(rest, ['you', 'operator', 'service', 'operator']);
});
