// The treasuries as the service answers them.
import { post } from '../../../api/client.ts';
import { useAction, useRead } from '../../../api/query.ts';

export interface Send {
  readonly movement_id: string;
  readonly kind: string;
  readonly state: string;
  readonly reason: string | null;
  readonly network: string;
  readonly asset: string;
  readonly amount: string | null;
  readonly address: string | null;
  readonly transaction_id: string | null;
  readonly tx_hash: string | null;
  readonly explorer_url: string | null;
  readonly created_at: string;
}

export interface Provider {
  readonly name: string;
  readonly answers: boolean;
  readonly problem: string | null;
  readonly failures: number;
  readonly silent_seconds: number;
}

export interface Chain {
  readonly address: string;
  readonly balance: string;
  readonly low_mark: string;
  readonly unswept: string;
  readonly drift: string;
  readonly low: readonly ('token' | 'native')[];
  readonly gas: { readonly asset: string; readonly balance: string; readonly low_mark: string };
  readonly read_at: string;
}

export interface Treasury {
  readonly network: string;
  readonly asset: string;
  readonly decimals: number;
  /** Null: simulated, or no provider answered. */
  readonly chain: Chain | null;
  readonly problem: string | null;
  readonly booked: string;
  readonly free: string;
  readonly reserved: string;
  readonly in_flight: string;
  readonly halted: { readonly reason: string; readonly since: string } | null;
  readonly caps: {
    readonly per_payment: string | null;
    readonly per_day: string | null;
    readonly today: string;
  } | null;
  readonly providers: readonly Provider[];
  readonly sends: readonly Send[];
}

export interface Treasuries {
  readonly treasuries: readonly Treasury[];
  readonly disabled: readonly { readonly network: string; readonly problem: string }[];
  readonly withdrawals: readonly Send[];
}

const TREASURY = '/operator/treasury';

/** Not read again by itself: every read of businesses' data is in the audit log. */
export function useTreasuries(mode: string) {
  return useRead<Treasuries>(`${TREASURY}/${mode}`);
}

export interface Withdrawal {
  readonly network: string;
  readonly address: string;
  readonly amount: string;
}

export function useProposeWithdrawal(mode: string, onDone: () => void) {
  return useAction((given: Withdrawal) => post('/operator/proposals/withdrawals', { mode, ...given }), {
    refreshes: [TREASURY, '/operator/proposals'],
    done: 'Proposed. Nothing leaves the treasury until another person approves it under Proposals.',
    onDone,
    quiet: true,
  });
}

/** How large a part is of a whole, in percent. Amounts have the same decimals, so their digits can be compared. */
export function percentOf(part: string, whole: string): number {
  const total = digitsOf(whole);
  return total <= 0n ? 0 : Number((digitsOf(part) * 10_000n) / total) / 100;
}

export function larger(a: string, b: string): string {
  return digitsOf(a) >= digitsOf(b) ? a : b;
}

function digitsOf(amount: string): bigint {
  return BigInt(amount.replace('.', ''));
}
