// Books tokens that arrived in a treasury before the service first watched it. Two people book at most the final balance on the
// chain minus the balance in the books. Two people can reverse a booking while its tokens are free.
import { entryOf } from '../ledger/ledger.ts';
import { formatDecimal, parseDecimal, tokenToKobo } from '../values/money.ts';
import { ok, type Result } from '../values/result.ts';
import {
  type Decider,
  type FundingDetail,
  type Plan,
  type ReviewRefusal,
  refuse,
  type UnfundingDetail,
} from './proposal.ts';
import { withdrawalAccounts } from './withdrawal.ts';

export function bookFunding(
  { mode, asset, amount }: FundingDetail,
  facts: {
    readonly id: string;
    readonly decimals: number;
    /** The final balance of the treasury on the chain. */
    readonly finalMinor: bigint;
    /** The balance of the treasury in the books, plus deposits that were seen but are not booked yet. */
    readonly heldMinor: bigint;
  },
  { atMs }: Decider,
): Result<Plan, ReviewRefusal> {
  const { id, decimals, finalMinor, heldMinor } = facts;
  const tokens = parseDecimal(amount, decimals);
  if (tokens === undefined) return refuseAmount(decimals);
  const spareMinor = finalMinor > heldMinor ? finalMinor - heldMinor : 0n;
  if (tokens > spareMinor) {
    const [most, there, held] = [spareMinor, finalMinor, heldMinor].map((each) =>
      formatDecimal(each, decimals),
    );
    return refuse(
      'not_possible',
      `At most ${most} ${asset} may be booked: the final balance of the treasury on the chain is ${there}, and the books already have ${held}, including deposits that are not swept or not final yet.`,
    );
  }
  const entries = [entryOf('treasury_funded', { mode, subjectId: id, asset, amounts: { tokens } })];
  return ok({ mode, amountMinor: tokenToKobo(tokens, decimals).kobo, change: { atMs, entries } });
}

export function undoFunding(
  { mode, asset, amount, fundingId }: UnfundingDetail,
  facts: {
    readonly decimals: number;
    /** The amount of the funding that remains. */
    readonly leftMinor: bigint;
    /** The balances of the accounts that `withdrawalAccounts` lists. */
    readonly balances: ReadonlyMap<string, bigint>;
  },
  { atMs }: Decider,
): Result<Plan, ReviewRefusal> {
  const { decimals, leftMinor, balances } = facts;
  const tokens = parseDecimal(amount, decimals);
  if (tokens === undefined) return refuseAmount(decimals);
  if (tokens > leftMinor)
    return refuse(
      'not_possible',
      `Only ${formatDecimal(leftMinor, decimals)} ${asset} of ${fundingId} are left.`,
    );
  const accounts = withdrawalAccounts(mode, asset);
  const sumMinor = accounts.reduce((sum, key) => sum + (balances.get(key) ?? 0n), 0n);
  const freeMinor = sumMinor < 0n ? 0n : sumMinor;
  if (tokens > freeMinor)
    return refuse(
      'not_possible',
      `Only ${formatDecimal(freeMinor, decimals)} ${asset} are free: the rest is set aside, sent, or not ours.`,
    );
  const of = { mode, subjectId: fundingId, asset, amounts: { tokens } };
  const change = {
    ...{ atMs, entries: [entryOf('treasury_funding_undone', of)] },
    conditions: [{ notNegative: accounts }],
  };
  return ok({ mode, amountMinor: tokenToKobo(tokens, decimals).kobo, change });
}

function refuseAmount(decimals: number) {
  return refuse(
    'invalid',
    `The amount must be more than zero and have at most ${decimals} decimals, such as 1500 or 1500.50.`,
  );
}
