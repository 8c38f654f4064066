// What two people may book about the naira at our banks. Money can leave an account only if the books show it there, and a
// withdrawal must leave what is owed to others. Both rules are checked here, to give people a readable answer, and again in the
// commit.
import { type LedgerAccountName, ledgerKey } from '../ledger/chart-of-accounts.ts';
import { type Entry, entryOf, type LedgerEvent } from '../ledger/ledger.ts';
import {
  type BookedAccount,
  type ChargeKind,
  formatBankAccount,
  formatLedgerAccount,
  type NairaFacts,
} from '../records/naira-move.ts';
import { lagosDay, parseInstant } from '../values/calendar.ts';
import type { Mode } from '../values/mode.ts';
import { formatNaira, MAX_WIRE_MINOR, NAIRA } from '../values/money.ts';
import { ok, type Result } from '../values/result.ts';
import { type Decider, type Plan, type ReviewRefusal, refuse } from './proposal.ts';

export interface BankBook extends BookedAccount {
  readonly freeMinor: bigint;
  readonly reservedMinor: bigint;
}

/**
 * Ledger accounts of naira at our banks that do not belong to the operator. These naira are received but not yet earned, or
 * they are promised.
 */
const OWED_ACCOUNTS = [
  ...(['suspense', 'owed', 'in_flight', 'payouts_due', 'refunds_due', 'recoveries'] as const),
] satisfies readonly LedgerAccountName[];

/**
 * The ledger accounts that determine how much may be withdrawn. Debits are positive, so the sum of these accounts is the free
 * amount.
 */
export function coverAccounts(mode: Mode, books: readonly BankBook[]): readonly string[] {
  const banks = books.flatMap(({ name, detail }) => [
    ledgerKey(mode, NAIRA, name, detail),
    ...(name === 'bank_out' ? [ledgerKey(mode, NAIRA, 'bank_reserved', detail)] : []),
  ]);
  return [
    ...banks,
    ...(['bank_transit', ...OWED_ACCOUNTS] as const).map((name) => ledgerKey(mode, NAIRA, name)),
  ];
}

export interface NairaMoveContext {
  readonly id: string;
  readonly books: readonly BankBook[];
  /** The balances of the accounts that `coverAccounts` lists, and of the charges. */
  readonly balances: ReadonlyMap<string, bigint>;
  /** The id of the move that already has this statement line or this id. */
  readonly bookedAs: string | undefined;
}

export function bookNairaMove(
  facts: NairaFacts,
  found: NairaMoveContext,
  { atMs }: Decider,
): Result<Plan, ReviewRefusal> {
  const { mode, nairaMinor, kind } = facts;
  const problem =
    findFieldProblem(facts, atMs) ?? routeProblem(facts) ?? findUnknownAccount(facts, found.books);
  if (problem !== null) return refuse('invalid', problem);
  if (found.bookedAs !== undefined)
    return refuse(
      'not_possible',
      `The line ${facts.reference} of account ${formatBankAccount(facts.account)} is booked already: ledger explain ${found.bookedAs}`,
    );
  const short = shortage(facts, found);
  if (short !== null) return refuse('not_possible', short);
  const change = {
    atMs,
    nairaMove: { ...facts, id: found.id },
    entries: makeNairaEntries(facts, found.id),
    ...(kind === 'taken_out' && { conditions: [{ notNegative: coverAccounts(mode, found.books) }] }),
  };
  return ok({ mode, amountMinor: nairaMinor, change });
}

const REFERENCE = /^[\x21-\x7e]([\x20-\x7e]{0,98}[\x21-\x7e])?$/;

function findFieldProblem(
  { nairaMinor, day, reference, kind, charge }: NairaFacts,
  atMs: number,
): string | null {
  if (nairaMinor <= 0n) return 'The amount must be more than zero.';
  if (nairaMinor > MAX_WIRE_MINOR) return `The amount must be at most ${formatNaira(MAX_WIRE_MINOR)}.`;
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || parseInstant(day) === undefined)
    return 'The day must be the one on the bank statement, such as 2026-11-16.';
  if (day > lagosDay(atMs))
    return `The day ${day} is in the future: make the booking when the statement shows it.`;
  if (!REFERENCE.test(reference))
    return 'The reference must be the one on the bank statement: up to 100 letters, digits and signs.';
  const isCharge = kind === 'charge_seen' || kind === 'charge_returned';
  if (isCharge !== (charge !== null)) return 'Name the charge or levy if you book a charge, and only then.';
  return null;
}

/** The bank reports money that reaches a vendor's account as a credit. A booking here would count the money twice. */
function routeProblem({ kind, account, to }: NairaFacts): string | null {
  if ((kind === 'moved') !== (to !== null))
    return 'Name the account that received the naira if you book a move, and only then.';
  const reaching = kind === 'put_in' || kind === 'charge_returned' ? account : to;
  if (reaching === null || reaching.name === 'bank_out')
    return to !== null && formatLedgerAccount(to) === formatLedgerAccount(account)
      ? 'Name two different accounts.'
      : null;
  if (to !== null && account.name === 'bank_in' && isSameNumber(account, to))
    return formatLedgerAccount(to) === formatLedgerAccount(account) ? 'Name two different accounts.' : null;
  return `Account ${formatBankAccount(reaching)} belongs to a vendor: its bank reports incoming money as a credit (reviews list).`;
}

/**
 * Whether two ledger names mean the same bank account. The names can differ, because an earlier credit named no bank or another
 * bank.
 */
function isSameNumber(a: BookedAccount, b: BookedAccount): boolean {
  return formatBankAccount(a).split(':').at(-1) === formatBankAccount(b).split(':').at(-1);
}

function findUnknownAccount({ account, to }: NairaFacts, books: readonly BankBook[]): string | null {
  const known = new Set(books.map(formatLedgerAccount));
  const stranger = [account, ...(to === null ? [] : [to])].find(
    (each) => !known.has(formatLedgerAccount(each)),
  );
  return stranger === undefined
    ? null
    : `The books have no account ${formatBankAccount(stranger)}. See: naira accounts`;
}

/**
 * Describes why a move lacks naira. Money that leaves an account must be in the account and free, and a returned charge must
 * have been charged.
 */
function shortage(facts: NairaFacts, { books, balances }: NairaMoveContext): string | null {
  const { mode, kind, account, nairaMinor } = facts;
  if (kind === 'put_in') return null;
  if (kind === 'charge_returned') {
    const chargedMinor = balances.get(ledgerKey(mode, NAIRA, 'charges')) ?? 0n;
    return nairaMinor <= chargedMinor ? null : `Only ${formatNaira(chargedMinor)} were charged in all.`;
  }
  const { freeMinor } = books.find((each) => formatLedgerAccount(each) === formatLedgerAccount(account))!;
  if (nairaMinor > freeMinor)
    return `The books show only ${formatNaira(freeMinor)} in account ${formatBankAccount(account)} that are not reserved.`;
  if (kind !== 'taken_out') return null;
  const sumMinor = coverAccounts(mode, books).reduce((sum, key) => sum + (balances.get(key) ?? 0n), 0n);
  const ownMinor = sumMinor < 0n ? 0n : sumMinor;
  return nairaMinor <= ownMinor
    ? null
    : `At most ${formatNaira(ownMinor)} may be taken out: what is at the banks, less what is owed to others.`;
}

const CHARGE_EVENTS: Readonly<Record<ChargeKind, LedgerEvent>> = {
  transfer_fee: 'bank_charged',
  vat: 'vat_charged',
  stamp_duty: 'stamp_duty_charged',
};

function makeNairaEntries(
  { mode, kind, charge, account, to, nairaMinor }: NairaFacts,
  id: string,
): readonly Entry[] {
  const post = (event: LedgerEvent, { name, detail }: BookedAccount) =>
    entryOf(event, {
      ...{ mode, subjectId: id, amounts: { amount: nairaMinor } },
      ...(name === 'bank_in' ? { bankAccount: detail! } : { payoutAccount: detail }),
    });
  const isVendor = account.name === 'bank_in';
  switch (kind) {
    case 'put_in':
      return [post('float_funded', account)];
    case 'taken_out':
      return [post(isVendor ? 'vendor_account_withdrawn' : 'naira_withdrawn', account)];
    case 'moved':
      return [
        post(isVendor ? 'vendor_account_left' : 'payout_account_left', account),
        post(to!.name === 'bank_in' ? 'vendor_account_reached' : 'payout_account_reached', to!),
      ];
    case 'charge_seen':
      return [post(isVendor ? 'vendor_account_charged' : CHARGE_EVENTS[charge!], account)];
    case 'charge_returned':
      return [post('charge_returned', account)];
  }
}
