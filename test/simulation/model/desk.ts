// Shows what people see: proposals and their work queues. These lists are always short, so a full scan is cheap.
import { UNKNOWN_PAYOUT_MS } from '../../../src/adapters/postgres/review/review-store.ts';
import { ledgerKey } from '../../../src/domain/ledger/chart-of-accounts.ts';
import type { BankCredit } from '../../../src/domain/records/credit.ts';
import type { Attempt, Movement } from '../../../src/domain/records/movement.ts';
import { formatLedgerAccount, type NairaMove } from '../../../src/domain/records/naira-move.ts';
import type { Transaction } from '../../../src/domain/records/transaction.ts';
import type { BankBook } from '../../../src/domain/review/naira-moves.ts';
import type { Proposal } from '../../../src/domain/review/proposal.ts';
import { MODES, type Mode } from '../../../src/domain/values/mode.ts';
import { NAIRA } from '../../../src/domain/values/money.ts';
import type {
  CaseInReview,
  FundingBalance,
  ReviewQueue,
  StoredCase,
  UnknownPayout,
} from '../../../src/ports/review-store.ts';
import { byId, forbidden, type Identified, plain, rowsIn } from './table.ts';
import type { Memory } from './tables.ts';
import { lineOf } from './write-marks.ts';

export function addProposal({ proposals, people }: Memory, proposal: Proposal): void {
  const { id, mode, request, amountMinor, proposedBy, proposedAtMs } = proposal;
  if (proposals.has(id)) throw forbidden('proposals_pkey');
  if (!people.has(proposedBy)) throw forbidden('proposals_by_a_person');
  const kept = request.action === 'split' ? request : plain(request);
  proposals.set(id, {
    id,
    mode,
    request: kept,
    amountMinor,
    proposedBy,
    proposedAtMs,
    decision: null,
  });
}

export function openProposals(
  { proposals }: Memory,
  isWanted: (proposal: Proposal) => boolean,
): readonly Proposal[] {
  return [...proposals.values()].filter((each) => each.decision === null && isWanted(each)).sort(byId);
}

export function listQueue(memory: Memory, limit: number, mode: Mode | undefined): ReviewQueue {
  const { transactions, credits, deposits, movements, notices, cases, quarantine, matches } = memory;
  const modes = mode === undefined ? MODES : [mode];
  const oldest = <Row extends Identified & { readonly mode: Mode }>(
    rows: ReadonlyMap<string, Row>,
    isWanted: (row: Row) => boolean,
  ): Row[] => {
    const wanted = [...rows.values()].filter(isWanted).sort(byId);
    return modes.flatMap((each) => wanted.filter((row) => row.mode === each).slice(0, limit));
  };
  return {
    transactions: oldest(transactions.rows, ({ state }) => state === 'on_hold'),
    credits: oldest(credits.rows, ({ state }) => state === 'review').map((credit) => ({
      ...credit,
      candidates: matches.get(credit.id)?.at(-1)?.candidates ?? [],
    })),
    deposits: oldest(deposits.rows, ({ state }) => state === 'suspense'),
    refunds: oldest(movements.rows, isStuck),
    notices: oldest(notices.rows, ({ state }) => state === 'review'),
    cases: oldest(cases, () => true),
    quarantined: modes.flatMap((each) =>
      quarantine
        .filter((line) => line.mode === each)
        .reverse()
        .slice(0, limit)
        .map(({ raw: _raw, ...line }) => line),
    ),
  };
}

export function unknownPayouts(
  { movements, attempts }: Memory,
  atMs: number,
  limit: number,
  mode: Mode | undefined,
): readonly UnknownPayout[] {
  const late = ({ id, network, state, attempts: last }: Movement) => {
    if (network !== null || (state !== 'sending' && state !== 'unknown')) return false;
    const attempt = attempts.get(id)?.find(({ no }) => no === last);
    if (attempt === undefined) return false;
    return attempt.atMs < atMs - UNKNOWN_PAYOUT_MS || attempt.evidence?.needs_people === true;
  };
  const found = [...movements.rows.values()].filter(late).sort(byId);
  return (mode === undefined ? MODES : [mode]).flatMap((each) =>
    found
      .filter((movement) => movement.mode === each)
      .slice(0, limit)
      .map((movement) => ({ ...movement, tried: (attempts.get(movement.id) ?? []).map(triedOf) })),
  );
}

function triedOf({
  no,
  rail,
  reference,
  state,
  evidence,
  atMs,
  updatedAtMs,
}: Attempt): UnknownPayout['tried'][number] {
  return { no, rail, reference, state, evidence, atMs, updatedAtMs };
}

export function caseById({ cases, closedCases }: Memory, id: string): StoredCase | undefined {
  const open = cases.get(id);
  return open === undefined ? closedCases.get(id) : { ...open, outcome: null, closedAtMs: null };
}

export function openCasesOn({ cases }: Memory, movementIds: readonly string[]): readonly CaseInReview[] {
  const wanted = new Set(movementIds);
  return [...cases.values()].filter(({ movementId }) => wanted.has(movementId ?? '')).sort(byId);
}

/** Finds refunds that people must look at. Replaced or cancelled refunds are not among them, because these must not be paid. */
function isStuck({ kind, state, destination, reason }: Movement): boolean {
  if (kind !== 'refund') return false;
  if (state === 'pending') return destination === null;
  if (state !== 'failed') return false;
  return !(reason ?? '').startsWith('replaced by ') && reason !== 'credit_reversed';
}

export function creditsMeaning(memory: Memory, { id, mode, vendor }: Transaction): BankCredit[] {
  const { credits, groups, matches } = memory;
  return rowsIn(credits, groups.openCredits, vendor?.number ?? '')
    .filter((credit) => credit.mode === mode && (credit.transactionId === id || isMeant(credit.id)))
    .sort(byId);

  function isMeant(creditId: string): boolean {
    return (matches.get(creditId) ?? []).some(
      ({ verdict }) =>
        verdict.kind === 'review' &&
        verdict.exception !== 'other_account' &&
        verdict.transactionIds.includes(id),
    );
  }
}

export function bankBooks({ accounts }: Memory, mode: Mode): readonly BankBook[] {
  const books = [...accounts].flatMap(([key, freeMinor]) => {
    const [of, asset, name, detail = null] = key.split('/');
    if (of !== mode || asset !== NAIRA || (name !== 'bank_in' && name !== 'bank_out')) return [];
    const reserved = name === 'bank_out' ? ledgerKey(mode, NAIRA, 'bank_reserved', detail) : '';
    return [{ name, detail, freeMinor, reservedMinor: accounts.get(reserved) ?? 0n } as const];
  });
  return books.sort((a, b) => (formatLedgerAccount(a) < formatLedgerAccount(b) ? -1 : 1));
}

export function findFunding({ entries }: Memory, id: string): FundingBalance | undefined {
  const own = entries.filter(({ event, subjectId }) => subjectId === id && FUNDINGS.has(event));
  const [first] = own;
  if (first === undefined) return undefined;
  const postings = own
    .flatMap((each) => each.postings)
    .filter(({ account }) => account.endsWith('/treasury'));
  const [, asset = ''] = postings[0]!.account.split('/');
  return { mode: first.mode, asset, leftMinor: postings.reduce((sum, each) => sum + each.amountMinor, 0n) };
}

export function seenTokens({ deposits }: Memory, mode: Mode, network: string): bigint {
  return [...deposits.rows.values()]
    .filter((each) => each.mode === mode && each.network === network && each.state === 'seen')
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
}

const FUNDINGS: ReadonlySet<string> = new Set(['treasury_funded', 'treasury_funding_undone']);

export function findNairaMove({ nairaMoves, sources }: Memory, move: NairaMove): string | undefined {
  const found = [nairaMoves.get(move.id)?.id, sources.get(lineOf(move))];
  return found.filter((id) => id !== undefined).sort()[0];
}
