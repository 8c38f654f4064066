// Threats 27, 28, 30 and 31 for `reference`: it is permanently unique per business and mode, even if the first response was
// lost.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePostgresStore } from '../../src/adapters/postgres/store.ts';
import { buyBody, sellBody } from '../support/service.ts';
import { sharedTestService } from '../support/sharing/shared-service.ts';
import { WALLETS } from '../support/wallets.ts';
import { assertRefused, countRows, OFFRAMP, ONRAMP, storingNothing } from './helpers.ts';

const service = await sharedTestService();
const { business, foundation } = service;
const store = makePostgresStore(foundation.database);
const idOf = (answer: { body: { transaction: { transaction_id: string } } }) =>
  answer.body.transaction.transaction_id;
const buy = (changes: object) => service.post(ONRAMP, buyBody(business, { ...changes }));
const sell = (changes: object) => service.post(OFFRAMP, sellBody(business, { ...changes }));

test('threat 27: 50 simultaneous requests with one reference create one transaction and get 50 equal responses', async () => {
  for (const submit of [buy, sell]) {
    const before = await countRows(service, 'transactions');
    const answers = await Promise.all(Array.from({ length: 50 }, () => submit({ reference: submit.name })));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
    const replayed = answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true');
    assert.equal(replayed.length, 49);
    assert.equal(await countRows(service, 'transactions'), before + 1);
  }
});

test('threat 28: of 50 simultaneous requests with one reference and different bodies, one is accepted and 49 conflict', async () => {
  const before = await countRows(service, 'transactions');
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, i) => buy({ reference: 'fifty-bodies', amount: 15000 + i })),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  const refused = answers.filter(({ status }) => status !== 200);
  for (const answer of refused) assertRefused(answer, 409, 'reference_reused', []);
  assert.equal(await countRows(service, 'transactions'), before + 1);
});

test('threat 28: a repeated request with other spellings and other ignored fields is the same request', async () => {
  const wallet = WALLETS.Polygon!(7);
  const given = {
    reference: 'spelled',
    account_name: 'Adaeze Okafor',
    network: 'Polygon',
    wallet_address: wallet,
  };
  const first = await buy(given);
  assert.equal(first.headers.get('idempotent-replayed'), null);
  for (const changes of [
    {},
    { network: 'polygon' },
    { network: 'POLYGON' },
    { wallet_address: wallet.toLowerCase() },
    { bank_name: 'Guaranty Trust Bank' },
    { bank_name: ' gtb ' },
    { vendor_bank: 'Providus' },
    { vendor_name: ' Sandbox Vendor One ' },
    { account_name: ' Adaeze   Okafor' },
    { state: 'completed', note: 'extra fields do not count' },
  ]) {
    const again = await storingNothing(service, () => buy({ ...given, ...changes }));
    assert.deepEqual([again.status, idOf(again)], [200, idOf(first)], JSON.stringify(changes));
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
  }
  const text = JSON.stringify(buyBody(business, given)).replace('"amount":15000', '"amount":15000.00');
  const decimals = await service.post(ONRAMP, text);
  assert.deepEqual([decimals.status, idOf(decimals)], [200, idOf(first)]);
});

test('threat 28: another body under the same reference is refused and changes nothing', async () => {
  const first = await buy({ reference: 'kept' });
  for (const [changes, difference] of [
    [{ amount: 15000.01 }, 'another amount'],
    [{ account_number: '0123456786' }, 'another account_number'],
    [{ account_name: 'Ngozi Eze' }, 'another account_name'],
    [{ bank_name: 'Access Bank' }, 'another bank_name'],
    [
      { vendor_name: 'Sandbox Vendor Two', vendor_number: '9900000028', vendor_bank: 'Wema Bank' },
      'another vendor',
    ],
    [{ network: 'Avalanche' }, 'another network'],
    [{ wallet_address: WALLETS.Polygon!(9) }, 'another wallet_address'],
    [{ network: undefined, wallet_address: undefined }, 'another network and wallet_address'],
    [
      { amount: 15000.01, account_number: '0123456786', bank_name: 'Access Bank', network: 'Avalanche' },
      'another amount, bank_name and account_number',
    ],
  ] as const) {
    const answer = await storingNothing(service, () => buy({ reference: 'kept', ...changes }));
    assertRefused(answer, 409, 'reference_reused', []);
    assert.equal(
      answer.body.message,
      `reference kept already belongs to ${idOf(first)} with ${difference}. ` +
        'Use a new reference, or repeat the original body.',
    );
  }
  const read = await service.get(`/transactions/v1/${idOf(first)}`);
  assert.deepEqual(read.body.transaction, first.body.transaction);
});

test('threat 28: a buy and a sell cannot have the same reference', async () => {
  await buy({ reference: 'both' });
  const refused = await storingNothing(service, () => sell({ reference: 'both' }));
  assertRefused(refused, 409, 'reference_reused');
  assert.match(refused.body.message, /with another type\./);
  await sell({ reference: 'both-2' });
  assertRefused(await storingNothing(service, () => buy({ reference: 'both-2' })), 409, 'reference_reused');
});

test('threat 29: a reference belongs to one business, and is case-sensitive', async () => {
  const other = await service.addBusiness('ref-other');
  const mine = await buy({ reference: 'Shared' });
  const theirs = await service.post(ONRAMP, buyBody(other, { reference: 'Shared' }), { key: other.testKey });
  const lower = await buy({ reference: 'shared' });
  assert.deepEqual([mine.status, theirs.status, lower.status], [200, 200, 200]);
  assert.equal(new Set([mine, theirs, lower].map(idOf)).size, 3);
});

test('references that the service generates are unique, and a client can search for them', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => buy({})));
  const references = answers.map(({ body }) => body.transaction.reference);
  assert.equal(new Set(references).size, 20);
  const found = await service.get(`/transactions/v1?reference=${references[3]}`);
  assert.deepEqual(
    found.body.transactions.map((t: { reference: string }) => t.reference),
    [references[3]],
  );
});

test('threat 30: if the response is lost after the commit, a retry by key or reference finds the same transaction', async () => {
  const body = buyBody(business, { reference: 'crash' });
  const headers = { 'idempotency-key': 'crash' };
  const lost = await service.post(ONRAMP, body, { headers });
  const scope = { businessId: business.businessId, mode: 'test' } as const;
  const committed = (await store.findTransaction(scope, idOf(lost)))!;
  const { rows } = await foundation.database.query<{ body_hash: string; key_id: string }>({
    text: 'select body_hash, key_id from transactions where id = $1',
    values: [committed.id],
  });
  const { body_hash: bodyHash, key_id: keyId } = rows[0]!;
  // After a crash, another process sends the same request with a new id like this.
  const retry = { ...committed, id: `${committed.id.slice(0, -4)}zzzz` };
  for (const [reference, idempotency] of [
    ['crash', null],
    ['crash', { key: 'crash', requestHash: bodyHash }],
    ['a-new-one', { key: 'crash', requestHash: bodyHash }],
  ] as const) {
    const outcome = await store.accept({
      transaction: { ...retry, reference },
      bodyHash,
      idempotency,
      keyId,
      scenario: null,
    });
    assert.ok(outcome.kind === 'repeated');
    assert.deepEqual(outcome.transaction, committed);
  }
  assert.equal(idOf(await service.post(ONRAMP, body)), committed.id);
  assert.equal(idOf(await service.post(ONRAMP, body, { headers })), committed.id);
});

test('threat 31: after the key is deleted, the reference still prevents a second transaction', async () => {
  const body = buyBody(business, { reference: 'for-good' });
  const headers = { 'idempotency-key': 'not-for-good' };
  const first = await service.post(ONRAMP, body, { headers });
  await store.purgeIdempotencyKeys(foundation.clock.now() + 60_000);
  const again = await storingNothing(service, async () => {
    const other = buyBody(business, { reference: 'for-good', amount: 20000 });
    assertRefused(await service.post(ONRAMP, other, { headers }), 409, 'reference_reused');
    return service.post(ONRAMP, body);
  });
  assert.deepEqual([again.status, idOf(again)], [200, idOf(first)]);
  const keyedAgain = await service.post(ONRAMP, body, { headers });
  assert.equal(idOf(keyedAgain), idOf(first));
});
