// How often one client address may do what people do rarely: guess at a sign-in, sign up, ask for a new password. The
// lock-out of an account counts apart from it, in the database.
import { clientOfAddress } from '../../admission/client-address.ts';
import { makeTokenBuckets } from '../../admission/limits.ts';

const PER_MINUTE = 1 / 60;

/** So many at once, and so many a second afterwards. Several people of one office may share an address. */
const RATES = {
  /** Passwords and second factors. */
  sign_in: { perSecond: 20 * PER_MINUTE, burst: 30 },
  /** Ways to an identity provider and back. Apart from passwords: a page of another site can send a browser on this way. */
  provider: { perSecond: 20 * PER_MINUTE, burst: 30 },
  /** What writes a mail or a row for someone who has not signed in. */
  mail: { perSecond: 4 * PER_MINUTE, burst: 10 },
} as const;

export type ClientLimit = keyof typeof RATES;

export interface ClientLimits {
  /** Counts one; false when the address has none left. */
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
