// The rows that a change writes in addition to records: match decisions, use of limits, cases, freezes, reviewers' decisions,
// idempotency keys and set-ups of treasuries.
import { listMatches } from '../../../domain/records/change.ts';
import type { Attempt } from '../../../domain/records/movement.ts';
import { FIRST_LOOK_MS } from '../../../ports/store/store.ts';
import {
  all,
  bigintColumn,
  flag,
  int,
  json as jsonb,
  ms,
  plainColumn,
  written,
} from '../connection/record-columns.ts';
import {
  type CommitPart,
  defineCommitPart,
  jsonOrNull,
  textOrNull,
  timestampSql,
  withChangeTime,
} from './commit-part.ts';

/** The version of an open case. A closed case has the next version. */
const OPEN_VERSION = '1';

export function hasFinalAnswer({ rail, state }: Attempt): boolean {
  return rail !== null && (state === 'landed' || state === 'failed');
}

export const SIDE_ROWS: readonly CommitPart[] = [
  defineCommitPart((change) => change.match && withChangeTime(listMatches(change), change))({
    name: 'match',
    order: ['credit_id'],
    columns: written({
      ...all(plainColumn, 'creditId', 'transactionId', 'actor'),
      ...{ ...all(int, 'version', 'ruleVersion'), verdict: jsonb, candidates: jsonb, atMs: ms },
    }),
    into: 'match_decisions',
  }),
  defineCommitPart((change) => change.quarantine && withChangeTime([change.quarantine], change))({
    name: 'quarantined',
    columns: written({ ...all(plainColumn, 'mode', 'source', 'reason', 'raw'), atMs: ms }),
    into: 'quarantine',
  }),
  defineCommitPart((change) => change.usage)({
    name: 'usage',
    columns: written({
      ...all(plainColumn, 'businessId', 'mode', 'period'),
      ...all(bigintColumn, 'amountMinor', 'limitMinor'),
    }),
    write: [
      `insert into limit_usage as t (business_id, mode, period, used_minor, limit_minor)
      select x.business_id, x.mode, x.period, sum(x.amount_minor), min(x.limit_minor) from x
      group by x.business_id, x.mode, x.period order by x.business_id, x.mode, x.period
      on conflict (business_id, mode, period) do update
        set used_minor = t.used_minor + excluded.used_minor, limit_minor = excluded.limit_minor`,
    ],
  }),
  defineCommitPart((change) => change.openCase && withChangeTime([change.openCase], change))({
    name: 'case',
    columns: [
      ...written(all(plainColumn, 'id', 'kind', 'mode', 'businessId', 'transactionId', 'creditId')),
      ['movement_id', 'text', (c) => c.movementId ?? null],
      ['about', 'text', (c) => c.about ?? null],
      ['amount_minor', 'bigint', (c) => textOrNull(c.amountMinor)],
      ['opened_at_ms', 'float8', (c) => textOrNull(c.atMs)],
    ],
    into: 'cases',
  }),
  defineCommitPart((change) => withChangeTime(change.closeCases, change))({
    name: 'closing',
    fence: { table: 'cases', key: 'id' },
    columns: [
      ...written(all(plainColumn, 'id', 'outcome', 'closedBy')),
      ['version', 'int', () => OPEN_VERSION],
      ['closed_at_ms', 'float8', (c) => textOrNull(c.atMs)],
    ],
  }),
  defineCommitPart((change) => change.attempts?.filter(hasFinalAnswer))({
    name: 'ended',
    order: ['movement_id', 'no'],
    // The service queries the rail again about an attempt that ended. This commit schedules the query, so no ended attempt is
    // missed.
    columns: [
      ...written({ ...all(plainColumn, 'movementId', 'mode', 'rail', 'reference'), no: int }),
      ['paid', 'boolean', (a) => textOrNull(a.state === 'landed')],
      ['ended_at_ms', 'float8', (a) => textOrNull(a.updatedAtMs)],
      ['due_at_ms', 'float8', (a) => textOrNull(a.updatedAtMs + FIRST_LOOK_MS)],
    ],
    into: 'ended_payouts',
    onConflict: 'do nothing',
  }),
  defineCommitPart((change) => change.freeze && withChangeTime([change.freeze], change))({
    name: 'freeze',
    columns: written({ ...all(plainColumn, 'businessId', 'mode', 'reason'), atMs: ms }),
    write: [
      `insert into freezes (business_id, mode, reason, at)
      select distinct on (x.business_id, x.mode) x.business_id, x.mode, x.reason, ${timestampSql('at_ms')} from x
      on conflict do nothing`,
    ],
  }),
  // The doubt about a rail starts when the rail first pays a payout that it had refused. The stored payout is the newest such
  // payout, so that a person who trusts the rail again has seen it.
  defineCommitPart((change) => change.doubt && [change.doubt])({
    name: 'doubt',
    order: ['mode', 'rail'],
    columns: written({ ...all(plainColumn, 'mode', 'rail', 'movementId'), atMs: ms }),
    write: [
      `insert into rail_doubts (mode, rail, movement_id, since)
      select distinct on (x.mode, x.rail) x.mode, x.rail, x.movement_id, ${timestampSql('at_ms')} from x
      order by x.mode, x.rail, x.at_ms desc, x.movement_id desc
      on conflict (mode, rail) do update set movement_id = excluded.movement_id`,
    ],
  }),
  defineCommitPart((change) => change.decision && withChangeTime([change.decision], change))({
    name: 'decision',
    order: ['proposal_id'],
    columns: [
      ...written({
        ...all(plainColumn, 'proposalId', 'proposedBy', 'decidedBy', 'reason'),
        approved: flag,
        atMs: ms,
      }),
      ['step_up_id', 'text', (d) => d.stepUp?.id ?? null],
      ['step_up_at_ms', 'float8', (d) => textOrNull(d.stepUp?.atMs)],
    ],
    into: 'proposal_decisions',
  }),
  defineCommitPart(({ resume, decision, atMs }) =>
    resume?.accepted.map((each) => ({
      ...each,
      mode: resume.mode,
      proposalId: decision!.proposalId,
      atMs,
    })),
  )({
    name: 'acceptance',
    once: { table: 'outflow_acceptances', by: ['mode', 'network', 'tx_hash'] },
    columns: written({ ...all(plainColumn, 'mode', 'network', 'txHash', 'proposalId'), atMs: ms }),
  }),
  defineCommitPart(({ resume }) => resume && [resume])({
    name: 'resume',
    order: ['mode', 'asset'],
    columns: [
      ...written(all(plainColumn, 'mode', 'asset')),
      [
        'accepted',
        'jsonb',
        (r) => jsonOrNull(r.accepted.map(({ network, txHash }) => `${network} ${txHash}`)),
      ],
    ],
    // If an open finding is not in the approved proposal, the asset stays halted.
    write: [
      `delete from halts h using x where h.mode = x.mode and h.asset = x.asset and not exists (
        select from outflow_findings f where f.mode = x.mode and f.asset = x.asset
          and not x.accepted ? (f.network || ' ' || f.tx_hash) and not exists (
            select from outflow_acceptances a
            where a.mode = f.mode and a.network = f.network and a.tx_hash = f.tx_hash))`,
    ],
  }),
  defineCommitPart((change) => change.idempotency && withChangeTime([change.idempotency], change))({
    name: 'key',
    order: ['business_id', 'mode', 'key'],
    columns: [
      ...written(all(plainColumn, 'businessId', 'mode', 'key', 'requestHash', 'transactionId')),
      ['created_at_ms', 'float8', (k) => textOrNull(k.atMs)],
    ],
    into: 'idempotency_keys',
  }),
];

// Stores signed set-up transactions of treasuries and their outcome. Each is recorded once, by its hash.

const BY_HASH = ['mode', 'network', 'hash'];

export const SET_UPS: readonly CommitPart[] = [
  defineCommitPart((change) => change.setUps)({
    name: 'set_up',
    once: { table: 'set_ups', by: BY_HASH },
    columns: [
      ...written(
        all(plainColumn, 'mode', 'network', 'hash', 'source', 'sequence', 'payload', 'bound', 'what'),
      ),
      ['at_ms', 'float8', (s) => textOrNull(s.signedAtMs)],
    ],
  }),
  defineCommitPart((change) => withChangeTime(change.setUpEnds, change))({
    name: 'set_up_end',
    once: { table: 'set_up_ends', by: BY_HASH },
    columns: written({ ...all(plainColumn, 'mode', 'network', 'hash', 'outcome'), atMs: ms }),
  }),
];
