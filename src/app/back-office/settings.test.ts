// Tests the settings that need two people. One person proposes a change, and it is written in one database transaction with the
// decision of another person, and in no other way.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BUSINESS } from '../../../test/http/store-fixtures.ts';
import { until } from '../../../test/support/patience.ts';
import { agreeOnSetting, CHECKER, giveStepUp, MAKER } from '../../../test/support/people/reviewers.ts';
import { openReviewStage } from '../../../test/support/review-stage.ts';
import { makeBackOffice } from '../../adapters/postgres/back-office/back-office.ts';
import type { SettingRequest } from '../../domain/back-office/setting.ts';
import { decideProposal, withdrawProposal } from '../review/decide-proposal.ts';
import { listProposals } from '../review/list-proposals.ts';
import { changeSetting } from './change-setting.ts';
import { proposeSetting } from './propose-setting.ts';

const stage = await openReviewStage();
const { deps, database } = stage;
const backOffice = makeBackOffice(database);
const everything = { ...deps, database };
let numbers = 0;

const vendor = (changes: object = {}): SettingRequest => ({
  setting: 'vendor_added',
  vendor: {
    mode: 'live',
    name: 'Mine',
    number: String(++numbers).padStart(10, '7'),
    bank: 'Wema',
    ...changes,
  },
});
async function proposed(request: SettingRequest, actor = MAKER): Promise<string> {
  const asked = await changeSetting(deps, request, { actor });
  assert.ok(asked.ok, asked.ok ? '' : asked.error.message);
  assert.equal(asked.value.kind, 'proposed');
  return asked.value.kind === 'proposed' ? asked.value.proposal.id : '';
}
async function decide(proposalId: string, actor = CHECKER, approve = true) {
  const stepUp = await giveStepUp(database, {
    personId: actor,
    subjectId: proposalId,
    atMs: deps.clock.now(),
  });
  return decideProposal(deps, { proposalId, actor, approve, reason: 'looked at', stepUp });
}
const codeOf = (result: { ok: true } | { ok: false; error: { code: string } }) =>
  result.ok ? 'ok' : result.error.code;
const liveVendors = async () => (await backOffice.listVendors()).filter(({ mode }) => mode === 'live');
const logged = async (action: string) =>
  (
    await database.query<{ actor: string }>({
      text: 'select actor from audit_log where action = $1 order by no',
      values: [action],
    })
  ).rows;

test('threat 83: an insider alone cannot add a live vendor', async () => {
  const request = vendor();
  const id = await proposed(request);
  assert.equal(await proposed(request), id, 'pressed twice: the same proposal');
  assert.deepEqual(await liveVendors(), []);
  assert.equal(codeOf(await decide(id, MAKER)), 'same_person');
  assert.equal(codeOf(await decide(id, MAKER, false)), 'same_person');
  for (const actor of ['os:root', 'cli:obi', 'service:setup', 'key_1'])
    assert.equal(codeOf(await changeSetting(deps, request, { actor })), 'sign_in_needed');
  const alone = { proposalId: id, actor: CHECKER, approve: true, reason: 'looked at', stepUp: null };
  assert.equal(codeOf(await decideProposal(deps, alone)), 'step_up_needed');
  assert.deepEqual([await liveVendors(), await logged('vendor_added')], [[], []]);
  assert.equal(codeOf(await decide(id)), 'ok');
  assert.equal((await liveVendors()).length, 1);
  assert.deepEqual(await logged('vendor_added'), [{ actor: CHECKER }]);
  assert.equal(codeOf(await decide(id, 'per_eve')), 'already_decided');
});

test('threat 83: the database refuses a decision by the proposer, by strangers, and with a step-up that does not match', async () => {
  const id = await proposed(vendor());
  const other = await proposed(vendor());
  const atMs = deps.clock.now();
  const give = (personId: string, subjectId: string, at = atMs) =>
    giveStepUp(database, { personId, subjectId, atMs: at });
  const insert = (decidedBy: string, stepUp: { id: string; atMs: number } | null, changes: object = {}) => {
    const row = { proposalId: id, proposedBy: MAKER, approved: true, withdrawn: false, at: atMs, ...changes };
    return database.query({
      text: `insert into proposal_decisions (proposal_id, proposed_by, decided_by, approved, withdrawn, reason,
          step_up_id, step_up_at, at)
        values ($1, $2, $3, $4, $5, 'x', $6, to_timestamp($7::float8 / 1000), to_timestamp($8::float8 / 1000))`,
      values: [
        ...[row.proposalId, row.proposedBy, decidedBy, row.approved, row.withdrawn],
        ...[stepUp?.id ?? null, stepUp?.atMs ?? null, row.at],
      ],
    });
  };
  const fiveMinutes = 5 * 60_000;
  await assert.rejects(insert(MAKER, await give(MAKER, id)), /two_people/);
  await assert.rejects(insert(CHECKER, null), /approved_with_step_up/);
  await assert.rejects(insert('per_unknown', null, { approved: false }), /decided_by_a_person/);
  await assert.rejects(insert(CHECKER, await give('per_eve', id)), /own_step_up/, 'of another person');
  await assert.rejects(insert(CHECKER, await give(CHECKER, other)), /own_step_up/, 'for another proposal');
  const real = await give(CHECKER, id, atMs - fiveMinutes - 1);
  await assert.rejects(insert(CHECKER, real), /fresh_step_up/, 'older than five minutes');
  await assert.rejects(insert(CHECKER, { ...real, atMs }), /own_step_up/, 'dated anew');
  await assert.rejects(
    insert(CHECKER, await give(CHECKER, id, atMs + 1)),
    /fresh_step_up/,
    'from the future',
  );
  await assert.rejects(
    insert(CHECKER, null, { approved: false, withdrawn: true }),
    /withdrawn_by_its_author/,
  );
  await assert.rejects(insert(MAKER, await give(MAKER, id), { withdrawn: true }), /withdrawn_by_its_author/);
  const used = await give(CHECKER, id, atMs - fiveMinutes);
  await insert(CHECKER, used);
  await assert.rejects(insert(CHECKER, await give(CHECKER, id)), /proposal_decisions_pkey/);
  await assert.rejects(insert(CHECKER, used, { proposalId: other }), /step_up_once/);
});

test('a step-up that does not match is refused, and the error says what to do', async () => {
  const id = await proposed(vendor());
  const request = { proposalId: id, actor: CHECKER, approve: true, reason: 'looked at' };
  const atMs = deps.clock.now();
  const foreign = await giveStepUp(database, { personId: 'per_eve', subjectId: id, atMs });
  assert.equal(codeOf(await decideProposal(deps, { ...request, stepUp: foreign })), 'step_up_needed');
  const old = await giveStepUp(database, { personId: CHECKER, subjectId: id, atMs: atMs - 301_000 });
  assert.equal(codeOf(await decideProposal(deps, { ...request, stepUp: old })), 'step_up_old');
  const before = (await liveVendors()).length;
  assert.equal(codeOf(await decide(id)), 'ok');
  assert.equal((await liveVendors()).length, before + 1);
});

test('of two approvals at once only one is applied, and the vendor exists once', async () => {
  const before = (await liveVendors()).length;
  const id = await proposed(vendor());
  const answers = await Promise.all([decide(id), decide(id, 'per_eve'), decide(id, 'per_uche')]);
  assert.deepEqual(answers.map(codeOf).sort(), ['already_decided', 'already_decided', 'ok']);
  assert.equal((await liveVendors()).length, before + 1);
});

test('if the connection breaks in the middle, neither the decision nor the change is stored', async () => {
  const before = await liveVendors();
  const id = await proposed(vendor());
  const deciding = await database.transaction(async (client) => {
    await client.query('lock table proposal_decisions in share mode');
    const deciding = decide(id).then(
      () => 'answered',
      (error: Error) => error.constructor.name,
    );
    const waiting = `select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()
      and query like 'insert into proposal_decisions%'`;
    let pid: number | undefined;
    await until('the decision waits', async () => {
      pid = (await database.query<{ pid: number }>({ text: waiting })).rows[0]?.pid;
      return pid !== undefined;
    });
    await client.query('select pg_terminate_backend($1)', [pid]);
    return { answer: await deciding };
  });
  assert.equal(deciding.answer, 'StoreUnavailable');
  assert.deepEqual(await liveVendors(), before);
  assert.equal((await deps.settingDesk.findProposal(id))!.decision, null);
  assert.equal(codeOf(await decide(id)), 'ok', 'it is still open, and can be approved again');
});

test('a proposal whose setting has changed since then is shown as stale and refused, and only its author can withdraw it', async () => {
  const limit = (perDayMinor: bigint): SettingRequest => ({
    setting: 'limit_set',
    limit: { mode: 'live', businessId: BUSINESS, perDayMinor },
  });
  const [first, second] = [await proposed(limit(500n)), await proposed(limit(900n), 'per_eve')];
  assert.equal(codeOf(await decide(first)), 'ok');
  assert.equal(codeOf(await decide(second)), 'changed');
  const listed = (await listProposals(deps, 'live')).find(({ proposal }) => proposal.id === second)!;
  assert.deepEqual([listed.proposedByName, listed.kind], ['Eve', 'setting']);
  assert.match(listed.obstacle!, /has changed/);
  const withdraw = (actor: string) =>
    withdrawProposal(deps, { proposalId: second, actor, reason: 'too late' });
  assert.equal(codeOf(await withdraw(MAKER)), 'not_possible');
  assert.equal(codeOf(await withdraw('os:eve')), 'sign_in_needed');
  assert.equal(codeOf(await withdraw('per_eve')), 'ok');
  assert.equal(codeOf(await withdraw('per_eve')), 'already_decided');
  const late = await decide(second);
  assert.match(late.ok ? '' : late.error.message, /withdrawn by per_eve/);
  const { decision } = (await deps.settingDesk.findProposal(second))!;
  assert.deepEqual([decision!.withdrawn, decision!.approved], [true, false]);
  assert.deepEqual(await backOffice.listLimits(), [
    { mode: 'live', businessId: BUSINESS, perTransactionMinor: null, perDayMinor: 500n, perMonthMinor: null },
  ]);
});

test('a pause needs one person and takes effect at once; lifting it needs two people, and a newer pause makes the proposal stale', async () => {
  const pause = () =>
    changeSetting(deps, { setting: 'movements_paused', reason: 'odd' }, { actor: 'os:ops' });
  const resume: SettingRequest = { setting: 'movements_resumed', reason: 'looked at' };
  assert.equal(codeOf(await changeSetting(deps, resume, { actor: MAKER })), 'not_possible');
  assert.equal(codeOf(await pause()), 'ok');
  assert.equal(await backOffice.movementsPaused(), true);
  assert.deepEqual(
    { ...(await backOffice.lastPause()), atMs: 0 },
    { paused: true, actor: 'os:ops', reason: 'odd', atMs: 0 },
  );
  const stale = await proposed(resume);
  assert.equal(codeOf(await pause()), 'ok');
  assert.equal(codeOf(await decide(stale)), 'changed');
  assert.equal(await backOffice.movementsPaused(), true);
  assert.equal(codeOf(await decide(await proposed(resume))), 'ok');
  assert.deepEqual(
    [await backOffice.movementsPaused(), (await backOffice.lastPause())!.actor],
    [false, CHECKER],
  );
});

test('threat 49: removing the binding of a live network needs two people, and movements must be paused', async () => {
  await database.query({
    text: `insert into controls (name, value, updated_at) values ('network live Polygon', '"chain key"', now())`,
  });
  const forget = { setting: 'network_forgotten', mode: 'live', network: 'Polygon' } as const;
  const request: SettingRequest = { ...forget, identity: 'chain key' };
  const bound = async () =>
    (await database.query({ text: `select from controls where name = 'network live Polygon'` })).rowCount;
  assert.equal(codeOf(await changeSetting(deps, request, { actor: 'os:ops' })), 'sign_in_needed');
  const id = await proposed(request);
  assert.equal(codeOf(await decide(id)), 'not_possible', 'movements are not paused');
  assert.equal(await bound(), 1);
  await changeSetting(deps, { setting: 'movements_paused', reason: '' }, { actor: 'os:ops' });
  assert.equal(codeOf(await decide(id)), 'ok');
  assert.equal(await bound(), 0);
  assert.equal(
    codeOf(await proposeSetting(deps, { ...forget, identity: 'simulated' }, { actor: MAKER })),
    'not_possible',
  );
});

test('every other live setting needs two people, and the same setting in test mode needs one actor', async () => {
  const vendorId = (await liveVendors())[0]!.id;
  await database.query({
    text: `insert into freezes (business_id, mode, reason, at) values ($1, 'live', 'x', now()), ($1, 'test', 'x', now())`,
    values: [BUSINESS],
  });
  const fee = {
    ...{ businessId: null, product: 'buy', flatMinor: 1n, feeBps: 0, capMinor: null, fromMs: null },
  };
  const ofMode = (mode: 'live' | 'test'): SettingRequest[] => [
    { setting: 'fee_set', fee: { ...fee, product: 'buy', mode } },
    { setting: 'limit_set', limit: { mode, businessId: null, perDayMinor: 1n } },
    { setting: 'wallet_set', businessId: BUSINESS, mode, wallet: { network: 'Base', address: `0x${mode}` } },
    { setting: 'freeze_lifted', businessId: BUSINESS, mode, reason: 'x' },
  ];
  for (const request of ofMode('test')) {
    assert.equal(codeOf(await changeSetting(deps, request, { actor: 'os:ops' })), 'ok', request.setting);
    assert.equal(codeOf(await proposeSetting(deps, request, { actor: MAKER })) === 'ok', false);
  }
  for (const request of [...ofMode('live'), { setting: 'vendor_renamed', vendorId, name: 'Ours' } as const]) {
    assert.equal(codeOf(await changeSetting(deps, request, { actor: 'os:ops' })), 'sign_in_needed');
    assert.equal(codeOf(await agreeOnSetting(everything, request)), 'ok', request.setting);
  }
  assert.equal((await backOffice.defaultWallet(BUSINESS, 'live'))?.address, '0xlive');
  assert.deepEqual(await backOffice.listFreezes(), []);
  assert.equal((await liveVendors()).find(({ id }) => id === vendorId)!.name, 'Ours');
  // One person may stop things: freezing a business manually is a stop, and disabling a vendor is a stop, too.
  const freeze: SettingRequest = {
    setting: 'business_frozen',
    businessId: BUSINESS,
    mode: 'live',
    reason: 'x',
  };
  assert.equal(codeOf(await changeSetting(deps, freeze, { actor: 'os:ops' })), 'ok');
  assert.equal(codeOf(await changeSetting(deps, freeze, { actor: 'os:ops' })), 'not_possible');
  assert.equal((await backOffice.listFreezes())[0]?.reason, 'x');
  const unknown = { ...freeze, businessId: 'biz_none' };
  assert.equal(codeOf(await changeSetting(deps, unknown, { actor: 'os:ops' })), 'not_found');
  const off: SettingRequest = { setting: 'vendor_disabled', vendorId };
  assert.equal(codeOf(await changeSetting(deps, off, { actor: 'os:ops' })), 'ok');
  assert.equal((await liveVendors()).find(({ id }) => id === vendorId)!.active, false);
  const on: SettingRequest = { setting: 'vendor_enabled', vendorId };
  assert.equal(codeOf(await changeSetting(deps, on, { actor: 'os:ops' })), 'sign_in_needed');
  assert.equal(codeOf(await agreeOnSetting(everything, on)), 'ok');
});
