// How a tester controls the simulated bank and networks of test mode. These actions happen outside of the service, and the
// service learns of them in the same way as of a real payment.

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

/** Example wallets for test mode. Each wallet is valid by the rules of its network. */
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
   * The business of the tester, and the id that the credit has everywhere. This payment can pay only for this business. Missing
   * for a payment that any business may receive, as a real bank reports it.
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
   * Makes a payment arrive at the simulated bank. A second call with the same id makes no second payment. `copies`: how often
   * the bank reports the payment.
   */
  payIn(id: string, credit: SandboxCredit, copies: number): Promise<void>;
  /**
   * Makes the simulated bank reverse a payment. The result is false if the bank knows no such payment. A second reversal has no
   * effect.
   */
  reverse(payment: string | TesterCredit): Promise<boolean>;
  /** Whether the sandbox can make tokens arrive on this network. It cannot do so on a network with real tokens. */
  sendsOn(network: string): boolean;
  /**
   * Makes tokens arrive on a network, and returns the hash of the transfer. A second call with the same id makes no second
   * transfer.
   */
  deposit(id: string, deposit: SandboxDeposit): Promise<string>;
  /** Makes the simulated bank return a payout that it has made. */
  returnPayout(reference: string): Promise<boolean>;
}

/** The scenario that a transaction was created with, and the step that the sandbox has reached. */
export interface Play {
  readonly transactionId: string;
  readonly scenario: Scenario;
  readonly step: number;
  readonly version: number;
}

export interface Plays {
  /** Leases due scenarios to the caller. The returned version is the fencing token. */
  lease(request: {
    readonly atMs: number;
    readonly leaseMs: number;
    readonly limit: number;
  }): Promise<readonly Play[]>;
  /**
   * Stores the next step of the scenario and its time. Null means that the scenario has ended. If another process has moved the
   * scenario, nothing changes.
   */
  move(play: Play, next: { readonly step: number; readonly dueAtMs: number } | null): Promise<void>;
}
