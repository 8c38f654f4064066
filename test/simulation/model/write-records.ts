// Adds new records: credits, deposits, notices, movements and their attempts. Fields that a new record cannot have yet (a
// version, tries, a transaction that it pays) are not taken from the change.
import type { Change } from '../../../src/domain/records/change.ts';
import { type BankCredit, sessionKeyOf } from '../../../src/domain/records/credit.ts';
import type { Deposit } from '../../../src/domain/records/deposit.ts';
import type { Attempt, Replacement } from '../../../src/domain/records/movement.ts';
import type { BankNotice } from '../../../src/domain/records/notice.ts';
import { type Journal, putNoted, setNoted, type Write } from './journal.ts';
import { judgeSource } from './reports.ts';
import { idsIn, plain } from './table.ts';
import { isAlive, joined, type Memory } from './tables.ts';

export const sourceOfCredit = ({ mode, source, sourceId }: BankCredit) =>
  joined('credit', mode, source, sourceId);
export const sourceOfNotice = ({ mode, source, sourceId }: BankNotice) =>
  joined('notice', mode, source, sourceId);
export const sourceOfDeposit = ({ mode, network, txHash, txIndex }: Deposit) =>
  joined('deposit', mode, network, txHash, txIndex);

const NEW = { version: 1, tries: 0 } as const;

/** This value sorts last and stands for an unknown value. */
const LAST = '\u{10ffff}';

/** Sorts all rows of a statement by their unique keys, because the first refused row determines the violated rule. */
function inOrder<Row>(
  changes: readonly Change[],
  rowsOf: (change: Change) => readonly Row[] | undefined,
  keyOf: (row: Row) => string,
): readonly Row[] {
  const rows = changes.length === 1 ? rowsOf(changes[0]!) : changes.flatMap((each) => rowsOf(each) ?? []);
  if (rows === undefined || rows.length < 2) return rows ?? [];
  return rows.toSorted((a, b) => {
    const [left, right] = [keyOf(a), keyOf(b)];
    return left < right ? -1 : left > right ? 1 : 0;
  });
}

export const addCredits: Write = (memory, changes, journal) => {
  const { credits, sources, sessions } = memory;
  for (const each of inOrder(changes, (change) => change.newCredits, sourceOfCredit)) {
    const source = sourceOfCredit(each);
    const refusedBy = judgeSource(memory, each, journal);
    if (refusedBy !== null) return refusedBy;
    if (each.amountMinor <= 0n || each.state === 'matched') return 'bank_credits_sound';
    if (credits.rows.has(each.id)) return 'bank_credits_pkey';
    if (sources.has(source)) return 'bank_credits_once';
    const key = each.parentId === null ? sessionKeyOf(each) : null;
    if (key !== null && sessions.has(joined(each.mode, key))) return 'bank_credits_session';
    if (key !== null) setNoted(journal, sessions, joined(each.mode, key), each.id);
    setNoted(journal, sources, source, each.id);
    const raw = plain(each.raw ?? {});
    const { sourceVersion: _, ...credit } = each;
    putNoted(journal, credits, each.id, { ...credit, raw, exception: null, transactionId: null, ...NEW });
  }
  return null;
};

export const addDeposits: Write = ({ deposits, sources }, changes, journal) => {
  for (const each of inOrder(changes, (change) => change.newDeposits, sourceOfDeposit)) {
    const source = sourceOfDeposit(each);
    if (each.amountMinor <= 0n) return 'deposits_sound';
    if (deposits.rows.has(each.id)) return 'deposits_pkey';
    if (sources.has(source)) return 'deposits_once';
    setNoted(journal, sources, source, each.id);
    putNoted(journal, deposits, each.id, { ...each, ...NEW });
  }
  return null;
};

export const addNotices: Write = ({ notices, sources }, changes, journal) => {
  for (const each of inOrder(changes, (change) => change.newNotices, sourceOfNotice)) {
    const source = sourceOfNotice(each);
    if (each.amountMinor <= 0n) return 'bank_notices_amount_minor_check';
    if (notices.rows.has(each.id)) return 'bank_notices_pkey';
    if (sources.has(source)) return 'bank_notices_once';
    setNoted(journal, sources, source, each.id);
    putNoted(journal, notices, each.id, { ...each, raw: plain(each.raw ?? {}), state: 'open', ...NEW });
  }
  return null;
};

export const addMovements: Write = ({ movements, groups }, changes, journal) => {
  for (const each of inOrder(
    changes,
    (change) => change.newMovements,
    ({ transactionId }) => transactionId ?? LAST,
  )) {
    const { id, amountMinor, nairaMinor, transactionId, createdAtMs } = each;
    if (amountMinor <= 0n) return 'movements_amount_minor_check';
    if (nairaMinor < 0n || (nairaMinor === 0n && each.kind !== 'sweep')) return 'movements_naira_minor_check';
    if (movements.rows.has(id)) return 'movements_pkey';
    if (transactionId !== null && isAlive(each) && idsIn(groups.alive, transactionId).size > 0)
      return 'movements_one_alive';
    const destination = plain(each.destination);
    putNoted(journal, movements, id, { ...each, destination, ...NEW, updatedAtMs: createdAtMs });
  }
  return null;
};

export const writeAttempts: Write = (memory, changes, journal) => {
  for (const each of inOrder(changes, (change) => change.attempts, placeOf)) {
    const before = memory.attempts.get(each.movementId) ?? [];
    const there = before.find(({ no }) => no === each.no);
    const evidence = plain(each.evidence);
    // The bytes of an attempt never change, but its outcome does.
    const { state, updatedAtMs } = each;
    const next = there === undefined ? { ...each, evidence } : { ...there, state, evidence, updatedAtMs };
    const refusedBy = takeNumbers(memory, next, there, journal);
    if (refusedBy !== null) return refusedBy;
    const others = there === undefined ? before : before.filter(({ no }) => no !== each.no);
    setNoted(journal, memory.attempts, each.movementId, [...others, next].sort(byNumber));
  }
  return null;
};

function placeOf({ mode, network, source, sequence }: Attempt): string {
  return joined(mode, network ?? LAST, source ?? LAST, sequence ?? LAST);
}

function byNumber(a: Attempt, b: Attempt): number {
  return a.no - b.no;
}

/** A hash and index belong to one attempt. A sequence number belongs to bytes that may still land or have landed. */
function takeNumbers(
  { hashes, sequences }: Memory,
  next: Attempt,
  before: Attempt | undefined,
  journal: Journal,
): string | null {
  const { mode, network, reference, source, sequence, index: order } = next;
  const name = joined(next.movementId, next.no);
  if (before === undefined && network !== null) {
    const hash = joined(mode, network, reference, order);
    if (hashes.has(hash)) return 'movement_attempts_one_place';
    setNoted(journal, hashes, hash, { movementId: next.movementId, no: next.no });
  }
  if (network === null || source === null || sequence === null || order > 0) return null;
  const place = placeOf(next);
  const holder = sequences.get(place);
  if (isOver(next)) {
    if (holder === name) setNoted(journal, sequences, place, undefined);
    return null;
  }
  if (holder === name) return null;
  if (holder !== undefined) return 'movement_attempts_one_sequence';
  setNoted(journal, sequences, place, name);
  return null;
}

function isOver({ state }: Attempt): boolean {
  return state === 'rejected' || state === 'dead';
}

/** These are the same payments, signed again. Each number and each hash may occur only once. */
export const writeReplacements: Write = (memory, changes, journal) => {
  const keyOf = ({ mode, network, reference, no }: Replacement) => joined(mode, network, reference, no);
  for (const each of inOrder(changes, (change) => change.replacements, keyOf)) {
    const { mode, network, reference, no, hash } = each;
    const key = joined(mode, network, reference);
    const before = memory.replacements.get(key) ?? [];
    if (no <= 1) return 'attempt_replacements_no_check';
    if (before.some((other) => other.no === no)) return 'attempt_replacements_pkey';
    if (memory.replacedHashes.has(joined(mode, network, hash))) return 'attempt_replacements_one_hash';
    setNoted(journal, memory.replacedHashes, joined(mode, network, hash), key);
    setNoted(
      journal,
      memory.replacements,
      key,
      [...before, each].sort((a, b) => a.no - b.no),
    );
  }
  return null;
};
