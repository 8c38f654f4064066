// A word that occurs nowhere else is written into every field that a customer, a payer or an operator can fill, and then erased.
// Afterwards it is searched in every text column of every table, as the schema has them, in the log and in exports. It may remain
// only where docs/operate/privacy.md says so.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { KEPT_COLUMNS } from '../../src/adapters/postgres/privacy/other-columns.ts';
import { PERSONAL_PLACES } from '../../src/adapters/postgres/privacy/personal-places.ts';
import { eraseRequestedData } from '../../src/app/privacy/erase-due-data.ts';
import { lastWholeDay } from '../../src/app/reconciliation/reconcile-account.ts';
import { addConsolePerson, signedIn } from '../http/console/browser.ts';
import { until } from '../support/patience.ts';
import { startTestService } from '../support/service.ts';
import { findWord } from '../support/text-columns.ts';
import { buy, FAST, pay, sell } from './calls.ts';
import { settled } from './settled.ts';

const WORD = 'Quizzaciously';
const ACCOUNT = '0777000191';
const NAME = `Ngozi ${WORD}`;
const REFERENCE = `order-${WORD}`;
const HOUR_MS = 3_600_000;
const BYTES = { 'content-type': 'application/octet-stream' };
const OPERATOR = '/console/v1/operator';

const service = await startTestService({ ...FAST, TRUST_PROXY: 'loopback' });
const { foundation, business } = service;
const { database } = foundation;
const admin = await signedIn(service, await addConsolePerson(service, { operator: 'admin' }));
const customer = { account_number: ACCOUNT, account_name: NAME };
const count = async (text: string) => {
  const { rows } = await database.query<{ count: number }>({
    text: `select count(*)::int as count from ${text}`,
    values: [`%${WORD}%`],
  });
  return rows[0]!.count;
};
const has = (what: string, text: string, atLeast = 1) =>
  until(what, async () => (await count(text)) >= atLeast, { everyMs: 50 });

/** What customers, payers and the business write. */
async function plantByRequests(): Promise<void> {
  const endpoint = { url: 'https://receiver.invalid/hooks', events: ['transaction.*'] };
  const added = await service.post('/webhooks/v1/endpoints', endpoint);
  assert.equal(added.status, 200, added.text);
  const bank = { bank_name: `${WORD} Cooperative` };
  const bought = await buy(
    service,
    { ...customer, ...bank, reference: REFERENCE, amount: 41_700 },
    { headers: { 'idempotency-key': `key-${WORD}` } },
  );
  await pay(service, bought, { payer_bank_name: bank.bank_name, narration: `rent of ${NAME}` });
  await settled(service, bought.transaction_id, { states: ['completed'] });
  const sold = await sell(service, { ...customer, amount: 26_000 });
  await service.post('/sandbox/v1/deposits', { transaction_id: sold.transaction_id });
  await settled(service, sold.transaction_id, { states: ['completed'] });
  const refused = await service.get(`/transactions/v1?account_name=${encodeURIComponent(NAME)}`);
  assert.equal(refused.status, 422);
  await has('the requests are stored', 'request_log where path like $1');
  await has('the bodies are stored', 'request_log where body like $1', 3);
}

/** What an operator imports and types. */
async function plantByOperators(): Promise<void> {
  const vendor = (await foundation.backOffice.listVendors()).find(
    ({ mode, number }) => mode === 'test' && number !== '9900000011',
  )!;
  const source = { body: { source: 'statements' } };
  const chosen = await admin.send('PUT', `${OPERATOR}/settings/vendors/${vendor.id}/source`, source);
  assert.equal(chosen.status, 200, chosen.text);
  const day = lastWholeDay(foundation.clock.now());
  const file = [
    `Account Number,${vendor.number}`,
    'Date,Description,Reference,Debit,Credit,Balance',
    `${day},NIP/KUDA/${NAME.toUpperCase()}/RENT,R1-${WORD},,2500.00,12500.00`,
    `${day},TRANSFER TO ${NAME.toUpperCase()},R2-${WORD},500.00,,12000.00`,
  ].join('\n');
  const query = `vendor_id=${vendor.id}&name=${encodeURIComponent(`${NAME}.csv`)}`;
  const imported = await admin.send('POST', `${OPERATOR}/statements/test?${query}`, {
    body: file,
    headers: BYTES,
  });
  assert.equal(imported.body.file?.rows_new, 2, imported.text);
  await has('the row is a credit', `bank_credits where source = 'statements' and payer_name ilike $1`);
  // As if two people had written it off: nothing is open about the credit.
  await until('the credit is over', async () => {
    const { rowCount } = await database.query({
      text: `update bank_credits set state = 'written_off', due_at = null, version = version + 1
        where source = 'statements' and state in ('unmatched', 'review')`,
    });
    return rowCount === 1;
  });
  const freeze = { business_id: business.businessId, mode: 'test', reason: `asked by ${NAME}` };
  assert.equal((await admin.send('POST', `${OPERATOR}/settings/freezes`, { body: freeze })).status, 200);
  assert.equal((await admin.send('POST', `${OPERATOR}/settings/freezes/lift`, { body: freeze })).status, 200);
}

/** What only a bank or an endpoint on another machine can send: stored as the service stores it. */
async function plantByOthers(): Promise<void> {
  const { rows } = await database.query<{
    id: string;
    source: string;
    source_id: string;
    transaction_id: string;
  }>({
    text: `select id, source, source_id, transaction_id from bank_credits where source = 'simulated' and payer_name = $1`,
    values: [NAME],
  });
  const credit = rows[0]!;
  const insert = (text: string, ...values: unknown[]) => database.query({ text, values });
  await until('the answers of an endpoint are stored', async () => {
    const { rowCount } = await insert(
      `insert into webhook_attempts (delivery_id, no, at, duration_ms, status, outcome, answer)
        select id, 900, now(), 1, 200, 'answered', $1 from webhook_deliveries
        where event_id like 'evt_' || substr($2, 5) || '%' limit 1`,
      ...[`noted for ${NAME}`, credit.transaction_id],
    );
    return rowCount === 1;
  });
  await insert(
    `insert into bank_notices (id, mode, source, source_id, kind, about, amount_minor, received_at, raw, state, version)
      values ('ntc_planted', 'test', $1, 'planted', 'credit_reversed', $2, 1, now(), $3, 'done', 1)`,
    ...[credit.source, credit.source_id, JSON.stringify({ who: NAME })],
  );
  await insert(
    `insert into rail_events (id, mode, rail, digest, body, type, topic, about, received_at, state)
      values ('rev_planted', 'test', $1, 'd', $2, 't', 'credit', $3, now(), 'done')`,
    ...[credit.source, `{"payer":"${NAME}"}`, credit.source_id],
  );
  await insert(
    `insert into credit_reports (id, mode, source, source_id, account_number, amount_minor, payer_account, payer_name,
        payer_bank_name, narration, value_at, received_at, raw, state, credit_id, version)
      values ('rpt_planted', 'test', 'other', 'planted', '9900000011', 1, $2, $1, $1, $1, now(), now(), $3, 'linked', $4, 1)`,
    ...[NAME, ACCOUNT, JSON.stringify({ who: NAME }), credit.id],
  );
  await insert(
    `insert into statement_rows (mode, account, day, key, ordinal, amount_minor, narration, payer_account, narrated_account, payer_bank_name,
        kind, file_id, line, seq, at)
      values ('test', 'none:1', '2026-11-01', 'planted', 1, -5, 'NIP', $1, $1, $2, 'payment', 'stf_planted', 2, 2, now())`,
    ...[ACCOUNT, NAME],
  );
  await insert(
    `insert into quarantine (mode, source, reason, raw, at) values ('test', 'simulated', 'unreadable', $1, now())`,
    `line of ${NAME}, ${ACCOUNT}`,
  );
  await insert(
    `insert into account_enquiries (transaction_id, rail, verdict, score, bank_says, asked_at)
      values ($1, 'simulated', 'same_name', 100, $2, now()) on conflict (transaction_id) do update set bank_says = excluded.bank_says,
        rail = excluded.rail, verdict = excluded.verdict, score = 100, asked_at = now(), due_at = null`,
    ...[credit.transaction_id, NAME],
  );
  await insert(
    `update movement_attempts set evidence = coalesce(evidence, '{}') || $1::jsonb where rail is not null`,
    JSON.stringify({ bank_says: `paid to ${NAME}`, refused: { reason: NAME } }),
  );
  await insert(`update movements set reason = $1 where kind = 'payout'`, `the bank refused ${NAME}`);
  await insert(
    `insert into timeline (transaction_id, version, at, from_state, to_state, actor, reason, evidence, business_id, mode)
      select transaction_id, version + 100, now(), 'paid'::transaction_state, 'on_hold'::transaction_state, 'bank', 'name_mismatch',
        $2::jsonb, business_id, mode
      from transaction_states where transaction_id = $1`,
    ...[
      credit.transaction_id,
      JSON.stringify({ bank_says: NAME, note: `asked ${NAME}`, hits: [{ name: NAME }] }),
    ],
  );
}

test('threat 84: a word of a customer is found nowhere after the erasure, except where the documentation says so', async () => {
  await plantByRequests();
  await plantByOperators();
  await plantByOthers();
  const planted = new Set([...(await findWord(database, WORD)), ...(await findWord(database, ACCOUNT))]);
  const missed = PERSONAL_PLACES.flatMap(({ table, columns }) =>
    Object.keys(columns).map((column) => `${table}.${column}`),
  ).filter((column) => !planted.has(column));
  assert.deepEqual(missed, ['transactions.body_hash'], 'every personal column has the word or the account');

  const person = { mode: 'test', account_number: ACCOUNT, name: NAME };
  const { body: planning } = await admin.send('POST', `${OPERATOR}/privacy/plan`, { body: person });
  assert.deepEqual(planning.plan.kept, [], 'the law requires nothing of test mode');
  const { body: before } = await admin.send('POST', `${OPERATOR}/privacy/export`, { body: person });
  assert.deepEqual(
    [...new Set<string>(before.document.rows.map(({ place }: { place: string }) => place))].sort(),
    PERSONAL_PLACES.map(({ table }) => table).sort(),
    'the export has every place',
  );
  const erased = await admin.send('POST', `${OPERATOR}/privacy/erasures`, { body: person });
  assert.deepEqual([erased.status, erased.body.done, erased.body.kept_until], [200, true, null], erased.text);
  // The rest is erased an hour after its end.
  const clock = { now: () => foundation.clock.now() + 2 * HOUR_MS };
  await eraseRequestedData({ privacy: foundation.privacy, clock, byLawMs: HOUR_MS });

  const left = [...new Set([...(await findWord(database, WORD)), ...(await findWord(database, ACCOUNT))])];
  const allowed = placesInDocumentation();
  assert.deepEqual(
    left.filter((column) => !allowed.includes(column)),
    [],
    'a word remains in a place that docs/operate/privacy.md does not list',
  );
  for (const column of ['transactions.reference', 'idempotency_keys.key', 'audit_log.detail'])
    assert.ok(left.includes(column), `${column} keeps what people typed`);

  const { document: after } = (
    await admin.send('POST', `${OPERATOR}/privacy/export`, {
      body: { mode: 'test', account_number: ACCOUNT },
    })
  ).body;
  assert.ok(after.rows.length > 0 && after.rows.every((row: { erased: boolean }) => row.erased));
  assert.ok(!JSON.stringify(after.rows).includes(WORD));
  const list = await service.get('/transactions/v1?limit=10');
  assert.ok(list.text.includes(REFERENCE) && !list.text.replaceAll(REFERENCE, '').includes(WORD), list.text);
  assert.ok(!service.logged().includes(WORD) && !service.logged().includes(ACCOUNT), 'the log has neither');
  assert.match(privacyPage(), /A backup cannot be erased/);
});

function privacyPage(): string {
  return readFileSync(path.resolve(import.meta.dirname, '../../docs/operate/privacy.md'), 'utf8');
}

function placesInDocumentation(): readonly string[] {
  const section = /\n## Where a word may remain\n(.*?)\n## /s.exec(privacyPage())![1]!;
  const listed = [...section.matchAll(/`(\w+\.\w+)`/g)].map(([, column]) => column!);
  assert.deepEqual(listed, Object.values(KEPT_COLUMNS).flat());
  return listed;
}
