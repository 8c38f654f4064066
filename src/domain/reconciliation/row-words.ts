// What the words of a statement row say: the transfer that it names, and the kind of charge.
import type { ChargeKind } from '../records/naira-move.ts';
import { type BookItem, isUsableReference, normaliseReference, type ReconciliationRow } from './items.ts';

/** A session id of NIP, and a reference that this service gave to a payout. Both stay recognisable inside a narration. */
const SESSION_IN_TEXT = /(?<!\d)\d{30}(?!\d)/g;
const OWN_REFERENCE = /mov0[0-9a-hjkmnp-tv-z]{25}/g;

/** The session ids in the row: in its own field, or written into its other texts. */
export function listSessions({ sessionId, reference, narration }: ReconciliationRow): readonly string[] {
  const written = [reference, narration].flatMap((text) => (text ?? '').match(SESSION_IN_TEXT) ?? []);
  return [...new Set([...(sessionId === null ? [] : [sessionId]), ...written])];
}

/** The references of our payouts in the row, whether or not the books know them. */
export function listOwnReferences({ reference, narration }: ReconciliationRow): readonly string[] {
  return [reference, narration].flatMap((text) => normaliseReference(text ?? '').match(OWN_REFERENCE) ?? []);
}

/** Every text of the row that identifies its transfer. */
export function listRowNames(row: ReconciliationRow): readonly string[] {
  const reference = normaliseReference(row.reference ?? '');
  const own = isUsableReference(reference) ? [reference] : [];
  return [...new Set([...listSessions(row).map(normaliseReference), ...listOwnReferences(row), ...own])];
}

function readRowText({ sessionId, reference, narration }: ReconciliationRow): string {
  return [sessionId, reference, narration].map((text) => normaliseReference(text ?? '')).join(' ');
}

/** Whether one row names the transfer that identifies the other row. */
export function shareName(a: ReconciliationRow, b: ReconciliationRow): boolean {
  const contains = (names: readonly string[], row: ReconciliationRow) => {
    const text = readRowText(row);
    return names.some((name) => text.includes(name));
  };
  return contains(listRowNames(a), b) || contains(listRowNames(b), a);
}

/** The words of a narration without those that mark a reversal. */
export function narrationWithoutReversal({ narration }: ReconciliationRow): string {
  return normaliseReference(narration.replaceAll(/\b(rvsl|rev|rvs|reversal|reversed|return(ed)?)\b/gi, ' '));
}

/** The kind of charge that the row names; null: its words do not say. A bank often calls the tax on a fee a commission, too. */
export function readChargeKind({ narration, reference }: ReconciliationRow): ChargeKind | null {
  const text = `${narration} ${reference ?? ''}`.toLowerCase();
  if (/stamp|\bduty\b|\bemtl?\b|\blevy\b/.test(text)) return 'stamp_duty';
  if (/\bvat\b/.test(text) && !/(fee|comm|chg|charge)s?\W*(\+|&|and|incl|plus)/.test(text)) return 'vat';
  return /\b(fees?|comm(ission)?|chgs?|charges?)\b/.test(text) ? 'transfer_fee' : null;
}

const KIND_OF_EVENT: Readonly<Partial<Record<BookItem['event'], ChargeKind>>> = {
  bank_charged: 'transfer_fee',
  vat_charged: 'vat',
  stamp_duty_charged: 'stamp_duty',
};

/** The kind of a booked charge; null: the books do not distinguish it. */
export function chargeKindOf({ event }: BookItem): ChargeKind | null {
  return KIND_OF_EVENT[event] ?? null;
}

/** Whether a row may show these charges: a row of a tax or a duty shows nothing else, and a row of a fee no duty alone. */
export function mayShowCharges(row: ReconciliationRow, items: readonly BookItem[]): boolean {
  const shown = readChargeKind(row);
  const kinds = items.map(chargeKindOf);
  if (shown === null) return true;
  if (shown !== 'transfer_fee') return kinds.every((kind) => kind === null || kind === shown);
  return kinds.some((kind) => kind !== 'stamp_duty');
}
