// What a rail provides for the contract suite: the adapter, its clock, its faults, and the bank's own books for the comparison. A
// case that a rail does not support (for example, it reports nothing) is skipped.
import type { AccountDestination } from '../../../src/domain/records/movement.ts';
import type { Rail } from '../../../src/ports/rails/rail.ts';
import type { CreditLine } from '../../../src/ports/rails/rail-statement.ts';

export const TROUBLES = [
  /** The next call to pay this reference does not get through: nothing is paid. */
  'pay_not_sent',
  /** The next call to pay this reference pays, and its answer is lost. */
  'pay_answer_lost',
  /** As before, and for a while the rail gives no certain answer about the reference. */
  'pay_unclear',
  /** As before, and for a while the rail does not know the reference. */
  'pay_not_found',
  /** The next call to pay this reference is finally refused, at once or later. */
  'pay_refused',
  /** The next call to pay this reference is refused because of the account. */
  'pay_bad_account',
  /** The next call to pay this reference is refused because our balance there is too low. */
  'pay_no_money',
  /** The next call to pay this reference pays, and its answer arrives too late. */
  'pay_late',
  /** The next call to pay this reference pays, and its answer is cut off in the middle. */
  'pay_cut',
  /** The next call to pay this reference pays, and is answered with an undocumented code. */
  'pay_undocumented',
  /** The next call to pay this reference pays, and its answer has repeated fields with different values. */
  'pay_repeated_field',
  /** The next query about this reference is answered with an undocumented code. */
  'ask_undocumented',
  /** The next query about this reference is answered with "not found", although the rail knows it. */
  'ask_not_found',
  /** The next call to pay this reference pays, and the payout is returned after a while. */
  'paid_then_returned',
  /** The next call to pay this reference is reported as failed, and after a while as paid: the rail contradicts itself. */
  'failed_then_paid',
  /** The next balance query gets no answer; the subject is empty. */
  'balance_lost',
  /** The next query about this reference gets no answer. */
  'ask_lost',
  /** The next name enquiry about this account number gets no answer. */
  'enquiry_lost',
  /** The next statement read gets no answer; the subject is empty. */
  'read_lost',
] as const;
export type Trouble = (typeof TROUBLES)[number];

/** A payment into one of our accounts, with the payer's data. */
export interface Arriving {
  readonly amountMinor: bigint;
  readonly payerName: string;
}

/** A line as the statement must show it: without the data that this bank masks or omits. */
export type Reported = Omit<CreditLine, 'valueAtMs' | 'raw'>;

export interface BankHarness {
  readonly rail: Rail;
  /** Another adapter on the same bank, as after a restart or in another process. */
  restarted(): Rail;
  /** The same rail while its bank is unreachable. Missing: the rail makes no connections. */
  unconnected?(): Rail;
  /** The balance of the account it pays from, in the bank's own books. Missing: its money is unlimited. */
  balanceMinor?(): bigint;
  /** An account that can be paid, with its holder's name in the bank's spelling. */
  readonly account: AccountDestination & { readonly accountName: string };
  /** The number of an account that does not exist at the same bank. */
  readonly noAccount: string;
  readonly troubles: ReadonlySet<Trouble>;
  meet(trouble: Trouble, subject: string): Promise<void>;
  /** A little time passes. */
  pass(): Promise<void>;
  /** The amounts that were really paid for a reference, according to the bank's own books. */
  paid(reference: string): Promise<readonly bigint[]>;
  close(): Promise<void>;

  /** Events on our accounts at the bank. Missing: the rail reports nothing. */
  readonly outside?: {
    /** More lines than fit on one page of the statement. */
    readonly manyLines: number;
    /** Whether a line can be reported more than once. */
    readonly repeats: boolean;
    /** `times`: how often the statement reports it. */
    payIn(arriving: Arriving, times: number): Promise<Reported>;
    /** Missing: the statement does not show reversals. */
    reverse?(sourceId: string): Promise<void>;
    /** A payout is returned. Missing: the statement does not show it; a query does. */
    returnPayout?(reference: string): Promise<void>;
  };
  /** A second rail that shares nothing with this one. */
  another?(): Promise<BankHarness>;
}
