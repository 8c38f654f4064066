// The charges of a bank for a transfer that we send: a fee by amount, value added tax on the fee, and stamp duty. They apply if
// the rail does not report its charges. A rule applies from a given day in Lagos, and a new rule never changes earlier charges.
import { lagosDay } from '../values/calendar.ts';

export interface ChargeRule {
  /** The first day in Lagos on which the rule applies, such as `2026-01-01`. */
  readonly fromDay: string;
  /** The fee bands by amount, the smallest first. The last band has no upper bound. */
  readonly bands: readonly { readonly upToMinor: bigint | null; readonly feeMinor: bigint }[];
  readonly vatBps: number;
  readonly stampDuty: {
    /** The smallest amount on which stamp duty is due. */
    readonly fromMinor: bigint;
    readonly dutyMinor: bigint;
    readonly paidBy: 'sender' | 'receiver';
  };
}

/** The charge rules, the oldest first. Each day has at most one new rule. */
export type BankCharges = readonly ChargeRule[];

export interface TransferCharges {
  readonly feeMinor: bigint;
  readonly vatMinor: bigint;
  readonly stampDutyMinor: bigint;
}

const BPS = 10_000n;

/**
 * The charges of a transfer from one of our bank accounts at that time. Before the first rule, the charges are unknown and
 * count as zero.
 */
export function transferCharges(rules: BankCharges, amountMinor: bigint, atMs: number): TransferCharges {
  const day = lagosDay(atMs);
  const rule = rules.findLast(({ fromDay }) => fromDay <= day);
  if (rule === undefined) return { feeMinor: 0n, vatMinor: 0n, stampDutyMinor: 0n };
  const { bands, vatBps, stampDuty } = rule;
  const { feeMinor } = bands.find(({ upToMinor }) => upToMinor === null || amountMinor <= upToMinor)!;
  // The tax is rounded to the nearest kobo. Half a kobo is rounded up, as banks do.
  const vatMinor = (feeMinor * BigInt(vatBps) + BPS / 2n) / BPS;
  const isDue = stampDuty.paidBy === 'sender' && amountMinor >= stampDuty.fromMinor;
  return { feeMinor, vatMinor, stampDutyMinor: isDue ? stampDuty.dutyMinor : 0n };
}
