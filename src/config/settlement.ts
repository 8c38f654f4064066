// Settings of settlement: the policies of each mode, the screening list, and how many records of a queue one process leases at
// once.
import type { Policies, Policy } from '../domain/settlement/policy.ts';
import type { SettingReader } from './setting-reader.ts';

export interface SettlementConfig {
  /** A file of names, accounts and wallets whose transactions are held. Null: the screening list is empty. */
  readonly screeningList: string | null;
  /** The file with the operator's own table of bank charges. Null: the table of this release applies. */
  readonly bankChargesFile: string | null;
  readonly policies: Policies;
  readonly settleLeaseMs: number;
  readonly settleBatch: number;
  /** After this time, a payout with an unknown outcome is shown to people. */
  readonly unknownPayoutMs: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** In the sandbox, matching waits only this long for the exact payment, so that a tester does not wait ten minutes. */
const SANDBOX_GRACE_MS = 1_000;

export function readSettlementConfig(settings: SettingReader): SettlementConfig {
  return {
    screeningList: settings.location('SCREENING_LIST'),
    bankChargesFile: settings.location('BANK_CHARGES_FILE'),
    policies: readPolicies(settings),
    settleLeaseMs: settings.integer('SETTLE_LEASE_MS', { fallback: 15_000, min: 100, max: 600_000 }),
    settleBatch: settings.integer('SETTLE_BATCH', { fallback: 200, min: 1, max: 1_000 }),
    unknownPayoutMs: settings.integer('UNKNOWN_PAYOUT_HOURS', { fallback: 24, min: 1, max: 720 }) * HOUR_MS,
  };
}

function readPolicies(settings: SettingReader): Policies {
  const seconds = (name: string, fallback: number, max: number) =>
    settings.integer(name, { fallback, min: 0, max }) * 1_000;
  const decided: Omit<Policy, 'freezeOnReversal'> = {
    matchWindowMs: settings.integer('MATCH_WINDOW_DAYS', { fallback: 7, min: 1, max: 90 }) * DAY_MS,
    matchGraceMs: seconds('MATCH_GRACE_SECONDS', 600, 86_400),
    reportGraceMs: settings.integer('REPORT_GRACE_HOURS', { fallback: 24, min: 0, max: 720 }) * HOUR_MS,
    partialCredit: settings.oneOf('PARTIAL_CREDIT', ['hold', 'refund'] as const, 'hold'),
    overCredit: settings.oneOf('OVER_CREDIT', ['refund_excess', 'hold'] as const, 'refund_excess'),
    lateCredit: settings.oneOf('LATE_CREDIT', ['complete', 'refund'] as const, 'complete'),
    depositGraceMs: seconds('DEPOSIT_GRACE_SECONDS', 3_600, 604_800),
    shortDeposit: settings.oneOf('SHORT_DEPOSIT', ['hold', 'refund'] as const, 'hold'),
    lateDeposit: settings.oneOf('LATE_DEPOSIT', ['refund', 'complete', 'hold'] as const, 'refund'),
  };
  const freezes = settings.oneOf('REVERSAL_FREEZES', ['live', 'both', 'none'] as const, 'live');
  const grace = {
    matchGraceMs: SANDBOX_GRACE_MS,
    depositGraceMs: SANDBOX_GRACE_MS,
    reportGraceMs: SANDBOX_GRACE_MS,
  };
  return {
    live: { ...decided, freezeOnReversal: freezes !== 'none' },
    test: { ...decided, ...grace, freezeOnReversal: freezes === 'both' },
  };
}
