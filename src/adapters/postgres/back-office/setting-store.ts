// Stores settings in PostgreSQL. A decision and the change that it allows are one database transaction. First the decision is
// written, and the constraints of its table check who decides (migrations/0011_decisions.sql). Then rows are locked and
// compared with the values that the proposal was based on. Last, the change and its audit log entry are written.
import {
  isUnchangedSinceProposal,
  type SettingProposal,
  type SettingRequest,
  settingSubject,
} from '../../../domain/back-office/setting.ts';
import { MODES } from '../../../domain/values/mode.ts';
import type { AuditStamp } from '../../../ports/back-office.ts';
import type {
  DecisionOutcome,
  JudgedRequest,
  SettingDecision,
  SettingStore,
  SettingWrite,
  WriteOutcome,
} from '../../../ports/setting-store.ts';
import { ruleOfConstraint } from '../commit/commit-part.ts';
import { type Database, sqlState } from '../connection/database.ts';
import type { AnyRow } from '../reads/settlement-rows.ts';
import { SETTING_PROPOSALS, settingDetail } from '../review/setting-rows.ts';
import { applySetting, databaseInTransaction, readSettingBefore } from './setting-writes.ts';

const OPEN = 'd.proposal_id is null';
const DEADLOCK = '40P01';
const MAX_RETRIES = 3;

export function makeSettingStore(database: Database): SettingStore {
  const proposals = async (name: string, where: string, values: unknown[]) => {
    const text = `${SETTING_PROPOSALS.select} where p.kind = 'setting' and ${where} order by p.id`;
    const { rows } = await database.query<AnyRow>({ name, text, values });
    return rows.map(SETTING_PROPOSALS.read);
  };
  return {
    before: (request) => readSettingBefore(database, request),
    apply: (write, doing, judged) =>
      judged === undefined
        ? applySetting(database, write, doing)
        : applyJudged(database, write, doing, judged),
    addProposal: (proposal) => addProposal(database, proposal),
    findProposal: async (id) => (await proposals('find-setting', 'p.id = $1', [id]))[0],
    listOpenProposals: (mode) =>
      proposals('open-settings', `${OPEN} and p.mode = any ($1::text[])`, [
        mode === undefined ? MODES : [mode],
      ]),
    proposalsOn: (subjectId) => proposals('settings-on', 'p.subject_id = $1', [subjectId]),
    decide: (proposal, decision, write) => decide(database, proposal, decision, write),
  };
}

/**
 * If two people set a price at the same moment, the service checks the second request again, against the price of the first.
 */
function applyJudged(
  database: Database,
  write: SettingWrite,
  doing: AuditStamp,
  { request, before }: JudgedRequest,
): Promise<WriteOutcome | 'changed'> {
  return database.transaction(async (client) => {
    const inside = databaseInTransaction(client);
    await lockSubject(inside, request);
    if ((await readSettingBefore(inside, request)) !== before) return 'changed';
    return applySetting(inside, write, doing);
  });
}

/**
 * Makes requests for the same subject run one after the other. The lock is on the subject, because fees and prices are only
 * added and have no row to lock.
 */
async function lockSubject(inside: Database, request: SettingRequest): Promise<void> {
  await inside.query({
    text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))',
    values: [`sliproad setting ${settingSubject(request)}`],
  });
}

async function addProposal(database: Database, proposal: SettingProposal): Promise<void> {
  const { id, mode, request, proposedBy, proposedAtMs } = proposal;
  await database.query({
    name: 'add-setting-proposal',
    text: `insert into proposals (id, kind, mode, action, subject_id, detail, proposed_by, proposed_at)
      values ($1, 'setting', $2, $3, $4, $5::jsonb, $6, to_timestamp($7::float8 / 1000))`,
    values: [
      ...[id, mode, request.setting, settingSubject(request), settingDetail(proposal)],
      ...[proposedBy, proposedAtMs],
    ],
  });
}

/** This error rolls back the transaction of a decision, so nothing is written. */
class Undone extends Error {
  readonly outcome: DecisionOutcome;
  constructor(outcome: DecisionOutcome) {
    super(outcome.kind);
    this.outcome = outcome;
  }
}

async function decide(
  database: Database,
  proposal: SettingProposal,
  decision: SettingDecision,
  write: SettingWrite | null,
  retries = 0,
): Promise<DecisionOutcome> {
  try {
    await database.transaction(async (client) => {
      const inside = databaseInTransaction(client);
      // The decision comes first, because it locks the rights of both people. The audit log entry of the change is written
      // later and locks the head of the log.
      await addDecision(inside, proposal, decision);
      if (write !== null) await change(inside, proposal, decision, write);
    });
    return { kind: 'decided' };
  } catch (error) {
    if (error instanceof Undone) return error.outcome;
    const state = sqlState(error) ?? '';
    if (state === DEADLOCK && retries < MAX_RETRIES)
      return decide(database, proposal, decision, write, retries + 1);
    if (!state.startsWith('23')) throw error;
    const { constraint = state } = error as { constraint?: string };
    return { kind: 'refused', rule: ruleOfConstraint(constraint), constraint };
  }
}

async function change(
  inside: Database,
  proposal: SettingProposal,
  { decidedBy, atMs }: SettingDecision,
  write: SettingWrite,
): Promise<void> {
  const { request, before, proposedBy } = proposal;
  await lockSubject(inside, request);
  if (!isUnchangedSinceProposal(request, before, await readSettingBefore(inside, request)))
    throw new Undone({ kind: 'changed' });
  const why: WriteOutcome = await applySetting(inside, write, { actor: decidedBy, atMs, proposedBy });
  if (why !== 'done') throw new Undone({ kind: 'not_possible', why });
}

async function addDecision(
  inside: Database,
  { id, proposedBy }: SettingProposal,
  { decidedBy, approved, reason, stepUp, atMs }: SettingDecision,
): Promise<void> {
  const time = (parameter: string) => `to_timestamp(${parameter}::float8 / 1000)`;
  await inside.query({
    text: `insert into proposal_decisions
        (proposal_id, proposed_by, decided_by, approved, reason, step_up_id, step_up_at, at)
      values ($1, $2, $3, $4, $5, $6, ${time('$7')}, ${time('$8')})`,
    values: [id, proposedBy, decidedBy, approved, reason, stepUp?.id ?? null, stepUp?.atMs ?? null, atMs],
  });
}
