// The lifecycles of a chaos run, generated from a seed: the stories, the customers, the network, and how money arrives. The same
// seed gives the same lifecycles.
import { type Dice, makeDice } from '../dice.ts';
import { buyBody, sellBody, type TestBusiness } from '../service.ts';
import { WALLETS } from '../wallets.ts';

/** `paid_by_hand`: the payment is made through the sandbox's own route and not by a scenario. */
export type Story = 'paid_by_hand' | 'rivals' | (typeof STORIES)['buy' | 'sell'][number][0];
type Type = 'buy' | 'sell';

const STORIES = {
  buy: [
    ['paid', 40],
    ['duplicate', 6],
    ['overpaid', 6],
    ['underpaid', 3],
    ['name_mismatch', 3],
    ['late', 4],
    ['send_fails', 4],
    ['send_unknown', 6],
    ['send_dropped', 5],
    ['send_reorganised', 5],
    ['no_trustline', 3],
    ['reversed', 2],
  ],
  sell: [
    ['paid', 30],
    ['duplicate', 4],
    ['payout_fails', 5],
    ['payout_unknown', 6],
    ['payout_returned', 2],
    ['payout_name_mismatch', 2],
    ['deposit_split', 6],
    ['deposit_over', 4],
    ['deposit_short', 3],
    ['deposit_late', 4],
  ],
} as const satisfies Record<Type, readonly (readonly [string, number])[]>;

export interface Lifecycle {
  readonly reference: string;
  readonly type: Type;
  readonly story: Story;
  readonly business: TestBusiness;
  readonly body: Readonly<Record<string, unknown>>;
}

export type Step =
  | { readonly kind: 'claim'; readonly lifecycle: Lifecycle }
  | {
      readonly kind: 'credit';
      readonly key: string;
      readonly business: TestBusiness;
      readonly body: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: 'pause'; readonly forMs: number };

export type Errand = readonly Step[];

const VENDORS = [
  { vendor_name: 'Sandbox Vendor One', vendor_number: '9900000011', vendor_bank: 'Providus Bank' },
  { vendor_name: 'Sandbox Vendor Two', vendor_number: '9900000028', vendor_bank: 'Wema Bank' },
] as const;
const NETWORKS = ['Polygon', 'Stellar', 'Solana', 'Avalanche'] as const;
const NAMES = ['Adaeze Okafor', 'Musa Ibrahim', 'Folake Adeyemi', 'Chinedu Eze'] as const;
/** The number of errands of each of these kinds among a hundred errands. */
const BY_HAND = 12;
const TWINS = 4;
const RIVALS = 2;
const LONGEST_PAUSE_MS = 1_600;

export function drawErrands(seed: string, count: number, businesses: readonly TestBusiness[]): Errand[] {
  const dice = makeDice(`${seed} stories`);
  const errands: Errand[] = [];
  for (let made = 0; made < count; ) {
    const drawn = dice.below(100);
    const errand =
      drawn < BY_HAND
        ? byHand(dice, made, businesses)
        : drawn < BY_HAND + TWINS
          ? twins(dice, made, businesses)
          : drawn < BY_HAND + TWINS + RIVALS
            ? rivals(dice, made, businesses)
            : [claim(storyOf(dice, made, businesses))];
    errands.push(errand);
    made += errand.filter((step) => step.kind === 'claim').length;
  }
  return errands;
}

export function claimsOf(errands: readonly Errand[]): Lifecycle[] {
  return errands.flat().flatMap((step) => (step.kind === 'claim' ? [step.lifecycle] : []));
}

const claim = (lifecycle: Lifecycle): Step => ({ kind: 'claim', lifecycle });

function storyOf(dice: Dice, number: number, businesses: readonly TestBusiness[]): Lifecycle {
  const type = dice.below(3) === 0 ? 'sell' : 'buy';
  const rows: readonly (readonly [Story, number])[] = STORIES[type];
  const story = dice.pick(rows.flatMap(([story, weight]) => Array<Story>(weight).fill(story)));
  return lifecycle(dice, number, type, story, dice.pick(businesses));
}

function lifecycle(dice: Dice, number: number, type: Type, story: Story, business: TestBusiness): Lifecycle {
  const network = story === 'no_trustline' ? 'Stellar' : dice.pick(NETWORKS);
  const body = {
    reference: `chaos-${number}`,
    // Amounts have kobo, and sometimes an odd number of kobo, because a story splits amounts in half. Many transactions share
    // some amounts.
    amount: dice.below(4) === 0 ? 20_000 : (2_000_000 + dice.below(2_000_000)) / 100,
    account_number: `1${String(number).padStart(9, '0')}`,
    account_name: dice.pick(NAMES),
    network,
    wallet_address: WALLETS[network]!(1 + dice.below(200)),
  };
  const full =
    type === 'sell' ? sellBody(business, body) : buyBody(business, { ...body, ...dice.pick(VENDORS) });
  return { reference: body.reference, type, story, business, body: full };
}

function payment({ business, body, reference }: Lifecycle, nth = 1): Step {
  const { vendor_number, amount, account_number, bank_name, account_name } = body;
  return {
    kind: 'credit',
    key: `${reference}-payment-${nth}`,
    business,
    body: {
      vendor_number,
      amount,
      payer_account_number: account_number,
      payer_bank_name: bank_name,
      payer_name: account_name,
    },
  };
}

/** The money may arrive before the buyer claims it. */
function byHand(dice: Dice, number: number, businesses: readonly TestBusiness[]): Errand {
  const one = lifecycle(dice, number, 'buy', 'paid_by_hand', dice.pick(businesses));
  const pause: Step = { kind: 'pause', forMs: dice.below(LONGEST_PAUSE_MS) };
  return dice.below(2) === 0 ? [claim(one), pause, payment(one)] : [payment(one), pause, claim(one)];
}

/** Two equal claims of one business for one wallet, with two equal payments. Each payment pays one claim. */
function twins(dice: Dice, number: number, businesses: readonly TestBusiness[]): Errand {
  const one = lifecycle(dice, number, 'buy', 'paid_by_hand', dice.pick(businesses));
  const reference = `chaos-${number + 1}`;
  const other = { ...one, reference, body: { ...one.body, reference } };
  const pause: Step = { kind: 'pause', forMs: dice.below(2) * dice.below(LONGEST_PAUSE_MS) };
  return [claim(one), claim(other), payment(one, 1), pause, payment(one, 2)];
}

/**
 * Two equal claims and one payment without further data: the payment pays neither claim. Both claims belong to one business,
 * because a tester's payment is only for that business. Claims of two businesses are tested in
 * src/app/settlement/rival-claims.test.ts and in the simulation.
 */
function rivals(dice: Dice, number: number, businesses: readonly TestBusiness[]): Errand {
  const one = lifecycle(dice, number, 'buy', 'rivals', businesses[0]!);
  const reference = `chaos-${number + 1}`;
  return [claim(one), claim({ ...one, reference, body: { ...one.body, reference } }), payment(one)];
}
