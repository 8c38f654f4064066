// How a tester drives the simulated bank and networks of test mode. What happens here is the outside world's doing: the
// service learns of it the way it learns of a real payment.

export const SCENARIOS = [
  'paid',
  'underpaid',
  'overpaid',
  'late',
  'duplicate',
  'name_mismatch',
  'reversed',
  'send_fails',
  'send_unknown',
  'send_dropped',
  'send_reorganised',
  'no_trustline',
  'payout_fails',
  'payout_unknown',
  'payout_name_mismatch',
  'payout_returned',
  'deposit_short',
  'deposit_over',
  'deposit_split',
  'deposit_late',
] as const;
export type Scenario = (typeof SCENARIOS)[number];

/** Examples for test mode, valid by the rules of each network. */
export const EXAMPLE_WALLETS: Readonly<Record<string, string>> = {
  polygon: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  avalanche: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  stellar: 'GADQOBYHA4DQOBYHA4DQOBYHA4DQOBYHA4DQOBYHA4DQOBYHA4DQOZPI',
  solana: 'US517G5965aydkZ46HS38QLi7UQiSojurfbQfKCELFx',
};
export const EXAMPLE_NETWORK = 'Polygon';
export const EXAMPLE_ACCOUNT = { bank: 'GTBank', cbnCode: '058', name: 'Adaeze Okafor' } as const;

export interface TesterCredit {
  readonly businessId: string;
  readonly creditId: string;
}

export interface SandboxCredit {
  /**
   * The business whose tester makes it, which is the only one it can pay for, and the id of the credit, everywhere. Missing: as
   * a real bank reports a payment, for any business.
   */
  readonly tester?: TesterCredit;
  readonly accountNumber: string;
  readonly accountBankCode: string | null;
  readonly amountMinor: bigint;
  readonly payerAccount: string | null;
  readonly payerBankName: string | null;
  readonly payerName: string | null;
  readonly narration: string | null;
  readonly sessionId: string | null;
}

export interface SandboxDeposit {
  readonly network: string;
  readonly address: string;
  readonly memo: string | null;
  readonly amountMinor: bigint;
}

export interface Sandbox {
  /**
   * A payment arrives. Given again under the same id it is the same payment. `copies`: how often the bank reports it.
   */
  payIn(id: string, credit: SandboxCredit, copies: number): Promise<void>;
  /** The bank takes a payment back. False: it knows no such payment. Taking back twice is taking back once. */
  reverse(payment: string | TesterCredit): Promise<boolean>;
  /** Whether tokens can be made to arrive on this network: not where they are real. */
  sendsOn(network: string): boolean;
  /** Tokens arrive. Given again under the same id it is the same transfer. Answers its transaction hash. */
  deposit(id: string, deposit: SandboxDeposit): Promise<string>;
  /** The bank returns a payout it had made. */
  returnPayout(reference: string): Promise<boolean>;
}

/** A story that a transaction was created with, and how far it was played. */
export interface Play {
  readonly transactionId: string;
  readonly scenario: Scenario;
  readonly step: number;
  readonly version: number;
}

export interface Plays {
  /** Plays that are due, leased to the caller: the version it answers is the fence. */
  lease(request: {
    readonly atMs: number;
    readonly leaseMs: number;
    readonly limit: number;
  }): Promise<readonly Play[]>;
  /** The next step and when; null: the story is over. A play that moved on meanwhile is left alone. */
  move(play: Play, next: { readonly step: number; readonly dueAtMs: number } | null): Promise<void>;
}
