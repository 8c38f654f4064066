// The ledger entries of each step of a movement: reserve, send, finish, unsend, release. Sends, payouts and refunds share this
// file, so that no step misses a posting.
import type { TransferCharges } from '../catalogue/bank-charges.ts';
import { type Entry, entryOf, type LedgerEvent } from '../ledger/ledger.ts';
import type { Change } from '../records/change.ts';
import type { Deposit } from '../records/deposit.ts';
import { type EndedSetUp, type Movement, newMovement, type SignedSetUp } from '../records/movement.ts';
import type { Mode } from '../values/mode.ts';
import { tokenAsset } from '../values/money.ts';

type MovementStep = 'reserve' | 'send' | 'finish' | 'unsend' | 'release';

const STEP_EVENTS: Readonly<
  Record<
    'send' | 'payout' | 'bank_refund' | 'token_refund' | 'sweep' | 'withdrawal',
    Record<MovementStep, LedgerEvent | null>
  >
> = {
  send: {
    reserve: 'tokens_reserved',
    send: 'tokens_sent',
    finish: 'tokens_confirmed',
    unsend: 'tokens_unsent',
    release: 'reservation_released',
  },
  payout: {
    reserve: 'payout_reserved',
    send: null,
    finish: 'payout_paid',
    unsend: null,
    release: 'payout_released',
  },
  bank_refund: {
    reserve: 'refund_reserved',
    send: null,
    finish: 'refund_paid',
    unsend: null,
    release: 'refund_released',
  },
  token_refund: {
    reserve: 'token_refund_reserved',
    send: 'token_refund_sent',
    finish: 'token_refund_paid',
    unsend: 'token_refund_unsent',
    release: 'token_refund_released',
  },
  // The ledger counted the tokens when they arrived. A sweep only changes where the tokens are.
  sweep: { reserve: null, send: null, finish: null, unsend: null, release: null },
  // The tokens of a withdrawal were reserved when two people approved it.
  withdrawal: {
    reserve: null,
    send: 'withdrawal_sent',
    finish: 'withdrawal_made',
    unsend: 'withdrawal_unsent',
    release: 'withdrawal_released',
  },
};

export function stepEntries(movement: Movement, step: MovementStep, feeMinor = 0n): readonly Entry[] {
  const event = STEP_EVENTS[findEntryKind(movement)][step];
  if (event === null) return [];
  const { mode, asset, amountMinor, nairaMinor } = movement;
  const subjectId = movement.transactionId ?? movement.id;
  return [
    entryOf(event, {
      mode,
      subjectId,
      asset,
      payoutAccount: movement.bankAccount,
      amounts: { tokens: amountMinor, amount: nairaMinor, fee: feeMinor },
    }),
  ];
}

/** The ledger entries that release the tokens of a send. The fee of this send is not earned. */
export function releaseEntries(movement: Movement, feeMinor: bigint): readonly Entry[] {
  const released = stepEntries(movement, 'release');
  if (movement.kind !== 'send' || feeMinor === 0n) return released;
  const of = { mode: movement.mode, subjectId: movement.transactionId! };
  return [...released, entryOf('fee_returned', { ...of, amounts: { amount: feeMinor } })];
}

/** `charges`: the parts from the table of bank charges, or one sum if the rail reports its charge. */
export function chargeEntries(movement: Movement, charges: bigint | TransferCharges): readonly Entry[] {
  const subjectId = movement.transactionId ?? movement.id;
  const { mode, bankAccount: payoutAccount } = movement;
  const parts =
    typeof charges === 'bigint' ? { feeMinor: charges, vatMinor: 0n, stampDutyMinor: 0n } : charges;
  const amounts: readonly (readonly [LedgerEvent, bigint])[] = [
    ['bank_charged', parts.feeMinor],
    ['vat_charged', parts.vatMinor],
    ['stamp_duty_charged', parts.stampDutyMinor],
  ];
  return amounts
    .filter(([, amount]) => amount !== 0n)
    .map(([event, amount]) => entryOf(event, { mode, subjectId, payoutAccount, amounts: { amount } }));
}

export interface NetworkCost {
  readonly asset: string;
  readonly feeMinor: bigint;
  readonly openedMinor: bigint;
  readonly closedMinor: bigint;
}

export function costEntries(movement: Movement, cost: NetworkCost | null): readonly Entry[] {
  const { mode, network } = movement;
  const subjectId = movement.transactionId ?? movement.id;
  return networkEntries({ mode, network: network!, subjectId, opened: 'recipient_account_opened' }, cost);
}

/** `opened`: the ledger event for token accounts that the payment opened. */
function networkEntries(
  of: {
    readonly mode: Mode;
    readonly network: string;
    readonly subjectId: string;
    readonly opened: 'recipient_account_opened' | 'treasury_account_opened';
  },
  cost: NetworkCost | null,
): readonly Entry[] {
  if (cost === null) return [];
  const { mode, network, subjectId, opened } = of;
  const asset = tokenAsset(cost.asset, network);
  const amounts: readonly (readonly [LedgerEvent, bigint])[] = [
    ['network_fee_paid', cost.feeMinor],
    [opened, cost.openedMinor],
    ['deposit_account_closed', cost.closedMinor],
  ];
  return amounts
    .filter(([, tokens]) => tokens !== 0n)
    .map(([event, tokens]) => entryOf(event, { mode, subjectId, asset, amounts: { tokens } }));
}

/** The share of one order in the cost of a payment with several orders. The first order bears the remainder. */
export function computeCostShare(totalMinor: bigint, index: number, count: number): bigint {
  const share = totalMinor / BigInt(count);
  return index === 0 ? totalMinor - share * BigInt(count - 1) : share;
}

function findEntryKind({ kind, network }: Movement): keyof typeof STEP_EVENTS {
  if (kind !== 'refund') return kind;
  return network === null ? 'bank_refund' : 'token_refund';
}

/**
 * Records the end of a set-up transaction, which a treasury signed to prepare a network. One change writes the outcome and the
 * cost, so the cost is posted once.
 */
export function recordSetUpEnd(
  signed: SignedSetUp,
  outcome: EndedSetUp['outcome'],
  cost: NetworkCost | null,
  atMs: number,
): Change {
  const { mode, network, hash } = signed;
  const of = { mode, network, subjectId: `setup_${hash}`, opened: 'treasury_account_opened' } as const;
  return { atMs, setUpEnds: [{ mode, network, hash, outcome }], entries: networkEntries(of, cost) };
}

/** Makes the movement of tokens from a deposit address into the treasury. The books counted the tokens when they arrived. */
export function makeSweep(
  deposit: Deposit,
  facts: { readonly id: string; readonly nairaMinor: bigint; readonly atMs: number },
): Movement {
  const { mode, network, asset, amountMinor, transactionId, address } = deposit;
  const { id, nairaMinor, atMs } = facts;
  return newMovement({
    ...{ id, kind: 'sweep', mode, network, asset, amountMinor, nairaMinor, transactionId, atMs },
    depositId: deposit.id,
    destination: { address },
  });
}
