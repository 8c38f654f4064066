// What a rail provides for the contract suite: the adapter, its clock, its faults, and the bank's own books to compare with. A
// case that a rail does not support (for example, it reports nothing) is skipped.
import type { AccountDestination } from '../../../src/domain/records/movement.ts';
import type { Rail } from '../../../src/ports/rails/rail.ts';
import type { CreditLine } from '../../../src/ports/rails/rail-statement.ts';

export const TROUBLES = [
  /** The next call to pay this reference does not reach the rail: nothing is paid. */
  'pay_not_sent',
  /** The next call to pay this reference pays, and its response is lost. */
  'pay_answer_lost',
  /**
   * The next call to pay this reference pays, its response is lost, and for a while the rail gives no certain response about the
   * reference.
   */
  'pay_unclear',
  /** The next call to pay this reference pays, its response is lost, and for a while the rail does not know the reference. */
  'pay_not_found',
  /** The next call to pay this reference is finally refused, at once or later. */
  'pay_refused',
  /** The next call to pay this reference is refused because of the account. */
  'pay_bad_account',
  /** The next call to pay this reference is refused because our balance at the rail is too low. */
  'pay_no_money',
  /** The next call to pay this reference pays, and its response arrives too late. */
  'pay_late',
  /** The next call to pay this reference pays, and its response is cut off in the middle. */
  'pay_cut',
  /** The next call to pay this reference pays, and its response has an undocumented code. */
  'pay_undocumented',
  /** The next call to pay this reference pays, and its response has repeated fields with different values. */
  'pay_repeated_field',
  /** The response to the next query about this reference has an undocumented code. */
  'ask_undocumented',
  /** The response to the next query about this reference is "not found", although the rail knows it. */
  'ask_not_found',
  /** The next call to pay this reference pays, and the payout is returned after a while. */
  'paid_then_returned',
  /** The next call to pay this reference is reported as failed, and later as paid: the rail contradicts itself. */
  'failed_then_paid',
  /** The next balance query gets no response; the subject is empty. */
  'balance_lost',
  /** The next query about this reference gets no response. */
  'ask_lost',
  /** The next name lookup for this account number gets no response. */
  'enquiry_lost',
  /** The next read of the statement gets no response; the subject is empty. */
  'read_lost',
] as const;
export type Trouble = (typeof TROUBLES)[number];

/** A payment into one of our accounts, with the payer's data. */
export interface Arriving {
  readonly amountMinor: bigint;
  readonly payerName: string;
}

/** A line as the statement must show it, without the data that this bank masks or omits. */
export type Reported = Omit<CreditLine, 'valueAtMs' | 'raw'>;

export interface BankHarness {
  readonly rail: Rail;
  /** Another adapter on the same bank, as after a restart or in another process. */
  restarted(): Rail;
  /** The same rail while its bank is unreachable. Missing if the rail makes no connections. */
  unconnected?(): Rail;
  /**
   * The balance of the account that the rail pays from, in the bank's own books. Missing if the money of the account is
   * unlimited.
   */
  balanceMinor?(): bigint;
  /** An account that can be paid, with the holder's name as the bank spells it. */
  readonly account: AccountDestination & { readonly accountName: string };
  /** An account number that does not exist at the same bank. */
  readonly noAccount: string;
  readonly troubles: ReadonlySet<Trouble>;
  meet(trouble: Trouble, subject: string): Promise<void>;
  /** A little time passes. */
  pass(): Promise<void>;
  /** The amounts that were really paid for a reference, according to the bank's own books. */
  paid(reference: string): Promise<readonly bigint[]>;
  close(): Promise<void>;

  /** Events on our accounts at the bank. Missing if the rail reports nothing. */
  readonly outside?: {
    /** A line count that exceeds one page of the statement. */
    readonly manyLines: number;
    /** Whether a line can be reported more than once. */
    readonly repeats: boolean;
    /** `times`: how often the statement reports the payment. */
    payIn(arriving: Arriving, times: number): Promise<Reported>;
    /** Missing if the statement does not show reversals. */
    reverse?(sourceId: string): Promise<void>;
    /** A payout is returned. Missing if the statement does not show returned payouts, but a query does. */
    returnPayout?(reference: string): Promise<void>;
  };
  /** A second rail that shares nothing with this one. */
  another?(): Promise<BankHarness>;
}
