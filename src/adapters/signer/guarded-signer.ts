// Goes around any signer and checks what it is asked for first: the kill switch, the allow-list, a cap per payment and one
// per day. It believes what a request says of its bytes: it stops mistakes and runaway loops, and somebody who can ask the
// signer but not rewrite the service; not somebody who has the keys.
import { lagosDay } from '../../domain/values/calendar.ts';
import type { Clock } from '../../ports/clock.ts';
import { type Signer, SigningRefused, type SigningRequest } from '../../ports/signer.ts';

/** What may be signed for on one network, in its token's minor units. Null: no limit of that kind. */
export interface SigningLimits {
  readonly perTransactionMinor: bigint | null;
  readonly perDayMinor: bigint | null;
  /** The only addresses that may be paid. */
  readonly allowList: readonly string[] | null;
}

/** What was signed away on each day, kept so that a restart does not forget it. */
export interface SigningDays {
  /** Adds to the day's sum and answers true, or answers false when that would go over the cap, and adds nothing. */
  spend(network: string, day: string, amountMinor: bigint, capMinor: bigint | null): Promise<boolean>;
}

export interface Guard {
  /** By the network's name. A network that is not there is one nobody thought of: nothing is signed for it. */
  readonly limits: ReadonlyMap<string, SigningLimits>;
  readonly stopped: () => Promise<boolean> | boolean;
  readonly days: SigningDays;
  readonly clock: Clock;
}

export function guardSigner(signer: Signer, guard: Guard): Signer {
  const allowed = new Map(
    [...guard.limits].map(([network, { allowList }]) => [
      network,
      allowList && new Set(allowList.map(spelled)),
    ]),
  );
  return {
    publicKey: (key, scheme) => signer.publicKey(key, scheme),
    derivedPublicKey: (key, name) => signer.derivedPublicKey(key, name),
    sign: async (request) => {
      await refuseWhileStopped(guard);
      const limits = guard.limits.get(request.network);
      if (limits === undefined) {
        throw new SigningRefused('unavailable', `No signing limits are set for ${request.network}.`);
      }
      checkPayments(request, limits, allowed.get(request.network) ?? null);
      const totalMinor = request.spends.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
      if (totalMinor > 0n) {
        await count(request.network, totalMinor, limits, guard);
        // Counting takes a while, and a stop means now.
        await refuseWhileStopped(guard);
      }
      return signer.sign(request);
    },
  };
}

async function refuseWhileStopped({ stopped }: Guard): Promise<void> {
  let isStopped: boolean;
  try {
    isStopped = await stopped();
  } catch (error) {
    const message = 'It cannot be told whether signing is stopped, so nothing is signed.';
    throw new SigningRefused('unavailable', message, { cause: error });
  }
  if (!isStopped) return;
  throw new SigningRefused('stopped', 'Signing is stopped. See: bin/sliproad signer status');
}

/**
 * Each payment by itself: the cap is about what one customer may be sent by mistake. How many payments share a batch is
 * the network's affair, and a cap on their sum would refuse good payments on a busy day; the sum is the day's cap's.
 */
function checkPayments(
  { network, spends }: SigningRequest,
  { perTransactionMinor }: SigningLimits,
  allowed: ReadonlySet<string> | null,
): void {
  for (const { to, amountMinor } of spends) {
    // Would be taken off the day's sum.
    if (amountMinor < 0n) throw new RangeError('a payment below zero');
    if (allowed !== null && !allowed.has(spelled(to))) {
      throw new SigningRefused('not_on_allow_list', `${to} is not on the allow-list of ${network}.`);
    }
    if (perTransactionMinor !== null && amountMinor > perTransactionMinor) {
      throw new SigningRefused(
        'over_cap_per_transaction',
        `A payment of ${amountMinor} minor units on ${network} is over the cap of ${perTransactionMinor}.`,
      );
    }
  }
}

/** Before the signature and never given back: a crash in between counts too much, never too little. */
async function count(
  network: string,
  totalMinor: bigint,
  { perDayMinor }: SigningLimits,
  { days, clock }: Guard,
): Promise<void> {
  const day = lagosDay(clock.now());
  let within: boolean;
  try {
    // Counted without a cap as well: one that is set at noon holds for the whole day.
    within = await days.spend(network, day, totalMinor, perDayMinor);
  } catch (error) {
    const message = 'What was signed today cannot be counted, so nothing is signed.';
    throw new SigningRefused('unavailable', message, { cause: error });
  }
  if (within) return;
  throw new SigningRefused(
    'over_cap_per_day',
    `${totalMinor} minor units more on ${network} would go over the cap of ${perDayMinor} for ${day}.`,
  );
}

/** Hexadecimal addresses have more than one spelling. */
function spelled(address: string): string {
  return /^0x[0-9a-f]+$/i.test(address) ? address.toLowerCase() : address;
}
