// Reads of the treasuries, and withdrawals from them.
import { post } from '../../../api/calls.ts';
import type { ProposeWithdrawalBody } from '../../../api/console-types.ts';
import { useAction } from '../../../api/query.ts';
import { useRead } from '../../../api/reads.ts';
import type { Mode } from '../../../frame/place.ts';

/** Not read again by itself: every read of businesses' data is in the audit log. */
export function useTreasuries(mode: Mode) {
  return useRead('/operator/treasury/{mode}', { params: { mode } });
}

export function useProposeWithdrawal(onDone: () => void) {
  return useAction((body: ProposeWithdrawalBody) => post('/operator/proposals/withdrawals', { body }), {
    refreshes: ['/operator/treasury', '/operator/proposals'],
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
