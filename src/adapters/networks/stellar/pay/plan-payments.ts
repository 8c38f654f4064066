// Chooses the payments of the next transaction. Payments are taken in the given order, as long as the treasury has enough
// tokens and native coin. A payment is never split, and a recipient never gets more than its trustline can hold.
import type {
  Obstacle,
  Payment,
  SigningResult,
  WalletTurn,
} from '../../../../ports/networks/network-payer.ts';
import type { StellarSettings } from '../../settings/settings.ts';
import { type AccountState, spendableNative } from '../horizon/account.ts';
import { CLAIMANTS, type PlannedPayment } from '../horizon/envelope.ts';
import type { StellarLedgerState } from '../horizon/ledgers.ts';
import { accountOfAddress, type RecipientReadiness } from '../horizon/recipient.ts';

/** The protocol's maximum number of operations in one transaction. */
const MOST_OPERATIONS = 100;

export type WaitingPayment = SigningResult['waiting'][number];

export interface PlanFacts {
  readonly ledger: StellarLedgerState;
  readonly account: AccountState;
  readonly afterLedger: number;
  /** The fee offered per operation, in stroops. */
  readonly bidMinor: bigint;
  readonly readiness: ReadonlyMap<string, RecipientReadiness>;
}

export function batchSize({ batch }: StellarSettings): number {
  return Math.max(1, Math.min(batch, MOST_OPERATIONS));
}

export function waitingFor(obstacle: Obstacle, detail: string): (payment: Payment) => WaitingPayment {
  return ({ orderId }) => ({ orderId, obstacle, detail });
}

export function planPayments(
  payments: readonly Payment[],
  facts: PlanFacts,
  turn: WalletTurn,
  settings: StellarSettings,
): { readonly planned: readonly PlannedPayment[]; readonly waiting: readonly WaitingPayment[] } {
  const purse = makePurse(facts, turn, settings);
  const rooms = new Map<string, bigint>();
  const planned: PlannedPayment[] = [];
  const waiting: WaitingPayment[] = [];
  let empty: Shortage | undefined;

  const add = (payment: Payment): WaitingPayment | undefined => {
    const ready = facts.readiness.get(payment.orderId);
    const full =
      planned.length > 0 &&
      (payment.alone || planned[0]!.payment.alone || planned.length >= batchSize(settings));
    if (full || ready === undefined) return waitingFor('turn_taken', 'another payment goes first')(payment);
    if (ready.kind === 'waiting' || ready.kind === 'refused')
      return waitingFor('turn_taken', ready.reason)(payment);
    if (payment.amountMinor <= 0n) return waitingFor('turn_taken', 'there is nothing to pay')(payment);
    const account = accountOfAddress(payment.to);
    if (ready.kind === 'payment') {
      const room = rooms.get(account) ?? ready.roomMinor;
      if (room < payment.amountMinor) {
        return waitingFor('turn_taken', 'the trustline has no room for it')(payment);
      }
      rooms.set(account, room - payment.amountMinor);
    }
    empty ??= purse.take(payment.amountMinor, ready.kind);
    if (empty !== undefined) return waitingFor(...empty)(payment);
    planned.push({ payment, how: ready.kind });
    return undefined;
  };

  for (const payment of payments) {
    const reason = add(payment);
    if (reason !== undefined) waiting.push(reason);
  }
  return { planned, waiting };
}

type Shortage = readonly [Obstacle, string];

const TOKEN_LOW: Shortage = ['treasury_low', 'the treasury does not hold enough of the token'];
const NATIVE_LOW: Shortage = ['native_low', 'the treasury does not hold enough native coin for the fee'];
// The issuer has frozen the treasury's tokens, so every payment would fail, one after another. The operator must contact the
// issuer first.
const FROZEN: Shortage = [
  'treasury_low',
  'the issuer no longer authorises the treasury to hold the token: its tokens are frozen',
];
const NO_LINE: Shortage = ['treasury_low', 'the treasury has no trustline for the token'];

/**
 * Keeps count of the amounts that can still be spent. If a payment does not fit, later payments wait too. Otherwise large
 * payments would never be made.
 */
function makePurse({ account, ledger, bidMinor }: PlanFacts, turn: WalletTurn, settings: StellarSettings) {
  let tokenMinor = (account.trustline?.freeMinor ?? 0n) - turn.inFlightMinor;
  let nativeMinor = spendableNative(account, ledger);
  const { marks } = settings;
  // Below a minimum balance nothing is paid, and the operator decides what to do.
  const below = (): Shortage | undefined => {
    if (account.trustline === undefined) return NO_LINE;
    if (!account.trustline.authorised) return FROZEN;
    if (nativeMinor < marks.nativeMinor) return NATIVE_LOW;
    return tokenMinor < marks.tokenMinor ? TOKEN_LOW : undefined;
  };
  const atFirst = below();
  return {
    take(amountMinor: bigint, how: PlannedPayment['how']): Shortage | undefined {
      if (atFirst !== undefined) return atFirst;
      const lockedMinor = how === 'claimable_balance' ? CLAIMANTS * ledger.baseReserveMinor : 0n;
      const feeMinor = bidMinor + lockedMinor;
      if (amountMinor > tokenMinor) return TOKEN_LOW;
      if (feeMinor > nativeMinor) return NATIVE_LOW;
      tokenMinor -= amountMinor;
      nativeMinor -= feeMinor;
      return undefined;
    },
  };
}
