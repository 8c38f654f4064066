// How a tester controls the simulated bank and networks of test mode. The actions here happen outside of the service: the service
// learns of them in the same way as of a real payment.

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

/** Example wallets for test mode; each is valid by the rules of its network. */
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
   * The business of the tester, which is the only business that this payment can pay for, and the id that the credit has
   * everywhere. Missing for a payment that any business may receive, as a real bank reports it.
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
   * A payment arrives. A second call with the same id does not make a second payment. `copies`: how often the bank reports the
   * payment.
   */
  payIn(id: string, credit: SandboxCredit, copies: number): Promise<void>;
  /** The bank reverses a payment. False if the bank knows no such payment. A second reversal has no effect. */
  reverse(payment: string | TesterCredit): Promise<boolean>;
  /** Whether the sandbox can make tokens arrive on this network; it cannot if the tokens are real. */
  sendsOn(network: string): boolean;
  /** Tokens arrive. A second call with the same id does not make a second transfer. Returns its transaction hash. */
  deposit(id: string, deposit: SandboxDeposit): Promise<string>;
  /** The bank returns a payout that it had made. */
  returnPayout(reference: string): Promise<boolean>;
}

/** The scenario that a transaction was created with, and the step that it has reached. */
export interface Play {
  readonly transactionId: string;
  readonly scenario: Scenario;
  readonly step: number;
  readonly version: number;
}

export interface Plays {
  /** Leases due plays to the caller; the returned version is the fencing token. */
  lease(request: {
    readonly atMs: number;
    readonly leaseMs: number;
    readonly limit: number;
  }): Promise<readonly Play[]>;
  /**
   * Stores the next step and its time; null means that the scenario has ended. If another process has moved the play, nothing is
   * changed.
   */
  move(play: Play, next: { readonly step: number; readonly dueAtMs: number } | null): Promise<void>;
}
