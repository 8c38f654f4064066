// The parts of planted differences: a payout with its charges, credits, and their rows on the statement.
import type { DifferenceReason } from '../../../src/domain/reconciliation/explain-differences.ts';
import {
  type BookItem,
  normaliseReference,
  type ReconciliationRow,
} from '../../../src/domain/reconciliation/items.ts';
import { makeItem, makeRow, type PlantedDay, type PlayedFacts } from './planted-days.ts';

export const THURSDAY = '2026-11-12';
export const FRIDAY = '2026-11-13';
export const MONDAY = '2026-11-16';
export const TUESDAY = '2026-11-17';
export const WEDNESDAY = '2026-11-18';
export const REFERENCE = 'mov-01k9zzzzzzzzzzzzzzzzzzzzza';
export const SECOND = 'mov-01k9zzzzzzzzzzzzzzzzzzzzzb';
export const SESSION = `0000142611131200${'1'.repeat(14)}`;
export const OTHER_SESSION = `0000142611131300${'2'.repeat(14)}`;
export const PAID = -100_000_00n;

/** A payout with its fee, tax and duty, in the books. */
export function payout(day: string, reference = REFERENCE, charges = true): readonly BookItem[] {
  const given = { subjectId: `mov ${reference}`, names: [normaliseReference(reference)], atMs: 1 };
  const make = (event: BookItem['event'], minor: bigint) => makeItem(day, minor, { ...given, event });
  if (!charges) return [make('payout_paid', PAID)];
  return [
    make('payout_paid', PAID),
    make('bank_charged', -25_00n),
    make('vat_charged', -1_88n),
    make('stamp_duty_charged', -50_00n),
  ];
}

const NAMED = { narration: `NIP TRF TO ADA OBI/${REFERENCE.toUpperCase()}` };
export const paidRow = (day: string, minor = PAID, given: Partial<ReconciliationRow> = NAMED) =>
  makeRow(day, minor, given);
export const chargeRow = (
  day: string,
  minor: bigint,
  narration: string,
  reference: string | null = REFERENCE,
) => makeRow(day, minor, { kind: 'charge', narration, reference });
/** The rows of the payout's charges; a map replaces amounts. */
export const chargeRows = (
  day: string,
  changed: Readonly<Record<string, bigint>> = {},
  reference?: string | null,
) =>
  Object.entries({
    'NIP CHARGE': -25_00n,
    'VAT ON NIP CHARGE': -1_88n,
    'STAMP DUTY': -50_00n,
    ...changed,
  }).map(([narration, minor]) => chargeRow(day, minor, narration, reference));
export const credit = (day: string, sessions: readonly string[], given: Partial<BookItem> = {}) =>
  makeItem(day, 15_000_00n, { sessions, ...given });
export const creditRow = (day: string, given: Partial<ReconciliationRow>) => makeRow(day, 15_000_00n, given);

export interface Planted {
  readonly planted: string;
  readonly days: readonly PlantedDay[];
  readonly given?: PlayedFacts;
  /** Reason, sentence, and advice of every unexplained difference at the end. */
  readonly says: readonly (readonly [DifferenceReason, what: string, next: RegExp])[];
  /** The amount and the event of the proposed booking. */
  readonly books?: readonly [amount: string, event: BookItem['event']];
}
