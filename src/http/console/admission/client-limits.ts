// Limits how often one client address may sign in, sign up or reset a password. The lock-out of a person after wrong passwords
// is counted separately, in the database.
import { clientOfAddress } from '../../admission/client-address.ts';
import { makeTokenBuckets } from '../../admission/limits.ts';

const PER_MINUTE = 1 / 60;

/** Each limit has a burst and a rate per second. The limits allow for several people of one office who share an address. */
const RATES = {
  /** The limit for checks of passwords and second factors. */
  sign_in: { perSecond: 20 * PER_MINUTE, burst: 30 },
  /**
   * The limit for redirects to an identity provider and back. Redirects do not count as password checks, because another site
   * can cause a redirect.
   */
  provider: { perSecond: 20 * PER_MINUTE, burst: 30 },
  /** The limit for requests that cause a mail or a new row for a person who is not signed in. */
  mail: { perSecond: 4 * PER_MINUTE, burst: 10 },
} as const;

export type ClientLimit = keyof typeof RATES;

export interface ClientLimits {
  /** Counts one request. The result is false if the address has reached its limit. */
  take(limit: ClientLimit, address: string, nowMs: number): boolean;
}

export function makeClientLimits(): ClientLimits {
  const buckets = {
    sign_in: makeTokenBuckets(RATES.sign_in.perSecond, RATES.sign_in.burst),
    provider: makeTokenBuckets(RATES.provider.perSecond, RATES.provider.burst),
    mail: makeTokenBuckets(RATES.mail.perSecond, RATES.mail.burst),
  };
  return { take: (limit, address, nowMs) => buckets[limit].take(clientOfAddress(address), nowMs) };
}
