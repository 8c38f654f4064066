// A transaction as the session API answers it.

export interface Refund {
  readonly refund_id: string;
  readonly amount: number;
  readonly state: string;
  readonly destination: Readonly<Record<string, string | null>> | null;
  readonly tx_hash: string | null;
  readonly explorer_url: string | null;
  readonly bank_reference: string | null;
  readonly created_at: string;
}

export interface DepositInstruction {
  readonly network: string;
  readonly address: string;
  readonly memo: string | null;
  readonly memo_type: string | null;
  readonly asset: string;
  readonly expected_amount: number;
  readonly confirmations: number;
}

export interface Transaction {
  readonly transaction_id: string;
  readonly type: 'Buy' | 'Sell';
  readonly reference: string;
  readonly amount: number;
  readonly fee: number;
  readonly net_amount: number;
  readonly received_amount: number;
  readonly missing_amount: number;
  readonly refunded_amount: number;
  readonly link_account_name?: string;
  readonly link_account_number?: string;
  readonly link_bank_name?: string;
  readonly account_number: string;
  readonly account_name: string | null;
  readonly bank_name: string;
  readonly network: string | null;
  readonly wallet_address: string | null;
  readonly deposits?: readonly DepositInstruction[];
  readonly state: string;
  readonly state_reason: string;
  readonly state_message: string;
  readonly next_action: string | null;
  readonly exception: string | null;
  readonly tx_hash: string | null;
  readonly explorer_url: string | null;
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
  readonly refunds: readonly Refund[];
  /** Null: it was made without one. */
  readonly quote_id?: string | null;
  readonly payout?: { readonly bank_reference: string; readonly state: string } | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly expires_at: string;
}
