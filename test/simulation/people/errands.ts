// The customers' errands, generated from the seed: about forty buys and sells. They are paid early, late, short, twice, by equal
// claims, or never.
import { SCENARIOS, type Scenario } from '../../../src/ports/sandbox.ts';
import type { Dice } from '../../support/dice.ts';
import { accountOf, NETWORKS, ownerOf, walletOn } from '../world/places.ts';

export interface Errand {
  readonly reference: string;
  readonly type: 'buy' | 'sell';
  readonly business: number;
  readonly vendor: number;
  readonly amountMinor: bigint;
  readonly accountNumber: string;
  readonly accountName: string;
  readonly network: string;
  /** Null if the request names no wallet. */
  readonly wallet: string | null;
  /** When the business sets a wallet that the request did not name; null if it never sets one. */
  readonly walletAfterMs: number | null;
  readonly laterWallet: string;
  readonly idempotencyKey: string | null;
  readonly startMs: number;
  readonly cancelAfterMs: number | null;
  readonly how: How;
  readonly scenario: Scenario | null;
}

const BUY_HOWS = {
  exact: 30,
  early: 8,
  late: 5,
  short: 4,
  in_two_parts: 4,
  over: 5,
  paid_twice: 5,
  reported_twice: 4,
  reversed_soon: 3,
  reversed_later: 4,
  over_reversed: 4,
  part_reversed: 4,
  reversed_twice: 2,
  other_name: 3,
  masked: 5,
  masked_namesake: 3,
  by_reference: 3,
  other_account: 2,
  unpaid: 5,
  story: 6,
} as const;

const SELL_HOWS = {
  exact: 30,
  split: 8,
  late: 5,
  short: 5,
  over: 5,
  paid_twice: 4,
  reported_twice: 5,
  wrong_token: 3,
  dust: 4,
  returned: 5,
  returned_twice: 4,
  unpaid: 4,
  story: 8,
} as const;

export type How = keyof typeof BUY_HOWS | keyof typeof SELL_HOWS;

export const BANK = 'GTBank';
const COMMON_MINOR = [2_000_000n, 5_000_000n, 2_500_050n] as const;

export function drawErrands(dice: Dice, count: number, spanMs: number): readonly Errand[] {
  const errands: Errand[] = [];
  while (errands.length < count) {
    const one = drawErrand(dice, errands.length, spanMs);
    errands.push(one);
    if (one.type === 'buy' && dice.percent(10)) errands.push(twinOf(dice, one, errands.length, spanMs));
  }
  return errands.slice(0, count);
}

function drawErrand(dice: Dice, number: number, spanMs: number): Errand {
  const type = dice.percent(60) ? 'buy' : 'sell';
  const how: How = type === 'buy' ? dice.weighted(BUY_HOWS) : dice.weighted(SELL_HOWS);
  // Wallets on Stellar may not be ready at first, so banks reverse more payments before the send.
  const network = how.includes('reversed') && dice.percent(50) ? 'Stellar' : dice.pick(NETWORKS);
  const named = type === 'buy' ? dice.percent(90) : dice.percent(60);
  const accountNumber = accountOf(dice.percent(70) ? dice.between(10, 99) : dice.between(1, 5));
  return {
    // The service ignores a reference that a payer could write by chance, so this reference is longer.
    reference: how === 'by_reference' ? `${type}-order-${number}` : `${type}-${number}`,
    type,
    business: dice.below(3),
    vendor: dice.below(3),
    amountMinor: dice.percent(30) ? dice.pick(COMMON_MINOR) : BigInt(dice.between(1_500_000, 9_000_000)),
    accountNumber,
    accountName: ownerOf(accountNumber),
    network,
    wallet: named ? walletOn(network, dice) : null,
    laterWallet: walletOn(network, dice),
    walletAfterMs: dice.percent(70) ? dice.between(100, 100_000) : null,
    idempotencyKey: dice.percent(30) ? `once-${number}` : null,
    startMs: dice.below(spanMs),
    cancelAfterMs: dice.percent(6) ? dice.below(30_000) : null,
    how,
    scenario: how === 'story' ? dice.pick(SCENARIOS) : null,
  };
}

const CROWD = 27;

/** A few seeds have a payer with more open buys than the service checks one by one, and a payer who cancels and pays anyway. */
export function drawCrowd(dice: Dice, spanMs: number): readonly Errand[] {
  if (!dice.percent(3)) return [];
  const accountNumber = accountOf(dice.between(10, 99));
  const network = dice.pick(NETWORKS);
  const common = {
    ...({ type: 'buy', business: dice.below(3), vendor: dice.below(3), accountNumber, network } as const),
    ...{ accountName: ownerOf(accountNumber), walletAfterMs: null, idempotencyKey: null, scenario: null },
    ...{ wallet: walletOn(network, dice), laterWallet: walletOn(network, dice), startMs: dice.below(spanMs) },
  };
  return Array.from({ length: CROWD + 1 }, (_, no): Errand => {
    const given = no === CROWD;
    return {
      ...{ ...common, reference: `buy-crowd-${no}`, amountMinor: BigInt(10_000_001 + no * 7) },
      ...{ how: given ? 'exact' : 'unpaid', cancelAfterMs: given ? 50 : null },
    };
  });
}

function twinOf(dice: Dice, one: Errand, number: number, spanMs: number): Errand {
  return {
    ...one,
    reference: `${one.type}-${number}`,
    idempotencyKey: null,
    business: dice.percent(60) ? one.business : (one.business + 1) % 3,
    startMs: dice.percent(50) ? one.startMs : dice.below(spanMs),
    how: dice.pick(['exact', 'unpaid', 'early'] as const),
    wallet: number % 3 === 0 ? one.laterWallet : one.wallet,
    scenario: null,
  };
}
