// What a bank takes for a transfer that we send, where its rail does not say: transfer fee by amount, value added tax on the fee,
// and stamp duty. Rules hold from a day in Lagos on; a new rule never touches what was charged before.
import { lagosDay } from '../values/calendar.ts';

export interface ChargeRule {
  /** `2026-01-01`, in Lagos. */
  readonly fromDay: string;
  /** The bands by amount, the smallest first. The last has no upper bound. */
  readonly bands: readonly { readonly upToMinor: bigint | null; readonly feeMinor: bigint }[];
  /** The value added tax in basis points of the fee. */
  readonly vatBps: number;
  readonly stampDuty: {
    /** The smallest amount that it is due on. */
    readonly fromMinor: bigint;
    readonly dutyMinor: bigint;
    readonly paidBy: 'sender' | 'receiver';
  };
}

/** The oldest first, no two from the same day. */
export type BankCharges = readonly ChargeRule[];

/** The parts of the charge that a bank took for a transfer. */
export interface TransferCharges {
  readonly feeMinor: bigint;
  readonly vatMinor: bigint;
  readonly stampDutyMinor: bigint;
}

const BPS = 10_000n;

/** The charges of a transfer out of one of our bank accounts at that time. Before the first rule nothing is known, so nothing is charged. */
export function transferCharges(rules: BankCharges, amountMinor: bigint, atMs: number): TransferCharges {
  const day = lagosDay(atMs);
  const rule = rules.findLast(({ fromDay }) => fromDay <= day);
  if (rule === undefined) return { feeMinor: 0n, vatMinor: 0n, stampDutyMinor: 0n };
  const { bands, vatBps, stampDuty } = rule;
  const { feeMinor } = bands.find(({ upToMinor }) => upToMinor === null || amountMinor <= upToMinor)!;
  // To the nearest kobo, half a kobo up, as banks do.
  const vatMinor = (feeMinor * BigInt(vatBps) + BPS / 2n) / BPS;
  const isDue = stampDuty.paidBy === 'sender' && amountMinor >= stampDuty.fromMinor;
  return { feeMinor, vatMinor, stampDutyMinor: isDue ? stampDuty.dutyMinor : 0n };
}
