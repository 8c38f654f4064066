// All data about one customer is exported and erased, in all places. Open records stay until they are finished, and in live mode
// two people decide.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { verified } from '../../../test/support/audit-stage.ts';
import { CHECKER, giveStepUp, MAKER } from '../../../test/support/people/reviewers.ts';
import { openReviewStage } from '../../../test/support/review-stage.ts';
import { makeAuditLog } from '../../adapters/postgres/audit/audit-log.ts';
import { STORED_VALUES } from '../../adapters/postgres/connection/erased-values.ts';
import { PERSONAL_PLACES } from '../../adapters/postgres/privacy/personal-places.ts';
import { makePrivacyStore } from '../../adapters/postgres/privacy/privacy-store.ts';
import { makeTravelRuleStore } from '../../adapters/postgres/travel-rule.ts';
import { makePersonalHash, makeSecretBox } from '../../adapters/secrets/secret-box.ts';
import { decideProposal } from '../review/decide-proposal.ts';
import { eraseRequestedData } from './erase-due-data.ts';
import { erasePerson, planErasure } from './erase-person.ts';
import { exportPerson } from './export-person.ts';
import { parsePersonQuery } from './find-person.ts';

const ACCOUNT = '0777777777';
const NAME = 'Ngozi Eze';
const stage = await openReviewStage();
const { database } = stage;
const keys = { keys: [{ id: 'one', bytes: randomBytes(32) }], fingerprintKey: randomBytes(32) } as const;
const box = makeSecretBox(keys);
const personalHash = makePersonalHash(box);
const HOUR_MS = 3_600_000;
let aheadMs = 0;
const clock = { now: () => stage.clock.now() + aheadMs };
const deps = {
  ...{
    ...stage.deps,
    clock,
    box,
    personalHash,
    actor: MAKER,
    keepMs: null,
    requestsKeepMs: 30 * 24 * HOUR_MS,
  },
  privacy: makePrivacyStore(database, personalHash),
  travelRule: makeTravelRuleStore(database),
  audit: makeAuditLog(database),
};
const query = (text: string, ...values: unknown[]) =>
  database.query<Record<string, unknown>>({ text, values, types: STORED_VALUES });
const person = { account: ACCOUNT, bankCode: null, name: NAME };

/** For each place, the row that fills it with the person's data. A new place needs a row here. */
const FILLED: Readonly<Record<string, (txn: string, mode: string) => string>> = {
  timeline: (
    txn,
    mode,
  ) => `insert into timeline (transaction_id, version, at, from_state, to_state, actor, reason, evidence, business_id, mode)
    values ('${txn}', 7, now(), 'paid', 'on_hold', 'x', 'name_mismatch', '{"bank_says": "${NAME}", "movement": "mov_${txn}"}', 'biz_fixture', '${mode}')`,
  account_enquiries: (
    txn,
  ) => `insert into account_enquiries (transaction_id, rail, verdict, score, bank_says, asked_at)
    values ('${txn}', 'r', 'same_name', 100, '${NAME}', now())`,
  movements: (
    txn,
    mode,
  ) => `insert into movements (id, kind, mode, asset, amount_minor, naira_minor, transaction_id, destination, state, version, created_at, updated_at)
    values ('mov_${txn}', 'refund', '${mode}', 'NGN', 1, 1, '${txn}', '{"bankCode": "044", "accountNumber": "${ACCOUNT}", "accountName": "${NAME}"}', 'done', 1, now(), now())`,
  movement_attempts: (
    txn,
    mode,
  ) => `insert into movement_attempts (movement_id, no, mode, rail, reference, state, evidence, at, updated_at)
    values ('mov_${txn}', 1, '${mode}', 'r', 'ref', 'landed', '{"bank_says": "paid to ${NAME}"}', now(), now())`,
  bank_credits: (
    txn,
    mode,
  ) => `insert into bank_credits (id, mode, source, source_id, account_number, amount_minor, payer_account, payer_name, narration, value_at, received_at, raw, state, transaction_id, version)
    values ('crd_${txn}', '${mode}', 's', '${txn}', '9900000011', 1, '${ACCOUNT}', '${NAME}', 'from ${NAME}', '2026-11-01', '2026-11-01', '{"n": "${NAME}"}', 'matched', '${txn}', 1)`,
  credit_reports: (
    txn,
    mode,
  ) => `insert into credit_reports (id, mode, source, source_id, account_number, amount_minor, payer_account, payer_name, value_at, received_at, raw, state, credit_id, version)
    values ('rep_${txn}', '${mode}', 't', '${txn}', '9900000011', 1, '${ACCOUNT}', '${NAME}', '2026-11-01', '2026-11-01', '{}', 'linked', 'crd_${txn}', 1)`,
  bank_notices: (
    txn,
    mode,
  ) => `insert into bank_notices (id, mode, source, source_id, kind, about, amount_minor, received_at, raw, state, version)
    values ('ntc_${txn}', '${mode}', 's', 'n${txn}', 'credit_reversed', '${txn}', 1, '2026-11-01', '{"who": "${NAME}"}', 'done', 1)`,
  quarantine: (_txn, mode) =>
    `insert into quarantine (mode, source, reason, raw, at) values ('${mode}', 's', 'r', 'line of ${ACCOUNT}', '2026-11-01')`,
  statement_rows: (txn, mode) =>
    `insert into statement_rows (mode, account, day, key, ordinal, amount_minor, narration, payer_name, payer_account, kind, file_id,
      line, seq, at) values ('${mode}', 'b:1', '2026-11-01', 'k${txn}', 1, 5, 'NIP/${NAME}', '${NAME}', '${ACCOUNT}', 'payment', 'f', 2, 2,
      '2026-11-01')`,
  request_log: (
    txn,
    mode,
  ) => `insert into request_log (business_id, mode, request_id, at, key_id, method, path, status, duration_ms, body, body_truncated)
    values ('biz_fixture', '${mode}', 'req_${txn}', '2026-11-01', 'k', 'POST', '/', 201, 1, '{"account_number":"${ACCOUNT}"}', false)`,
};

async function filled(mode: 'test' | 'live', state: string): Promise<string> {
  const buy = await stage.buy({ accountNumber: ACCOUNT, accountName: NAME });
  // The stage accepts only test mode, and a trigger prevents changes of a transaction's mode.
  await database.transaction(async (client) => {
    await client.query('alter table transactions disable trigger only_erasure');
    await client.query('update transactions set mode = $2 where id = $1', [buy.id, mode]);
    await client.query('alter table transactions enable trigger only_erasure');
  });
  await query(
    'update transaction_states set mode = $2, state = $3, due_at = null where transaction_id = $1',
    buy.id,
    mode,
    state,
  );
  for (const { table } of PERSONAL_PLACES)
    if (table !== 'transactions') await query(FILLED[table]!(buy.id, mode));
  return buy.id;
}

const isLeft = async (mode: string) => {
  const left: string[] = [];
  for (const { table, mode: sql } of PERSONAL_PLACES) {
    const { rows } = await query(`select to_jsonb(t)::text as row from ${table} t where ${sql} = $1`, mode);
    if (rows.some(({ row }) => String(row).includes(ACCOUNT) || String(row).includes(NAME))) left.push(table);
  }
  return left;
};

test('the export includes every place with personal data; the erasure leaves nothing in any of them, and can be repeated', async () => {
  await filled('test', 'completed');
  aheadMs = 2 * HOUR_MS;
  const before = await exportPerson(deps, person, 'test');
  assert.deepEqual(
    new Set(before.rows.map(({ place }) => place)),
    new Set(PERSONAL_PLACES.map(({ table }) => table)),
  );
  assert.ok(before.rows.every(({ kept }) => kept.kind !== 'open'));
  assert.equal(
    (await exportPerson(deps, { ...person, account: null }, 'test')).rows.length > 0,
    true,
    'by name alone',
  );
  const plan = await planErasure(deps, person, 'test');
  assert.ok(plan.ok);
  assert.deepEqual(plan.value.open, []);
  const done = await erasePerson(deps, plan.value);
  assert.ok(done.ok && done.value.outcome?.kind === 'done');
  assert.equal(done.value.erased, before.rows.length);
  assert.deepEqual(await isLeft('test'), []);
  const after = await exportPerson(deps, person, 'test');
  assert.ok(after.rows.length > 0 && after.rows.every(({ erased }) => erased), 'still found, by the hash');
  assert.ok(!JSON.stringify(after.rows).includes('h1:'), 'and a hash is not shown');
  const again = await planErasure(deps, person, 'test');
  assert.ok(again.ok && again.value.subjects.length === 0 && again.value.erasedBefore > 0);
  const { rows } = await query(`select detail::text from audit_log where action ~ 'privacy|person'`);
  assert.ok(
    rows.length >= 4 &&
      !rows.some(({ detail }) => String(detail).includes(ACCOUNT) || String(detail).includes(NAME)),
  );
  assert.equal((await verified(database)).finding, undefined);
});

test('in live mode another person approves the erasure with a step-up; open records are erased when they are finished', async () => {
  const [closed, open] = [await filled('live', 'refunded'), await filled('live', 'on_hold')];
  const plan = await planErasure(deps, person, 'live');
  assert.ok(plan.ok && plan.value.open.includes(open) && !plan.value.open.includes(closed));
  const asked = await erasePerson(deps, plan.value);
  assert.ok(asked.ok && asked.value.outcome?.kind === 'proposed' && asked.value.erased === null);
  const { id: proposalId } = asked.value.outcome.proposal;
  assert.ok((await isLeft('live')).includes('transactions'), 'nothing is erased yet');
  const { rows: proposals } = await query('select detail::text from proposals where id = $1', proposalId);
  assert.ok(!String(proposals[0]!.detail).includes(ACCOUNT));
  const alone = { proposalId, actor: MAKER, approve: true, reason: 'x', stepUp: null };
  assert.equal((await decideProposal(stage.deps, alone)).ok, false, 'not by the one who asked');
  const stepUp = await giveStepUp(database, {
    personId: CHECKER,
    subjectId: proposalId,
    atMs: stage.clock.now(),
  });
  assert.ok((await decideProposal(stage.deps, { ...alone, actor: CHECKER, stepUp })).ok);
  await eraseRequestedData(deps);
  const numberOf = async (id: string) =>
    String(
      (await query('select account_number from transactions where id = $1', id)).rows[0]!.account_number,
    );
  assert.match(await numberOf(closed), /^h1:/);
  assert.equal(await numberOf(open), ACCOUNT);
  await query(`update transaction_states set state = 'refunded' where transaction_id = $1`, open);
  aheadMs += 2 * HOUR_MS;
  await eraseRequestedData(deps);
  assert.deepEqual(await isLeft('live'), []);
});

test('a rotated key does not change a hash', () => {
  const rotated = makeSecretBox({ ...keys, keys: [{ id: 'two', bytes: randomBytes(32) }, keys.keys[0]] });
  assert.equal(makePersonalHash(rotated)('number', ACCOUNT), personalHash('number', ACCOUNT));
  const other = makeSecretBox({ ...keys, fingerprintKey: randomBytes(32) });
  assert.notEqual(makePersonalHash(other)('number', ACCOUNT), personalHash('number', ACCOUNT));
});

test('a person can be looked up by an account of ten digits or by a name, but erased only by the account', async () => {
  const codeOf = (given: object) => {
    const read = parsePersonQuery(stage.deps.banks, given);
    return read.ok ? 'ok' : read.error.code;
  };
  assert.deepEqual(
    [{}, { account: '123' }, { name: ' ' }, { account: ACCOUNT, bank: 'nowhere' }].map(codeOf),
    ['invalid', 'invalid', 'invalid', 'invalid'],
  );
  assert.equal(codeOf({ account: '077 7777-777', bank: 'GTBank' }), 'ok');
  const byName = await planErasure(deps, { account: null, bankCode: null, name: NAME }, 'test');
  assert.ok(!byName.ok && /share names/.test(byName.error.message));
});
