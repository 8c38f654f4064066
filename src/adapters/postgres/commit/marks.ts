// What a change writes besides records: match decisions, use of limits, cases, freezes, reviewers' decisions and
// idempotency keys.
import { matchesIn } from '../../../domain/records/change.ts';
import type { Attempt } from '../../../domain/records/movement.ts';
import { FIRST_LOOK_MS } from '../../../ports/store/store.ts';
import { json, type Kind, kind, text, time, timed } from './kind.ts';

/** Of a case that is open; closed, it has the next one. */
const OPEN_VERSION = '1';

/** A rail answered for good. */
export function hasEnded({ rail, state }: Attempt): boolean {
  return rail !== null && (state === 'landed' || state === 'failed');
}

export const MARKS: readonly Kind[] = [
  kind({
    name: 'match',
    order: ['credit_id'],
    itemsOf: (change) => change.match && timed(matchesIn(change), change),
    columns: [
      ['credit_id', 'text', ({ item: m }) => m.creditId],
      ['version', 'int', ({ item: m }) => text(m.version)],
      ['transaction_id', 'text', ({ item: m }) => m.transactionId],
      ['rule_version', 'int', ({ item: m }) => text(m.ruleVersion)],
      ['verdict', 'jsonb', ({ item: m }) => json(m.verdict)],
      ['candidates', 'jsonb', ({ item: m }) => json(m.candidates)],
      ['actor', 'text', ({ item: m }) => m.actor],
      ['at_ms', 'float8', ({ atMs }) => text(atMs)],
    ],
    write: [
      `insert into match_decisions (credit_id, version, transaction_id, rule_version, verdict, candidates, actor, at)
      select x.credit_id, x.version, x.transaction_id, x.rule_version, x.verdict, x.candidates, x.actor, ${time('at_ms')}
      from x`,
    ],
  }),
  kind({
    name: 'quarantined',
    itemsOf: (change) => change.quarantine && timed([change.quarantine], change),
    columns: [
      ['mode', 'text', ({ item: q }) => q.mode],
      ['source', 'text', ({ item: q }) => q.source],
      ['reason', 'text', ({ item: q }) => q.reason],
      ['raw', 'text', ({ item: q }) => q.raw],
      ['at_ms', 'float8', ({ atMs }) => text(atMs)],
    ],
    write: [
      `insert into quarantine (mode, source, reason, raw, at)
      select x.mode, x.source, x.reason, x.raw, ${time('at_ms')} from x`,
    ],
  }),
  kind({
    name: 'usage',
    itemsOf: (change) => change.usage,
    columns: [
      ['business_id', 'text', (u) => u.businessId],
      ['mode', 'text', (u) => u.mode],
      ['period', 'text', (u) => u.period],
      ['amount_minor', 'bigint', (u) => text(u.amountMinor)],
      ['limit_minor', 'bigint', (u) => text(u.limitMinor)],
    ],
    write: [
      `insert into limit_usage as t (business_id, mode, period, used_minor, limit_minor)
      select x.business_id, x.mode, x.period, sum(x.amount_minor), min(x.limit_minor) from x
      group by x.business_id, x.mode, x.period order by x.business_id, x.mode, x.period
      on conflict (business_id, mode, period) do update
        set used_minor = t.used_minor + excluded.used_minor, limit_minor = excluded.limit_minor`,
    ],
  }),
  kind({
    name: 'case',
    itemsOf: (change) => change.openCase && timed([change.openCase], change),
    columns: [
      ['id', 'text', ({ item: c }) => c.id],
      ['kind', 'text', ({ item: c }) => c.kind],
      ['mode', 'text', ({ item: c }) => c.mode],
      ['business_id', 'text', ({ item: c }) => c.businessId],
      ['transaction_id', 'text', ({ item: c }) => c.transactionId],
      ['credit_id', 'text', ({ item: c }) => c.creditId],
      ['movement_id', 'text', ({ item: c }) => c.movementId ?? null],
      ['about', 'text', ({ item: c }) => c.about ?? null],
      ['amount_minor', 'bigint', ({ item: c }) => text(c.amountMinor)],
      ['at_ms', 'float8', ({ atMs }) => text(atMs)],
    ],
    write: [
      `insert into cases (id, kind, mode, business_id, transaction_id, credit_id, movement_id, about, amount_minor, opened_at)
      select x.id, x.kind, x.mode, x.business_id, x.transaction_id, x.credit_id, x.movement_id, x.about, x.amount_minor,
        ${time('at_ms')} from x`,
    ],
  }),
  kind({
    name: 'closing',
    fence: { table: 'cases', key: 'id' },
    itemsOf: (change) => timed(change.closeCases, change),
    columns: [
      ['id', 'text', ({ item: c }) => c.id],
      ['version', 'int', () => OPEN_VERSION],
      ['outcome', 'text', ({ item: c }) => c.outcome],
      ['closed_by', 'text', ({ item: c }) => c.closedBy],
      ['at_ms', 'float8', ({ atMs }) => text(atMs)],
    ],
    write: [
      `update cases t set version = x.version + 1, outcome = x.outcome, closed_by = x.closed_by, closed_at = ${time('at_ms')}
      from x where t.id = x.id`,
    ],
  }),
  kind({
    name: 'ended',
    order: ['movement_id', 'no'],
    // An attempt at a rail that ended is asked about again: in the same commit, so that none is forgotten.
    itemsOf: (change) => change.attempts?.filter(hasEnded),
    columns: [
      ['movement_id', 'text', (a) => a.movementId],
      ['no', 'int', (a) => text(a.no)],
      ['mode', 'text', (a) => a.mode],
      ['rail', 'text', (a) => a.rail],
      ['reference', 'text', (a) => a.reference],
      ['paid', 'boolean', (a) => text(a.state === 'landed')],
      ['ended_ms', 'float8', (a) => text(a.updatedAtMs)],
      ['due_ms', 'float8', (a) => text(a.updatedAtMs + FIRST_LOOK_MS)],
    ],
    write: [
      `insert into ended_payouts (movement_id, no, mode, rail, reference, paid, ended_at, due_at)
      select x.movement_id, x.no, x.mode, x.rail, x.reference, x.paid, ${time('ended_ms')}, ${time('due_ms')} from x
      on conflict do nothing`,
    ],
  }),
  kind({
    name: 'freeze',
    itemsOf: (change) => change.freeze && timed([change.freeze], change),
    columns: [
      ['business_id', 'text', ({ item: f }) => f.businessId],
      ['mode', 'text', ({ item: f }) => f.mode],
      ['reason', 'text', ({ item: f }) => f.reason],
      ['at_ms', 'float8', ({ atMs }) => text(atMs)],
    ],
    write: [
      `insert into freezes (business_id, mode, reason, at)
      select distinct on (x.business_id, x.mode) x.business_id, x.mode, x.reason, ${time('at_ms')} from x
      on conflict do nothing`,
    ],
  }),
  // A rail is doubted since the first word that it broke; the newest one is named, so that who trusts it again has seen that one.
  kind({
    name: 'doubt',
    order: ['mode', 'rail'],
    itemsOf: (change) => change.doubt && [change.doubt],
    columns: [
      ['mode', 'text', (d) => d.mode],
      ['rail', 'text', (d) => d.rail],
      ['movement_id', 'text', (d) => d.movementId],
      ['at_ms', 'float8', (d) => text(d.atMs)],
    ],
    write: [
      `insert into rail_doubts (mode, rail, movement_id, since)
      select distinct on (x.mode, x.rail) x.mode, x.rail, x.movement_id, ${time('at_ms')} from x
      order by x.mode, x.rail, x.at_ms desc, x.movement_id desc
      on conflict (mode, rail) do update set movement_id = excluded.movement_id`,
    ],
  }),
  kind({
    name: 'decision',
    order: ['proposal_id'],
    itemsOf: (change) => change.decision && timed([change.decision], change),
    columns: [
      ['proposal_id', 'text', ({ item: d }) => d.proposalId],
      ['proposed_by', 'text', ({ item: d }) => d.proposedBy],
      ['decided_by', 'text', ({ item: d }) => d.decidedBy],
      ['approved', 'boolean', ({ item: d }) => text(d.approved)],
      ['reason', 'text', ({ item: d }) => d.reason],
      ['step_up_id', 'text', ({ item: d }) => d.stepUp?.id ?? null],
      ['step_up_ms', 'float8', ({ item: d }) => text(d.stepUp?.atMs)],
      ['at_ms', 'float8', ({ atMs }) => text(atMs)],
    ],
    write: [
      `insert into proposal_decisions
        (proposal_id, proposed_by, decided_by, approved, reason, step_up_id, step_up_at, at)
      select x.proposal_id, x.proposed_by, x.decided_by, x.approved, x.reason, x.step_up_id, ${time('step_up_ms')},
        ${time('at_ms')} from x`,
    ],
  }),
  kind({
    name: 'acceptance',
    once: { table: 'outflow_acceptances', by: ['mode', 'network', 'tx_hash'] },
    itemsOf: ({ resume, decision, atMs }) =>
      resume?.accepted.map((each) => ({
        ...each,
        mode: resume.mode,
        proposalId: decision!.proposalId,
        atMs,
      })),
    columns: [
      ['mode', 'text', (a) => a.mode],
      ['network', 'text', (a) => a.network],
      ['tx_hash', 'text', (a) => a.txHash],
      ['proposal_id', 'text', (a) => a.proposalId],
      ['at_ms', 'float8', (a) => text(a.atMs)],
    ],
    write: [
      `insert into outflow_acceptances (mode, network, tx_hash, proposal_id, at)
      select x.mode, x.network, x.tx_hash, x.proposal_id, ${time('at_ms')} from x`,
    ],
  }),
  kind({
    name: 'resume',
    order: ['mode', 'asset'],
    itemsOf: ({ resume }) => resume && [resume],
    columns: [
      ['mode', 'text', (r) => r.mode],
      ['asset', 'text', (r) => r.asset],
      ['accepted', 'jsonb', (r) => json(r.accepted.map(({ network, txHash }) => `${network} ${txHash}`))],
    ],
    // An open finding that the approved proposal does not list keeps the asset halted.
    write: [
      `delete from halts h using x where h.mode = x.mode and h.asset = x.asset and not exists (
        select from outflow_findings f where f.mode = x.mode and f.asset = x.asset
          and not x.accepted ? (f.network || ' ' || f.tx_hash) and not exists (
            select from outflow_acceptances a
            where a.mode = f.mode and a.network = f.network and a.tx_hash = f.tx_hash))`,
    ],
  }),
  kind({
    name: 'key',
    order: ['business_id', 'mode', 'key'],
    itemsOf: (change) => change.idempotency && timed([change.idempotency], change),
    columns: [
      ['business_id', 'text', ({ item: k }) => k.businessId],
      ['mode', 'text', ({ item: k }) => k.mode],
      ['key', 'text', ({ item: k }) => k.key],
      ['request_hash', 'text', ({ item: k }) => k.requestHash],
      ['transaction_id', 'text', ({ item: k }) => k.transactionId],
      ['at_ms', 'float8', ({ atMs }) => text(atMs)],
    ],
    write: [
      `insert into idempotency_keys (business_id, mode, key, request_hash, transaction_id, created_at)
      select x.business_id, x.mode, x.key, x.request_hash, x.transaction_id, ${time('at_ms')} from x`,
    ],
  }),
];
