// Tests the export and the erasure of all data about one customer, in all places. Open records stay until they have ended, and
// in live mode two people decide.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { verified } from '../../../test/support/audit-stage.ts';
import { CHECKER, giveStepUp, MAKER } from '../../../test/support/people/reviewers.ts';
import { FILLED_PLACES, PERSON } from '../../../test/support/personal-rows.ts';
import { openReviewStage } from '../../../test/support/review-stage.ts';
import { makeAuditLog } from '../../adapters/postgres/audit/audit-log.ts';
import { STORED_VALUES } from '../../adapters/postgres/connection/erased-values.ts';
import { PERSONAL_PLACES } from '../../adapters/postgres/privacy/personal-places.ts';
import { makePrivacyStore } from '../../adapters/postgres/privacy/privacy-store.ts';
import { makeTravelRuleStore } from '../../adapters/postgres/travel-rule.ts';
import { makePersonalHash, makeSecretBox } from '../../adapters/secrets/secret-box.ts';
import { decideProposal } from '../review/decide-proposal.ts';
import { eraseDueData, eraseRequestedData } from './erase-due-data.ts';
import { erasePerson, planErasure } from './erase-person.ts';
import { exportPerson } from './export-person.ts';
import { parsePersonQuery } from './find-person.ts';

const { account: ACCOUNT, name: NAME } = PERSON;
const stage = await openReviewStage();
const { database } = stage;
const keys = { keys: [{ id: 'one', bytes: randomBytes(32) }], fingerprintKey: randomBytes(32) } as const;
const box = makeSecretBox(keys);
const personalHash = makePersonalHash(box);
const HOUR_MS = 3_600_000;
/** The time of the law in this test. */
const BY_LAW_MS = 100 * 24 * HOUR_MS;
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
    byLawMs: BY_LAW_MS,
    requestsKeepMs: 30 * 24 * HOUR_MS,
  },
  privacy: makePrivacyStore(database, personalHash),
  travelRule: makeTravelRuleStore(database),
  audit: makeAuditLog(database),
};
const query = (text: string, ...values: unknown[]) =>
  database.query<Record<string, unknown>>({ text, values, types: STORED_VALUES });
const person = { account: ACCOUNT, bankCode: null, name: NAME };

async function filled(mode: 'test' | 'live', state: string): Promise<string> {
  const buy = await stage.buy({ accountNumber: ACCOUNT, accountName: NAME });
  // The test stage accepts only test mode, and this trigger prevents a change of a transaction's mode.
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
  await query(
    `insert into credit_sources (mode, account, source, since) values ($1, 'unknown:9900000078', 'statements', '2026-11-01')
      on conflict do nothing`,
    mode,
  );
  for (const { table, onlyAsked } of PERSONAL_PLACES)
    if (table !== 'transactions' && (mode === 'test' || onlyAsked !== 'simulated'))
      await query(FILLED_PLACES[table]!(buy.id, mode));
  return buy.id;
}

/** The account, and the names in all spellings. */
const WORDS = new RegExp(`${ACCOUNT}|\\b(?:eze|ngozi)\\b`, 'i');

const isLeft = async (mode: string) => {
  const left: string[] = [];
  for (const { table, mode: sql } of PERSONAL_PLACES) {
    const { rows } = await query(`select to_jsonb(t)::text as row from ${table} t where ${sql} = $1`, mode);
    if (rows.some(({ row }) => WORDS.test(String(row)))) left.push(table);
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

test('in live mode another person approves; records that the law requires are erased by themselves when its time is over', async () => {
  const [closed, open] = [await filled('live', 'refunded'), await filled('live', 'on_hold')];
  const plan = await planErasure(deps, person, 'live');
  assert.ok(plan.ok && plan.value.open.includes(open) && !plan.value.open.includes(closed));
  const { erasable, kept, keptUntilMs } = plan.value;
  const atOnce = [
    'quarantine',
    'statement_rows',
    'statement_files',
    'request_log',
    'webhook_attempts',
    'rail_events',
  ];
  assert.deepEqual(Object.keys(erasable).sort(), atOnce.sort(), 'what the law does not require');
  assert.ok(
    kept.some(
      ({ place, untilMs }) => place === 'transactions' && untilMs > clock.now() + BY_LAW_MS - 3 * HOUR_MS,
    ),
  );
  assert.equal(keptUntilMs, Math.max(...kept.map(({ untilMs }) => untilMs)));
  const asked = await erasePerson(deps, plan.value);
  assert.ok(asked.ok && asked.value.outcome?.kind === 'proposed' && asked.value.erased === null);
  const { id: proposalId } = asked.value.outcome.proposal;
  assert.ok((await isLeft('live')).includes('transactions'), 'nothing is erased yet');
  const { rows: proposals } = await query('select detail::text from proposals where id = $1', proposalId);
  assert.ok(
    !WORDS.test(String(proposals[0]!.detail)) && String(proposals[0]!.detail).includes('keptUntilMs'),
  );
  const alone = { proposalId, actor: MAKER, approve: true, reason: 'x', stepUp: null };
  assert.equal((await decideProposal(stage.deps, alone)).ok, false, 'not by the one who asked');
  const stepUp = await giveStepUp(database, {
    personId: CHECKER,
    subjectId: proposalId,
    atMs: stage.clock.now(),
  });
  assert.ok((await decideProposal(stage.deps, { ...alone, actor: CHECKER, stepUp })).ok);
  await eraseRequestedData(deps);
  const rest = await isLeft('live');
  for (const place of ['quarantine', 'statement_files', 'request_log', 'webhook_attempts', 'rail_events'])
    assert.ok(!rest.includes(place), `${place} is erased at once`);
  const { rows: noCredit } = await query(
    `select narration from statement_rows where mode = 'live' and amount_minor < 0`,
  );
  assert.ok(
    noCredit.every(({ narration }) => String(narration).startsWith('h1:')),
    'a row of no credit',
  );
  for (const place of ['transactions', 'bank_credits', 'statement_rows', 'timeline', 'movements'])
    assert.ok(rest.includes(place), `${place} is kept by law`);
  const [request] = await deps.privacy.openRequests();
  assert.deepEqual(
    [request?.mode, request?.person, request?.keptUntilMs],
    ['live', plan.value.person, keptUntilMs],
  );
  const audited = await query(
    `select detail from audit_log where action = 'person_erased' order by no desc limit 1`,
  );
  assert.equal(
    (audited.rows[0]!.detail as { kept_until: string }).kept_until,
    new Date(keptUntilMs!).toISOString(),
    'the audit log has the date',
  );
  await laterErasure(closed, open);
});

/** The times that pass after the request, which is not repeated. */
async function laterErasure(closed: string, open: string): Promise<void> {
  const numberOf = async (id: string) =>
    String(
      (await query('select account_number from transactions where id = $1', id)).rows[0]!.account_number,
    );
  aheadMs += BY_LAW_MS - 4 * HOUR_MS;
  await eraseRequestedData(deps);
  await eraseDueData({ ...deps, keepMs: HOUR_MS });
  assert.equal(await numberOf(closed), ACCOUNT, 'neither a request nor the age erases it sooner');
  aheadMs += 8 * HOUR_MS;
  await eraseRequestedData(deps);
  assert.match(await numberOf(closed), /^h1:/);
  assert.equal(await numberOf(open), ACCOUNT, 'it is not over');
  await query(
    `update transaction_states set state = 'refunded', updated_at = to_timestamp($2::float8 / 1000) where transaction_id = $1`,
    open,
    clock.now(),
  );
  aheadMs += 2 * HOUR_MS;
  await eraseRequestedData(deps);
  assert.equal(await numberOf(open), ACCOUNT, 'its own time of the law begins with its end');
  aheadMs += BY_LAW_MS;
  await eraseRequestedData(deps);
  assert.deepEqual(await isLeft('live'), []);
  assert.deepEqual(await deps.privacy.openRequests(), []);
  assert.equal((await verified(database)).finding, undefined);
}

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
