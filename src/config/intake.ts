// Settings for new transactions: the limits on the amount, how long a transaction waits for its money, and how long its
// Idempotency-Key is stored.
import type { SettingReader } from './setting-reader.ts';

export interface IntakeConfig {
  readonly buyBounds: TransactionBounds;
  readonly sellBounds: TransactionBounds;
  readonly buyExpiryMs: number;
  readonly depositExpiryMs: number;
  readonly idempotencyKeepMs: number;
  /** How many unpaid buys a business may have in the time window. 0: no limit. */
  readonly unmatchedClaims: { readonly most: number; readonly windowMs: number; readonly expiryMs: number };
}

interface TransactionBounds {
  readonly minMinor: bigint;
  readonly maxMinor: bigint;
}

const HOUR_MS = 3_600_000;
const YEAR_HOURS = 8_760;
/** A buy is at least 15,000 naira. This minimum is part of the API, and it is not a setting. */
const BUY_MIN_MINOR = 1_500_000n;
const SELL_MIN_MINOR = 100_000n;
const MAX_MINOR = 100_000_000_000n;

export function readIntakeConfig(settings: SettingReader): IntakeConfig {
  const buyMaxMinor = settings.naira('BUY_MAX', MAX_MINOR);
  settings.require(buyMaxMinor >= BUY_MIN_MINOR, ['BUY_MAX'], 'must not be below 15000, the smallest buy.');
  const sellMinMinor = settings.naira('SELL_MIN', SELL_MIN_MINOR);
  const sellMaxMinor = settings.naira('SELL_MAX', MAX_MINOR);
  settings.require(sellMaxMinor >= sellMinMinor, ['SELL_MAX', 'SELL_MIN'], 'must not be below SELL_MIN.');
  const hours = (name: string, fallback: number, min: number) =>
    settings.integer(name, { fallback, min, max: YEAR_HOURS }) * HOUR_MS;
  const buyExpiryMs = hours('BUY_EXPIRY_HOURS', 24, 1);
  return {
    buyBounds: { minMinor: BUY_MIN_MINOR, maxMinor: buyMaxMinor },
    sellBounds: { minMinor: sellMinMinor, maxMinor: sellMaxMinor },
    buyExpiryMs,
    depositExpiryMs: hours('DEPOSIT_EXPIRY_HOURS', 24, 1),
    idempotencyKeepMs: hours('IDEMPOTENCY_KEEP_HOURS', 48, 24),
    unmatchedClaims: {
      most: settings.integer('UNMATCHED_CLAIMS_MAX', { fallback: 200, min: 0, max: 1_000_000 }),
      windowMs: settings.integer('UNMATCHED_CLAIMS_HOURS', { fallback: 24, min: 1, max: 720 }) * HOUR_MS,
      expiryMs: buyExpiryMs,
    },
  };
}
