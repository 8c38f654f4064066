// Defines what a rail provides for the contract suite: its adapter, its clock, its faults, and the bank's own books for
// comparison. The suite skips a case that a rail does not support, for example because the rail reports no statement.
import type { AccountDestination } from '../../../src/domain/records/movement.ts';
import type { Rail } from '../../../src/ports/rails/rail.ts';
import type { CreditLine } from '../../../src/ports/rails/rail-statement.ts';

export const TROUBLES = [
  /** The next call to pay this reference does not reach the rail, and nothing is paid. */
  'pay_not_sent',
  /** The next call to pay this reference pays, and its response is lost. */
  'pay_answer_lost',
  /**
   * The next call to pay this reference pays, but its response is lost. For a while the rail gives no certain response about
   * the reference.
   */
  'pay_unclear',
  /** The next call to pay this reference pays, but its response is lost. For a while the rail does not know the reference. */
  'pay_not_found',
  /** The rail finally refuses the next call to pay this reference, at once or later. */
  'pay_refused',
  /** The rail refuses the next call to pay this reference because of the recipient's account. */
  'pay_bad_account',
  /** The rail refuses the next call to pay this reference because our balance at the rail is too low. */
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
  /** The next call to pay this reference pays, and after a while the payout is returned. */
  'paid_then_returned',
  /** The rail reports the next call to pay this reference as failed, and later as paid. So the rail contradicts itself. */
  'failed_then_paid',
  /** The next balance query gets no response. This trouble has an empty subject. */
  'balance_lost',
  /** The next query about this reference gets no response. */
  'ask_lost',
  /** The next lookup of the account name for this account number gets no response. */
  'enquiry_lost',
  /** The next read of the statement gets no response. This trouble has an empty subject. */
  'read_lost',
] as const;
export type Trouble = (typeof TROUBLES)[number];

export interface Arriving {
  readonly amountMinor: bigint;
  readonly payerName: string;
}

/** A statement line as the statement must show it, without the data that this bank masks or omits. */
export type Reported = Omit<CreditLine, 'valueAtMs' | 'raw'>;

export interface BankHarness {
  readonly rail: Rail;
  restarted(): Rail;
  /** Opens the same rail while its bank cannot be reached. It is missing if the rail makes no connections. */
  unconnected?(): Rail;
  /**
   * Returns the balance of the account from which the rail pays, in the bank's own books. It is missing if the money of the
   * account is unlimited.
   */
  balanceMinor?(): bigint;
  /** An account that the rail can pay, with the holder's name as the bank spells it. */
  readonly account: AccountDestination & { readonly accountName: string };
  readonly noAccount: string;
  readonly troubles: ReadonlySet<Trouble>;
  meet(trouble: Trouble, subject: string): Promise<void>;
  pass(): Promise<void>;
  paid(reference: string): Promise<readonly bigint[]>;
  close(): Promise<void>;

  /** Causes events on our accounts at the bank. It is missing if the rail reports no events. */
  readonly outside?: {
    /** A number of lines that exceeds one page of the statement. */
    readonly manyLines: number;
    readonly repeats: boolean;
    /** `times` is how often the statement reports the payment. */
    payIn(arriving: Arriving, times: number): Promise<Reported>;
    /** Reverses a payment. It is missing if the statement does not show reversals. */
    reverse?(sourceId: string): Promise<void>;
    /** Returns a payout to our account. It is missing if only a query shows returned payouts, and the statement does not. */
    returnPayout?(reference: string): Promise<void>;
  };
  another?(): Promise<BankHarness>;
}
