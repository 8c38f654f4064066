// Tests a running service with a local bank that plays Paystack. The service stores a signed event, verifies it with the bank,
// and credits it once. Replayed events, forged events and events from other senders change nothing.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { startLocalBanks } from '../../local-banks/start.ts';
import { eventually } from '../http/helpers.ts';
import { startTestService } from '../support/service.ts';
import { FAST, rows } from './calls.ts';

const dir = mkdtempSync(path.join(tmpdir(), 'sliproad-rail-events-'));
const banks = await startLocalBanks({ dir });
after(async () => {
  await banks.close();
  rmSync(dir, { recursive: true });
});
const row = banks.rails.find(({ kind }) => kind === 'paystack')!;
const options = { ...row.options, event_addresses: '127.0.0.1' };
const BANKS_FILE = path.join(dir, 'test-banks.json');
writeFileSync(BANKS_FILE, JSON.stringify({ rails: [{ ...row, mode: 'test', name: 'paystack', options }] }));
const service = await startTestService({ ...FAST, BANKS_FILE, TRUST_PROXY: 'loopback' });

function send(event: unknown, { secret = banks.paystack.credentials.secretKey, from = '127.0.0.1' } = {}) {
  const text = JSON.stringify(event);
  const signature = createHmac('sha512', secret).update(text).digest('hex');
  const headers = { 'x-paystack-signature': signature, 'x-forwarded-for': from };
  return service.post('/rails/paystack/events', text, { key: null, headers });
}

const events = () =>
  rows<{ state: string; outcome: string | null }>(
    service,
    'select state, outcome from rail_events order by received_at, id',
  );
const credits = () =>
  rows<{ amount: string }>(
    service,
    `select amount_minor::text as amount from bank_credits where source = 'paystack'`,
  );
const isDone = async () => (await events()).every(({ state }) => state === 'done');

test('threat 76: a signed event credits a payment once, after a query to the bank; a replayed or a forged event changes nothing', async () => {
  const { reference } = await banks.payIn({
    ...{ rail: 'paystack', accountNumber: banks.paystack.account.number, amount: '15000.00' },
    payer: { accountNumber: '0123456785', name: 'ADA OBI', bankCode: '058' },
  });
  const paid = { event: 'charge.success', data: { reference, amount: 900_000_000 } };
  assert.equal((await send(paid, { secret: 'another' })).status, 401);
  assert.equal((await send(paid, { from: '203.0.113.9' })).status, 401, 'event_addresses does not have it');
  assert.deepEqual(await events(), []);
  assert.equal((await send(paid)).status, 200);
  assert.equal((await events()).length, 1, 'it is stored before it is answered');
  await eventually(isDone, 'the event is worked on');
  assert.deepEqual([await events(), await credits()], [[CREDITED], [{ amount: '1500000' }]]);

  assert.equal((await send(paid)).status, 200);
  assert.equal((await send({ ...paid, data: { reference, amount: 1 } })).status, 200);
  await eventually(isDone, 'the second event about it is worked on');
  assert.deepEqual([await events(), await credits()], [[CREDITED, CREDITED], [{ amount: '1500000' }]]);
});

const CREDITED = { state: 'done', outcome: 'credit' };
