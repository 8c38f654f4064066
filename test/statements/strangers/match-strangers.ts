// Matches the payments of one file with claims made from its truth, and sums up what became of them.
import { appendFileSync } from 'node:fs';
import { loadBankDirectory } from '../../../src/adapters/catalogue/bank-directory.ts';
import type { ClaimFacts, CreditFacts } from '../../../src/domain/matching/facts.ts';
import { matchCredit } from '../../../src/domain/matching/match-credit.ts';
import { CURRENT_MATCHING_RULES } from '../../../src/domain/matching/rules.ts';

export interface StrangerRow {
  readonly date: string;
  readonly direction: 'in' | 'out';
  readonly amount_kobo: number;
  readonly narration: string;
  readonly balance_kobo: number | null;
  readonly payer_name: string | null;
  readonly payer_account: string | null;
  readonly reference: string | null;
  readonly kind: string;
  readonly enough?: boolean;
  readonly refused?: unknown;
  readonly may_refuse?: unknown;
}

/** A released row, as it is stored. */
export interface StrangerCredit {
  readonly day: string;
  readonly amount: string;
  readonly balance: string | null;
  readonly narration: string;
  readonly kind: string;
  readonly payer_name: string | null;
  readonly payer_account: string | null;
  readonly payer_bank_name: string | null;
  readonly value_day: string | null;
  readonly booked_at: Date | null;
}

export interface StrangerAccount {
  readonly file: string;
  readonly rows: readonly StrangerRow[];
  readonly credits: readonly StrangerCredit[];
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const GRACE_MS = 600_000;
const banks = loadBankDirectory();

/** Writes what differs into the file that STRANGERS names, for people who improve the readers. */
export function noteDetail(text: string): void {
  if (process.env.STRANGERS !== undefined) appendFileSync(process.env.STRANGERS, `${text}\n`);
}

/** What the truth has for a match: a number of the bank or our reference, or only a name. */
type Strength = 'strong' | 'name';

export interface StrangerSums {
  readonly lines: readonly string[];
  readonly wrong: readonly string[];
  /** Of the payments with a full account number from the bank or our reference: the share that matches by itself. */
  readonly strongShare: number;
  /** Of the payments with a name only: the share whose claim alone is shown to a reviewer, or matches by itself. */
  readonly shownShare: number;
}

export function matchStrangers(accounts: readonly StrangerAccount[]): StrangerSums {
  const counts = { strong: { all: 0, matched: 0, shown: 0 }, name: { all: 0, matched: 0, shown: 0 } };
  const wrong: string[] = [];
  const misses: string[] = [];
  for (const account of accounts) {
    const claimed = account.rows.map((row, index) => ({ row, index })).filter(({ row }) => mayMatch(row));
    const claims = claimed.map(({ row, index }) => makeClaim(row, index, account.rows));
    const credits = account.credits.filter((each) => each.kind === 'payment' && !each.amount.startsWith('-'));
    const facts = credits.map(makeCredit);
    const pairs = pairCredits(account.rows, account.credits);
    for (const { row } of claimed) {
      const sum = counts[strengthOf(row)];
      sum.all++;
    }
    for (const [index, credit] of credits.entries()) {
      const row = pairs.get(credit);
      const paid = facts[index]!;
      const decision = matchCredit(paid, claims, {
        nowMs: paid.receivedAtMs + GRACE_MS,
        ...{ windowMs: 7 * DAY_MS, graceMs: GRACE_MS, rules: CURRENT_MATCHING_RULES },
        equalCredits: facts.filter((each) => isEqual(each, paid)).map(({ id }) => id),
      });
      const { verdict, candidates } = decision;
      const own =
        row === undefined
          ? []
          : claims.filter(({ transactionId }) => ownsClaim(transactionId, row, account.rows));
      const isOwn = (id: string) => own.some(({ transactionId }) => transactionId === id);
      const isMatch = verdict.kind === 'matched' || verdict.kind === 'completes';
      if (isMatch && !isOwn(verdict.transactionId))
        wrong.push(
          `${account.file}: ${credit.day} ${credit.amount} ${credit.narration} > ${verdict.transactionId}`,
        );
      if (row === undefined || !mayMatch(row)) continue;
      const sum = counts[strengthOf(row)];
      if (isMatch) sum.matched++;
      else if (candidates.length > 0 && candidates.every(({ transactionId }) => isOwn(transactionId)))
        sum.shown++;
      if (
        !isMatch &&
        !(
          strengthOf(row) === 'name' &&
          candidates.length > 0 &&
          candidates.every(({ transactionId }) => isOwn(transactionId))
        )
      )
        misses.push(
          `${account.file} ${strengthOf(row)} ${JSON.stringify(verdict)} ${credit.narration} | ${credit.payer_name} | ${row.payer_name}`,
        );
    }
  }
  for (const miss of misses) noteDetail(`MISS ${miss}`);
  const { strong, name } = counts;
  const percent = (part: number, all: number) => `${part} of ${all} (${((100 * part) / all).toFixed(1)} %)`;
  return {
    lines: [
      `strangers: with a bank's account number or our reference ${percent(strong.matched, strong.all)} match by themselves`,
      `strangers: with a name only ${percent(name.matched, name.all)} match by themselves; of ${percent(name.shown, name.all)} the reviewer sees only the right claim`,
      `strangers: of all payments that carry enough ${percent(strong.matched + name.matched, strong.all + name.all)} match by themselves, ${wrong.length} wrongly`,
    ],
    wrong,
    strongShare: strong.matched / strong.all,
    shownShare: (name.shown + name.matched) / name.all,
  };
}

function mayMatch(row: StrangerRow): boolean {
  return row.enough === true && row.refused === undefined && row.may_refuse === undefined;
}

function strengthOf({ reference, payer_account: account }: StrangerRow): Strength {
  return reference !== null || /^\d{10}$/.test(account ?? '') ? 'strong' : 'name';
}

/** Several equal payments of one payer are of one business and wallet, so it makes no difference which claim each of them pays. */
function groupOf(row: StrangerRow, rows: readonly StrangerRow[]): number {
  return rows.findIndex(
    (each) =>
      mayMatch(each) &&
      each.amount_kobo === row.amount_kobo &&
      each.payer_name === row.payer_name &&
      each.payer_account === row.payer_account &&
      each.reference === row.reference,
  );
}

function ownsClaim(transactionId: string, row: StrangerRow, rows: readonly StrangerRow[]): boolean {
  return groupOf(rows[Number(transactionId.slice(4))]!, rows) === groupOf(row, rows);
}

function makeClaim(row: StrangerRow, index: number, rows: readonly StrangerRow[]): ClaimFacts {
  const group = groupOf(row, rows);
  const createdAtMs = Date.parse(`${row.date}T06:00:00+01:00`);
  return {
    transactionId: `txn_${index}`,
    reference: row.reference ?? `OWN-${String(group).padStart(6, '0')}-X`,
    businessId: `biz_${group}`,
    walletKey: `Polygon 0x${group}`,
    amountMinor: BigInt(row.amount_kobo),
    ...{ receivedMinor: 0n, parts: [], bankCode: null, flags: [], state: 'awaiting_payment' },
    accountNumber: numberOf(row, group),
    accountName: row.payer_name,
    ...{ createdAtMs, expiresAtMs: createdAtMs + DAY_MS },
  };
}

/** The payer's number; what the bank masks, or does not write, is made up. */
function numberOf({ payer_account: account }: StrangerRow, group: number): string {
  const made = String(3_000_000_000 + group * 7_919);
  const [, head = '', tail = ''] = /^(\d*)[*xX#•.]+(\d*)$/.exec(account ?? '') ?? [];
  if (/^\d{10}$/.test(account ?? '')) return account!;
  return head + made.slice(head.length, 10 - tail.length) + tail;
}

function makeCredit(credit: StrangerCredit, index: number): CreditFacts {
  const atMs = credit.booked_at?.getTime() ?? Date.parse(`${credit.value_day ?? credit.day}T00:00:00+01:00`);
  return {
    id: `crd_${index}`,
    amountMinor: BigInt(credit.amount),
    payerAccount: credit.payer_account,
    payerName: credit.payer_name,
    payerBankCode: (credit.payer_bank_name && banks.resolve(credit.payer_bank_name)?.code) || null,
    narration: credit.narration,
    valueAtMs: atMs,
    receivedAtMs: Math.max(atMs, Date.parse(`${credit.day}T00:00:00+01:00`) + DAY_MS + 9 * HOUR_MS),
  };
}

function isEqual(one: CreditFacts, other: CreditFacts): boolean {
  return (
    one.amountMinor === other.amountMinor &&
    one.payerAccount === other.payerAccount &&
    one.payerName === other.payerName
  );
}

/** The row of the truth that each stored row is. */
function pairCredits(
  rows: readonly StrangerRow[],
  credits: readonly StrangerCredit[],
): ReadonlyMap<StrangerCredit, StrangerRow> {
  const plain = (text: string) => text.toUpperCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  const left = [...rows];
  const pairs = new Map<StrangerCredit, StrangerRow>();
  for (const isExact of [true, false])
    for (const credit of credits) {
      if (pairs.has(credit)) continue;
      const at = left.findIndex(
        (row) =>
          row.date === credit.day &&
          String(row.direction === 'in' ? row.amount_kobo : -row.amount_kobo) === credit.amount &&
          (row.balance_kobo === null ||
            credit.balance === null ||
            String(row.balance_kobo) === credit.balance) &&
          (!isExact || plain(row.narration) === plain(credit.narration)),
      );
      if (at !== -1) pairs.set(credit, left.splice(at, 1)[0]!);
    }
  return pairs;
}
