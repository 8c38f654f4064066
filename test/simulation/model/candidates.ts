// Finds the claims that a credit may pay, and the credits that a claim may explain. It follows the same rules as the queries of
// src/adapters/postgres/reads/candidates.ts: it combines five searches, each with a limit.
import { type BankCredit, isOpenCredit } from '../../../src/domain/records/credit.ts';
import type { Transaction } from '../../../src/domain/records/transaction.ts';
import type { ClaimCandidates } from '../../../src/ports/store/reads.ts';
import { byId, idsIn, put, rowsIn } from './table.ts';
import type { Memory } from './tables.ts';

const MIN_END = 3;
const MIN_REFERENCE = 6;

export function findCandidates(
  memory: Memory,
  credits: readonly BankCredit[],
  windowMs: number,
  most: number,
): Map<string, ClaimCandidates> {
  const found = new Map<string, ClaimCandidates>();
  for (const credit of credits) found.set(credit.id, candidatesOf(memory, credit, windowMs, most));
  return found;
}

function candidatesOf(memory: Memory, credit: BankCredit, windowMs: number, most: number): ClaimCandidates {
  const claims = claimsOf(memory, credit, windowMs, most);
  const open = claims.filter(({ state }) => state !== 'cancelled');
  const exact = open.filter(({ amountMinor }) => amountMinor === credit.amountMinor).length;
  return {
    claims,
    equalCredits: claims.length > 1 ? equalsOf(memory, credit.id) : [credit.id],
    more: exact > most || (exact === 0 && open.length > most),
  };
}

function claimsOf(
  { transactions, groups }: Memory,
  credit: BankCredit,
  windowMs: number,
  most: number,
): Transaction[] {
  const { mode, amountMinor, receivedAtMs } = credit;
  const end = reversedEnd(credit.payerAccount);
  const words = (credit.narration ?? '').toLowerCase().replace(/[^a-z0-9]/g, '');
  const looks: readonly Transaction[][] = [[], [], [], [], []];
  const [paidExactly, paidOtherwise, unnamed, referenced, givenUp] = looks as Transaction[][];
  for (const claim of rowsIn(transactions, groups.claims, credit.accountNumber)) {
    if (claim.mode !== mode || claim.receivedMinor >= claim.amountMinor) continue;
    if (credit.businessId !== null && credit.businessId !== claim.businessId) continue;
    if (claim.expiresAtMs < receivedAtMs - windowMs) continue;
    const isExact = claim.amountMinor === amountMinor;
    const isPayers = end !== '' && isPayer(claim, end);
    if (claim.state === 'cancelled') {
      if (isPayers && isExact) givenUp!.push(claim);
      continue;
    }
    if (claim.state === 'on_hold' && !takesMoney(claim)) continue;
    if (isPayers) (isExact ? paidExactly! : paidOtherwise!).push(claim);
    if (end === '' && isExact) unnamed!.push(claim);
    if (isExact && words !== '' && isNamed(claim, words)) referenced!.push(claim);
  }
  const all = new Set<Transaction>();
  for (const look of looks) {
    for (const claim of few(look, most, look === unnamed || look === referenced ? byExpiry : byPayer))
      all.add(claim);
  }
  return [...all].sort(byId);
}

/** For a claim on hold, returns whether its payment, or the missing part of it, may still arrive. */
function takesMoney({ receivedMinor, exception }: Transaction): boolean {
  return exception === 'paid_partial' || (receivedMinor === 0n && exception === 'duplicate_claim');
}

export function claimsOfAmount(
  { transactions, groups }: Memory,
  credits: readonly BankCredit[],
  windowMs: number,
  most: number,
): Map<string, readonly Transaction[]> {
  const found = new Map<string, readonly Transaction[]>();
  for (const { id, mode, accountNumber, amountMinor, receivedAtMs, businessId } of credits) {
    const claims = rowsIn(transactions, groups.claims, accountNumber).filter(
      (claim) =>
        claim.mode === mode &&
        claim.amountMinor === amountMinor &&
        claim.receivedMinor < claim.amountMinor &&
        (businessId === null || businessId === claim.businessId) &&
        claim.expiresAtMs >= receivedAtMs - windowMs &&
        claim.state !== 'cancelled' &&
        (claim.state !== 'on_hold' || takesMoney(claim)),
    );
    if (claims.length > 0) found.set(id, claims.sort(byExpiry).slice(0, most));
  }
  return found;
}

function isPayer({ accountNumber }: Transaction, end: string): boolean {
  const backwards = reversed(accountNumber);
  return backwards.startsWith(end) && (backwards.length === end.length || backwards[end.length]! < ':');
}

function isNamed({ reference, id }: Transaction, words: string): boolean {
  const name = reference.toLowerCase().replace(/[._:-]/g, '');
  return (
    ([...name].length >= MIN_REFERENCE && words.includes(name)) || words.includes(id.replaceAll('_', ''))
  );
}

function few(
  look: Transaction[],
  most: number,
  order: (a: Transaction, b: Transaction) => number,
): Transaction[] {
  return look.length <= most + 1 ? look : look.sort(order).slice(0, most + 1);
}

function byExpiry(a: Transaction, b: Transaction): number {
  return a.expiresAtMs - b.expiresAtMs || byId(a, b);
}

function byPayer(a: Transaction, b: Transaction): number {
  const [left, right] = [reversed(a.accountNumber), reversed(b.accountNumber)];
  return left < right ? -1 : left > right ? 1 : byId(a, b);
}

function reversed(text: string): string {
  return [...text].reverse().join('');
}

/**
 * Returns the last digits of an account number, reversed. The result is empty if there are too few digits, or if they are
 * zeros, which mean "unknown".
 */
function reversedEnd(account: string | null): string {
  const end = /[0-9]+$/.exec(account?.replace(/[\s-]/g, '') ?? '')?.[0] ?? '';
  return end.length < MIN_END || /^0+$/.test(end) ? '' : reversed(end);
}

function equalsOf({ credits, groups }: Memory, id: string): readonly string[] {
  const own = credits.rows.get(id);
  if (own === undefined) return [id];
  const equal = rowsIn(credits, groups.openCredits, own.accountNumber).filter(
    (each) =>
      each.amountMinor === own.amountMinor &&
      each.mode === own.mode &&
      each.payerAccount === own.payerAccount &&
      each.payerName === own.payerName &&
      each.businessId === own.businessId,
  );
  if (equal.length === 0) return [id];
  return equal.sort((a, b) => a.receivedAtMs - b.receivedAtMs || byId(a, b)).map((each) => each.id);
}

/** Open credits that a new claim might explain become due now. Their version does not change. */
export function hastenCredits(memory: Memory, claims: readonly Transaction[], atMs: number): number {
  const { credits, groups } = memory;
  let hastened = 0;
  for (const number of new Set(claims.map(({ vendor }) => vendor?.number ?? ''))) {
    for (const id of idsIn(groups.openCredits, number)) {
      const credit = credits.rows.get(id)!;
      if (credit.dueAtMs !== null && credit.dueAtMs <= atMs) continue;
      if (!claims.some((claim) => mayExplain(claim, credit))) continue;
      put(credits, id, { ...credit, dueAtMs: atMs });
      hastened++;
    }
  }
  return hastened;
}

function mayExplain({ mode, vendor, amountMinor, accountNumber }: Transaction, credit: BankCredit): boolean {
  if (!isOpenCredit(credit) || credit.mode !== mode || credit.accountNumber !== (vendor?.number ?? ''))
    return false;
  const end = /[0-9]+$/.exec(credit.payerAccount?.replace(/[\s-]/g, '') ?? '')?.[0] ?? '';
  if (end.length >= MIN_END && end.length <= 10 && accountNumber.endsWith(end)) return true;
  const saysLittle =
    end.length < MIN_END || /^0+$/.test(end) || credit.narration !== null || credit.payerName !== null;
  return saysLittle && credit.amountMinor === amountMinor;
}
