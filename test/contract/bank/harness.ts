// What a rail brings to the contract suite: itself, its time, its troubles, and the bank's own books to compare with. A
// case that a rail cannot meet (it reports nothing, say) is left out there.
import type { AccountDestination } from '../../../src/domain/records/movement.ts';
import type { Rail } from '../../../src/ports/rails/rail.ts';
import type { CreditLine } from '../../../src/ports/rails/rail-statement.ts';

export const TROUBLES = [
  /** The next call to pay this reference does not get through: nothing is paid. */
  'pay_not_sent',
  /** The next call to pay this reference pays, and its answer is lost. */
  'pay_answer_lost',
  /** The same, and for a while the rail gives no certain answer about the reference. */
  'pay_unclear',
  /** The same, and for a while the rail does not know the reference. */
  'pay_not_found',
  /** The next call to pay this reference is refused for good, at once or later. */
  'pay_refused',
  /** The next call to pay this reference is refused because of the account. */
  'pay_bad_account',
  /** The next call to pay this reference is refused because our money there is not enough. */
  'pay_no_money',
  /** The next call to pay this reference pays, and its answer comes too late. */
  'pay_late',
  /** The next call to pay this reference pays, and its answer is cut off in the middle. */
  'pay_cut',
  /** The next call to pay this reference pays, and is answered with a code that is in no documentation. */
  'pay_undocumented',
  /** The next call to pay this reference pays, and its answer has fields twice, with other values. */
  'pay_repeated_field',
  /** The next question about this reference is answered with a code that is in no documentation. */
  'ask_undocumented',
  /** The next question about this reference is answered with "not found", although the rail knows it. */
  'ask_not_found',
  /** The payout is made by the next call to pay this reference, and comes back after a while. */
  'paid_then_returned',
  /** The next call to pay this reference is called failed, and after a while paid: the rail breaks its word. */
  'failed_then_paid',
  /** The next question about the balance gets no answer; the subject is empty. */
  'balance_lost',
  /** The next question about this reference gets no answer. */
  'ask_lost',
  /** The next name enquiry about this account number gets no answer. */
  'enquiry_lost',
  /** The next reading of the statement gets no answer; the subject is empty. */
  'read_lost',
] as const;
export type Trouble = (typeof TROUBLES)[number];

/** A payment into one of our accounts, as the payer makes it. */
export interface Arriving {
  readonly amountMinor: bigint;
  readonly payerName: string;
}

/** A line as the statement must show it: with what this bank masks or leaves out. */
export type Reported = Omit<CreditLine, 'valueAtMs' | 'raw'>;

export interface BankHarness {
  readonly rail: Rail;
  /** Another adapter on the same bank, as after a restart or in another process. */
  restarted(): Rail;
  /** The same rail while its bank cannot be connected to. Missing: the rail makes no connections. */
  unconnected?(): Rail;
  /** What the bank's own books say is in the account it pays from. Missing: it has no end of money. */
  balanceMinor?(): bigint;
  /** An account that can be paid, with its holder's name as the bank has it. */
  readonly account: AccountDestination & { readonly accountName: string };
  /** The number of an account that does not exist at the same bank. */
  readonly noAccount: string;
  readonly troubles: ReadonlySet<Trouble>;
  meet(trouble: Trouble, subject: string): Promise<void>;
  /** A little time passes. */
  pass(): Promise<void>;
  /** The amounts that were really paid under a reference, by the bank's own books. */
  paid(reference: string): Promise<readonly bigint[]>;
  close(): Promise<void>;

  /** What happens on our accounts at the bank. Missing: the rail reports nothing. */
  readonly outside?: {
    /** More lines than fit on one page of the statement. */
    readonly manyLines: number;
    /** Whether a line can be reported more than once. */
    readonly repeats: boolean;
    /** `times`: how often the statement reports it. */
    payIn(arriving: Arriving, times: number): Promise<Reported>;
    /** Missing: the statement does not show what was taken back. */
    reverse?(sourceId: string): Promise<void>;
    /** A payout that was made comes back. Missing: the statement does not show it; asking does. */
    returnPayout?(reference: string): Promise<void>;
  };
  /** A second rail that shares nothing with this one. */
  another?(): Promise<BankHarness>;
}
