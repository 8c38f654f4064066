// Tokens that the operator withdraws from a treasury: to redeem them, to keep them elsewhere, or to move them to another
// wallet. Two people name the amount and the destination, and the amount is reserved when they approve. Tokens that belong to
// others stay in the treasury. The free amount is checked here, to give people a readable answer, and again in the commit,
// because settlement continues in between.
import { type LedgerAccountName, ledgerKey } from '../ledger/chart-of-accounts.ts';
import { entryOf } from '../ledger/ledger.ts';
import { newMovement, type WalletDestination } from '../records/movement.ts';
import type { Mode } from '../values/mode.ts';
import { formatNaira, koboToToken, tokenAsset, tokenToKobo } from '../values/money.ts';
import { ok, type Result } from '../values/result.ts';
import { type Decider, type Plan, type ReviewRefusal, refuse, type WithdrawalDetail } from './proposal.ts';

/** Ledger accounts of tokens in the treasury that do not belong to us yet, or no longer belong to us. */
const OWED_ACCOUNTS = ['suspense', 'refunds_due', 'dust'] as const satisfies readonly LedgerAccountName[];

/**
 * The ledger accounts that determine how many tokens may leave. Debits are positive, so the sum of these accounts is the free
 * amount.
 */
export function withdrawalAccounts(mode: Mode, asset: string): readonly string[] {
  return (['treasury', ...OWED_ACCOUNTS] as const).map((name) => ledgerKey(mode, asset, name));
}

export function withdrawTokens(
  { mode, nairaMinor }: WithdrawalDetail,
  facts: {
    readonly id: string;
    readonly network: {
      readonly name: string;
      readonly asset: { readonly code: string; readonly decimals: number };
    };
    readonly target: WalletDestination;
    readonly balances: ReadonlyMap<string, bigint>;
  },
  { atMs }: Decider,
): Result<Plan, ReviewRefusal> {
  const { id, network, target, balances } = facts;
  const { code, decimals } = network.asset;
  if (nairaMinor <= 0n) return refuse('invalid', 'The amount must be more than zero.');
  const tokens = koboToToken(nairaMinor, decimals);
  if (tokens === undefined)
    return refuse(
      'invalid',
      `${code} on ${network.name} has ${decimals} decimals: use an amount with at most that many.`,
    );
  const asset = tokenAsset(code, network.name);
  const accounts = withdrawalAccounts(mode, asset);
  const freeMinor = accounts.reduce((sum, key) => sum + (balances.get(key) ?? 0n), 0n);
  if (tokens > freeMinor) {
    const { kobo } = tokenToKobo(freeMinor < 0n ? 0n : freeMinor, decimals);
    return refuse(
      'not_possible',
      `At most ${formatNaira(kobo)} may leave ${network.name}: the free tokens, less those that belong to others.`,
    );
  }
  const movement = newMovement({
    ...{ id, kind: 'withdrawal', mode, asset, nairaMinor, atMs },
    network: network.name,
    amountMinor: tokens,
    destination: target,
  });
  const entries = [entryOf('withdrawal_reserved', { mode, subjectId: id, asset, amounts: { tokens } })];
  const conditions = [{ notNegative: accounts }];
  const change = { atMs, newMovements: [movement], entries, conditions };
  return ok({ mode, amountMinor: nairaMinor, change });
}
