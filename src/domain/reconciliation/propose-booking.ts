// The booking that ends a difference, if the statement itself proves it: a charge that the books lack, a charge that the bank
// changed, or a payout that was booked on another of our accounts. The words for people are made from the same values.
import type { ChargeKind, NairaMoveKind } from '../records/naira-move.ts';
import type { ExplainedDifference } from './explain-differences.ts';
import { type BookItem, isUsableReference, normaliseReference, type ReconciliationRow } from './items.ts';
import { chargeKindOf, listOwnReferences, listSessions, readChargeKind } from './row-words.ts';

export interface BookingProposal {
  readonly kind: Extract<NairaMoveKind, 'charge_seen' | 'charge_returned' | 'moved'>;
  readonly charge: ChargeKind | null;
  readonly amountMinor: bigint;
  /** The day on the statement. */
  readonly day: string;
  /** A reference that is on the statement. */
  readonly reference: string;
  /** The account that receives the naira of a move; the naira leave the account of the difference. */
  readonly to: string | null;
}

export function proposeBooking(difference: ExplainedDifference): BookingProposal | null {
  const { reason, row, item, offMinor, otherAccount } = difference;
  switch (reason) {
    case 'only_on_statement':
      return row!.kind === 'charge' ? proposeCharge(row!, null, row!.amountMinor) : null;
    case 'charge_differs':
      return proposeCharge(row!, item, -offMinor);
    case 'other_account':
      // The row is here and the booking is there: the naira left this account, so this account gives them back to the other one.
      return row === null || row.kind === 'charge' || row.amountMinor > 0n
        ? null
        : {
            ...statedLine(row, null),
            kind: 'moved',
            charge: null,
            amountMinor: -row.amountMinor,
            to: otherAccount,
          };
    default:
      return null;
  }
}

/** `missingMinor`: the change of the balance that the books lack. */
function proposeCharge(
  row: ReconciliationRow,
  item: BookItem | null,
  missingMinor: bigint,
): BookingProposal | null {
  // A charge on the account of a vendor can be booked, but not its return: the bank reports that as a credit.
  if (item?.event === 'vendor_account_charged' && missingMinor > 0n) return null;
  const charge = (item === null ? null : chargeKindOf(item)) ?? readChargeKind(row) ?? 'transfer_fee';
  const line = { ...statedLine(row, item), charge, to: null };
  return missingMinor < 0n
    ? { ...line, kind: 'charge_seen', amountMinor: -missingMinor }
    : { ...line, kind: 'charge_returned', amountMinor: missingMinor };
}

/** A reference by which the next comparison finds the row again, even if only the narration has it. */
function statedLine(
  row: ReconciliationRow,
  item: BookItem | null,
): Pick<BookingProposal, 'day' | 'reference'> {
  const { day, reference, narration } = row;
  const text = normaliseReference(narration);
  const named = [...(item?.sessions ?? []), ...(item?.names ?? [])].filter((name) => text.includes(name));
  const words = narration.replaceAll(/[^\x20-\x7e]/g, ' ').trim();
  const own = listOwnReferences(row).map((each) => each.replace(/^mov/, 'mov-'));
  const given = [...own, ...listSessions(row), reference, ...named, words].find((each) =>
    isUsableReference(normaliseReference(each ?? '')),
  );
  return { day, reference: (given ?? `statement ${day}`).slice(0, MOST_LETTERS).trim() };
}

/** A longer reference is refused by the booking. */
const MOST_LETTERS = 100;
