// Wraps any signer and checks each request first: the kill switch, the allow-list, a cap per payment and a cap per day. The
// guard trusts the description of the bytes in a request. So it stops mistakes, runaway loops, and an attacker who can call the
// signer but cannot change the service. The guard does not stop an attacker who has the keys.
import { lagosDay } from '../../domain/values/calendar.ts';
import type { Clock } from '../../ports/clock.ts';
import { type Signer, SigningRefused, type SigningRequest } from '../../ports/signer.ts';

/** The signing limits of one network, in the minor units of its token. Null means that there is no limit of that kind. */
export interface SigningLimits {
  readonly perTransactionMinor: bigint | null;
  readonly perDayMinor: bigint | null;
  /** The only addresses that may be paid. Null means that every address may be paid. */
  readonly allowList: readonly string[] | null;
}

/** Stores the amounts that were signed on each day, so that they survive a restart. */
export interface SigningDays {
  /** Adds to the day's sum and returns true. If the sum would exceed the cap, this adds nothing and returns false. */
  spend(network: string, day: string, amountMinor: bigint, capMinor: bigint | null): Promise<boolean>;
}

export interface SigningGuard {
  /** The limits by network name. The guard signs nothing for a network without an entry. */
  readonly limits: ReadonlyMap<string, SigningLimits>;
  readonly stopped: () => Promise<boolean> | boolean;
  readonly days: SigningDays;
  readonly clock: Clock;
}

export function guardSigner(signer: Signer, guard: SigningGuard): Signer {
  const allowed = new Map(
    [...guard.limits].map(([network, { allowList }]) => [
      network,
      allowList && new Set(allowList.map(normalizeAddress)),
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
        await countAgainstDailyCap(request.network, totalMinor, limits, guard);
        // The kill switch is checked again, because counting takes time and a stop must take effect at once.
        await refuseWhileStopped(guard);
      }
      return signer.sign(request);
    },
  };
}

async function refuseWhileStopped({ stopped }: SigningGuard): Promise<void> {
  let isStopped: boolean;
  try {
    isStopped = await stopped();
  } catch (error) {
    const message =
      'The stop file cannot be read, so it is unknown whether signing is stopped, and nothing is signed.';
    throw new SigningRefused('unavailable', message, { cause: error });
  }
  if (!isStopped) return;
  throw new SigningRefused('stopped', 'Signing is stopped. See: bin/sliproad signer status');
}

/**
 * The guard checks each payment separately, because the cap limits how much one customer may get by mistake. The network
 * decides how many payments share a batch, and a cap on their sum would refuse correct payments on a busy day. The daily cap
 * limits the sum.
 */
function checkPayments(
  { network, spends }: SigningRequest,
  { perTransactionMinor }: SigningLimits,
  allowed: ReadonlySet<string> | null,
): void {
  for (const { to, amountMinor } of spends) {
    // A negative amount would lower the day's sum.
    if (amountMinor < 0n) throw new RangeError('a payment below zero');
    if (allowed !== null && !allowed.has(normalizeAddress(to))) {
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

/**
 * The amount is counted before the signature, and the count is never undone. So after a crash between the two, the count may be
 * too high, but never too low.
 */
async function countAgainstDailyCap(
  network: string,
  totalMinor: bigint,
  { perDayMinor }: SigningLimits,
  { days, clock }: SigningGuard,
): Promise<void> {
  const day = lagosDay(clock.now());
  let within: boolean;
  try {
    // The amount is counted even without a cap, so that a cap that is set at noon applies to the whole day.
    within = await days.spend(network, day, totalMinor, perDayMinor);
  } catch (error) {
    const message = 'The sum signed today cannot be counted, so nothing is signed.';
    throw new SigningRefused('unavailable', message, { cause: error });
  }
  if (within) return;
  throw new SigningRefused(
    'over_cap_per_day',
    `${totalMinor} minor units more on ${network} would go over the cap of ${perDayMinor} for ${day}.`,
  );
}

/** Hexadecimal addresses can be written in upper or lower case, so they are compared in lower case. */
function normalizeAddress(address: string): string {
  return /^0x[0-9a-f]+$/i.test(address) ? address.toLowerCase() : address;
}
