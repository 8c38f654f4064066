// Writes what a change stores besides records: idempotency keys, decisions of people, freezes, cases, limit usage, quarantined
// lines and match decisions.
import { hasFinalAnswer } from '../../../src/adapters/postgres/commit/side-rows.ts';
import { STEP_UP_VALID_MS } from '../../../src/domain/people/people-needed.ts';
import { type LimitUsage, listMatches, type MatchRecord } from '../../../src/domain/records/change.ts';
import { formatLedgerAccount, type NairaMove } from '../../../src/domain/records/naira-move.ts';
import { FIRST_LOOK_MS } from '../../../src/ports/store/store.ts';
import { pushNoted, setNoted, type Write } from './journal.ts';
import { joined } from './tables.ts';

export const writeKey: Write = ({ idempotencyKeys }, changes, journal) => {
  for (const { idempotency, atMs } of changes) {
    if (idempotency === undefined) continue;
    const name = joined(idempotency.businessId, idempotency.mode, idempotency.key);
    if (idempotencyKeys.has(name)) return 'idempotency_keys_pkey';
    setNoted(journal, idempotencyKeys, name, { ...idempotency, createdAtMs: atMs });
  }
  return null;
};

export const writeDecision: Write = ({ proposals, decisions, usedStepUps }, changes, journal) => {
  for (const { decision, atMs } of changes) {
    if (decision === undefined) continue;
    const { proposalId, proposedBy, decidedBy, approved, reason, stepUp } = decision;
    // PostgreSQL checks a row's constraints in the order of their names, then its unique indexes.
    if (approved && stepUp === null) return 'approved_with_step_up';
    if (stepUp !== null && (atMs < stepUp.atMs || atMs > stepUp.atMs + STEP_UP_VALID_MS))
      return 'fresh_step_up';
    if (decidedBy === proposedBy) return 'two_people';
    if (decidedBy.toLowerCase() === proposedBy.toLowerCase()) return 'two_people_however_spelled';
    if (decisions.has(proposalId)) return 'proposal_decisions_pkey';
    if (stepUp !== null && usedStepUps.has(stepUp.id)) return 'step_up_once';
    setNoted(journal, decisions, proposalId, proposedBy);
    if (stepUp !== null) setNoted(journal, usedStepUps, stepUp.id, proposalId);
    const proposal = proposals.get(proposalId);
    if (proposal !== undefined)
      setNoted(journal, proposals, proposalId, {
        ...proposal,
        decision: { decidedBy, approved, withdrawn: false, reason, atMs },
      });
  }
  return null;
};

/** Finds a decision without its proposal, person or step-up, after everything is written. */
export const isUndecidable: Write = ({ proposals, people, stepUps }, changes) => {
  for (const { decision } of changes) {
    if (decision === undefined) continue;
    const { proposalId, proposedBy, decidedBy, stepUp } = decision;
    if (proposals.get(proposalId)?.proposedBy !== proposedBy)
      return 'proposal_decisions_proposal_id_proposed_by_fkey';
    if (!people.has(decidedBy)) return 'decided_by_a_person';
    if (stepUp === null) continue;
    const given = stepUps.get(stepUp.id);
    const own = given?.subjectId === proposalId && given.personId === decidedBy && given.atMs === stepUp.atMs;
    if (!own) return 'own_step_up';
  }
  return null;
};

export const writeFreeze: Write = ({ freezes }, changes, journal) => {
  for (const { freeze, atMs } of changes) {
    if (freeze === undefined) continue;
    const name = joined(freeze.businessId, freeze.mode);
    if (!freezes.has(name)) setNoted(journal, freezes, name, { ...freeze, atMs });
  }
  return null;
};

export const writeDoubt: Write = ({ doubts }, changes, journal) => {
  const newest = changes
    .flatMap(({ doubt }) => doubt ?? [])
    .toSorted((a, b) => a.atMs - b.atMs || (a.movementId < b.movementId ? -1 : 1));
  const known = new Map(doubts);
  for (const doubt of newest) {
    const name = joined(doubt.rail, doubt.mode);
    const { atMs } = known.get(name) ?? doubt;
    setNoted(journal, doubts, name, { ...doubt, atMs });
  }
  return null;
};

export const writeCase: Write = ({ cases, closedCases, returns }, changes, journal) => {
  for (const { openCase, atMs } of changes) {
    if (openCase === undefined) continue;
    if (cases.has(openCase.id) || closedCases.has(openCase.id)) return 'cases_pkey';
    const { movementId, kind } = openCase;
    if (movementId !== undefined) {
      if (returns.has(joined(movementId, kind))) return 'cases_one_return';
      setNoted(journal, returns, joined(movementId, kind), openCase.id);
    }
    const about = openCase.about === undefined ? null : joined('about', openCase.mode, kind, openCase.about);
    if (about !== null && returns.has(about)) return 'cases_once_about';
    if (about !== null) setNoted(journal, returns, about, openCase.id);
    setNoted(journal, cases, openCase.id, { ...openCase, openedAtMs: atMs });
  }
  return null;
};

/** The statement has already checked that these cases are open. */
export const closeCases: Write = ({ cases, closedCases }, changes, journal) => {
  for (const { closeCases: closed, atMs } of changes) {
    for (const { id, outcome } of closed ?? []) {
      const open = cases.get(id);
      if (open === undefined) continue;
      setNoted(journal, cases, id, undefined);
      setNoted(journal, closedCases, id, { ...open, outcome, closedAtMs: atMs });
    }
  }
  return null;
};

/** Adds ended attempts to the list of attempts about which the service queries the rail again. */
export const writeEnded: Write = ({ endedPayouts }, changes, journal) => {
  for (const change of changes) {
    for (const { movementId, no, mode, rail, reference, state, updatedAtMs } of (
      change.attempts ?? []
    ).filter(hasFinalAnswer)) {
      const name = joined(movementId, no);
      if (endedPayouts.has(name)) continue;
      const paid = state === 'landed';
      setNoted(journal, endedPayouts, name, {
        ...{ movementId, no, mode, rail: rail!, reference, paid, endedAtMs: updatedAtMs },
        ...{ looks: 0, said: null, version: 1, dueAtMs: updatedAtMs + FIRST_LOOK_MS },
      });
    }
  }
  return null;
};

/** The model adds up the amounts of all changes of a statement and applies the smallest limit that any of them names. */
export const writeUsage: Write = ({ usage }, changes, journal) => {
  const uses = new Map<string, LimitUsage>();
  for (const change of changes) {
    for (const each of change.usage ?? []) {
      const name = joined(each.businessId, each.mode, each.period);
      const other = uses.get(name);
      uses.set(name, other === undefined ? each : together(other, each));
    }
  }
  for (const [name, { amountMinor, limitMinor, businessId, mode, period }] of [...uses].sort(byName)) {
    // Checks the row as if it were the first row of its period, and then again with the earlier usage.
    const before = usage.get(name)?.usedMinor;
    for (const usedMinor of before === undefined ? [amountMinor] : [amountMinor, before + amountMinor]) {
      if (usedMinor < 0n) return 'limit_usage_used_minor_check';
      if (usedMinor > limitMinor) return 'limit_usage_within';
    }
    const usedMinor = (before ?? 0n) + amountMinor;
    setNoted(journal, usage, name, { businessId, mode, period, usedMinor, limitMinor });
  }
  return null;
};

function byName([a]: readonly [string, LimitUsage], [b]: readonly [string, LimitUsage]): number {
  return a < b ? -1 : 1;
}

function together(a: LimitUsage, b: LimitUsage): LimitUsage {
  const limitMinor = a.limitMinor < b.limitMinor ? a.limitMinor : b.limitMinor;
  return { ...a, amountMinor: a.amountMinor + b.amountMinor, limitMinor };
}

/** A naira move is unique by its statement line. */
export const lineOf = ({ mode, kind, charge, account, reference }: NairaMove) =>
  joined('naira', mode, kind, charge ?? '', formatLedgerAccount(account), reference);

export const writeNairaMove: Write = ({ nairaMoves, sources }, changes, journal) => {
  const moves = changes.flatMap(({ nairaMove }) => nairaMove ?? []);
  for (const move of moves.toSorted((a, b) => (lineOf(a) < lineOf(b) ? -1 : 1))) {
    if (move.nairaMinor <= 0n) return 'naira_moves_amount_minor_check';
    if (nairaMoves.has(move.id)) return 'naira_moves_pkey';
    if (sources.has(lineOf(move))) return 'naira_moves_once';
    setNoted(journal, sources, lineOf(move), move.id);
    setNoted(journal, nairaMoves, move.id, move);
  }
  return null;
};

export const writeQuarantine: Write = ({ quarantine, drawn }, changes, journal) => {
  for (const { quarantine: line, atMs } of changes) {
    if (line === undefined) continue;
    pushNoted(journal, quarantine, { id: String(++drawn.quarantine), ...line, atMs });
  }
  return null;
};

export const writeMatch: Write = ({ matches }, changes, journal) => {
  const all = changes.flatMap(listMatches);
  for (const match of all.toSorted((a, b) =>
    a.creditId < b.creditId ? -1 : a.creditId > b.creditId ? 1 : 0,
  )) {
    const before = matches.get(match.creditId) ?? [];
    if (before.some(({ version }) => version === match.version)) return 'match_decisions_pkey';
    if (match.transactionId !== null && before.some(({ transactionId }) => transactionId !== null))
      return 'one_credit_one_transaction';
    setNoted(journal, matches, match.creditId, [...before, match].sort(byVersion));
  }
  return null;
};

function byVersion(a: MatchRecord, b: MatchRecord): number {
  return a.version - b.version;
}
