// Describes a difference for people: what it is, and what to do next. The words of a proposed booking are made from the proposal
// itself, so that they never differ from what is posted.
import type { ChargeKind } from '../records/naira-move.ts';
import { formatDecimal, formatNaira } from '../values/money.ts';
import type { ExplainedDifference } from './explain-differences.ts';
import { type BookItem, findMissingDay, type ReconciliationRow } from './items.ts';
import { type BookingProposal, proposeBooking } from './propose-booking.ts';
import { addDays } from './working-days.ts';

export interface DifferenceDescription {
  readonly what: string;
  readonly next: string | null;
}

export function describeDifference(difference: ExplainedDifference): DifferenceDescription {
  const what = describeWhat(difference);
  const booking = proposeBooking(difference);
  return { what, next: booking === null ? adviseNext(difference) : describeBooking(booking) };
}

function describeWhat(difference: ExplainedDifference): string {
  const { item, row, day, onDay, offMinor, otherAccount } = difference;
  switch (difference.reason) {
    case 'later_on_statement':
      return `Booked on ${day}; on the statement of ${onDay}.`;
    case 'later_in_books':
      return `On the statement of ${day}; booked on ${onDay}.`;
    case 'not_yet_on_statement':
      return `Booked on ${day}; not on a statement yet.`;
    case 'under_way':
      return 'The bank has paid it, but the rail has not confirmed it yet.';
    case 'report_waits':
      return `${describeRow(row!)} on the statement of ${day} matches no booked credit yet; settlement is still looking for it.`;
    case 'only_in_books':
      return `In the books, but on no statement: ${describeBookItem(item!)}.`;
    case 'only_on_statement':
      return `${describeRow(row!)} on the statement of ${day} is not in the books.`;
    case 'report_without_credit':
      return `${describeRow(row!)} on the statement of ${day} matches no booked credit: the payer, the session id or the time differ, although an amount may be equal.`;
    case 'shown_twice':
      return `The statement shows ${describeRow(row!).toLowerCase()} twice: on ${onDay} and on ${day}, with the same reference. The books have it once.`;
    case 'other_account':
      return row === null
        ? `${describeBookItem(item!)} is booked here, but the statement of our account ${otherAccount} shows it.`
        : `${describeRow(row)} is on the statement of this account, but the books have it on our account ${otherAccount}.`;
    case 'amount_differs':
      return describeAmounts(item!, row!);
    case 'charge_differs':
      return `The bank charged ${formatNaira(-row!.amountMinor)}; the books have ${formatNaira(-row!.amountMinor - offMinor)} for this charge.`;
    case 'charge_unclear':
      return `${describeRow(row!)} on the statement of ${day} fits no booked charge, but the books have charges that no row shows.`;
    case 'opening_differs':
      return `Before the first statement the books had ${formatNaira(offMinor)} more than the bank.`;
    case 'balance_not_carried':
      return `The balances of the statement differ by ${formatNaira(-offMinor)} from the sum of its rows.`;
    case 'days_missing':
      return `No statement shows what happened ${describeMissingDays(difference)}: the balance changed by ${formatNaira(-offMinor)} meanwhile.`;
    case 'rail_differs':
      return `The rail reported ${formatNaira(-offMinor)} more than the books had at that moment.`;
    case 'rail_as_statement':
      return 'The rail differs from the books in the same way as the statement.';
  }
}

function adviseNext(difference: ExplainedDifference): string | null {
  const { item, row, day, offMinor } = difference;
  switch (difference.reason) {
    case 'not_yet_on_statement':
      return `Import the statement of ${day} and of the working day after it.`;
    case 'only_in_books':
      return "Ask the bank about it. If the bank has no such transfer, explain the case with the bank's answer.";
    case 'only_on_statement':
      return adviseOnRow(row!);
    case 'report_without_credit':
      return 'Decide the case about its report: two people count it as a credit, or explain it.';
    case 'shown_twice':
      return row!.amountMinor > 0n
        ? 'Ask the bank which of the two is right. Do not count it a second time.'
        : `Ask the bank to return ${formatNaira(-row!.amountMinor)}. Book nothing: its return will cancel this row.`;
    case 'other_account':
      return 'See the same difference on that account: its statement row says what to book.';
    case 'amount_differs':
      return adviseOnAmounts(item!, offMinor);
    case 'charge_unclear':
      return 'Compare it with the charges that are only in the books. Book only what they lack, with `naira charge`.';
    case 'charge_differs':
      return 'Ask the bank about the charge: its return arrives as a credit.';
    case 'opening_differs':
      return 'Book the balance of the account (`naira put-in`, `naira take-out`), or explain it in the case.';
    case 'balance_not_carried':
      return `Import the statement of the days before ${day}, or the whole statement of ${day}.`;
    case 'days_missing':
      return `Import the statement of these days (${describeMissingDays(difference)}).`;
    case 'rail_differs':
      return 'Import the statement of the account: its rows show which transfer causes the difference.';
    default:
      return null;
  }
}

const CHARGE_WORDS: Readonly<Record<ChargeKind, string>> = {
  transfer_fee: 'transfer fee',
  vat: 'VAT',
  stamp_duty: 'stamp duty',
};

/** What two people book, word for word. */
function describeBooking({ kind, charge, amountMinor, day, reference, to }: BookingProposal): string {
  const line = `--amount ${formatDecimal(amountMinor, 2)} --day ${day} --reference ${JSON.stringify(reference)}`;
  const amount = formatNaira(amountMinor);
  if (kind === 'moved')
    return `Book a move of ${amount} from this account to ${to}: \`naira move --to ${to} ${line}\`.`;
  const words = CHARGE_WORDS[charge!];
  return kind === 'charge_seen'
    ? `Book ${amount} of ${words}: \`naira charge --what ${charge} ${line}\`.`
    : `Book ${amount} of returned ${words}: \`naira charge --what ${charge} --returned ${line}\`.`;
}

function describeMissingDays(difference: ExplainedDifference): string {
  const [first, last] = [findMissingDay(difference)!, addDays(difference.day, -1)];
  return first === last ? `on ${first}` : `from ${first} to ${last}`;
}

function describeAmounts({ amountMinor }: BookItem, row: ReconciliationRow): string {
  const offMinor = row.amountMinor - amountMinor;
  const isOut = amountMinor < 0n;
  const [booked, shown] = [amountMinor, row.amountMinor].map((minor) => formatNaira(isOut ? -minor : minor));
  const moreMinor = isOut ? -offMinor : offMinor;
  const side = `${formatNaira(moreMinor < 0n ? -moreMinor : moreMinor)} ${moreMinor > 0n ? 'more' : 'less'}`;
  return `The books have ${booked}, the statement ${shown} for the same transfer: the bank ${isOut ? 'paid' : 'credited'} ${side}.`;
}

/** Nothing on the statement says that the bank kept the difference as a charge, so no booking is proposed. */
function adviseOnAmounts({ amountMinor }: BookItem, offMinor: bigint): string {
  const amount = formatNaira(offMinor < 0n ? -offMinor : offMinor);
  if (amountMinor > 0n)
    return `Ask the bank why the amounts differ by ${amount}. Book nothing before its answer.`;
  return offMinor > 0n
    ? `Ask the bank to return ${amount}. Book nothing: it is not a charge, and its return will cancel the difference.`
    : `Ask the bank where the ${amount} are: the payee may have received too little. Book nothing before its answer.`;
}

function describeBookItem({ event, amountMinor, subjectId }: BookItem): string {
  return `${formatNaira(amountMinor)} (${event}) of ${subjectId}`;
}

function describeRow({ kind, amountMinor }: ReconciliationRow): string {
  const amount = formatNaira(amountMinor < 0n ? -amountMinor : amountMinor);
  if (kind === 'charge') return amountMinor < 0n ? `A charge of ${amount}` : `A returned charge of ${amount}`;
  if (kind === 'reversal') return `A reversal of ${amount}`;
  return amountMinor > 0n ? `A credit of ${amount}` : `A debit of ${amount}`;
}

function adviseOnRow({ kind, amountMinor }: ReconciliationRow): string {
  if (kind === 'reversal')
    return 'Find the transfer that the bank reversed, by its reference. If the rail reported no return, ask the bank.';
  if (amountMinor > 0n)
    return 'Identify the payer. If the feed missed a credit, count it with the case about its report; book your own money with `naira put-in`.';
  return 'Find out who sent it. If you moved the money, book it with `naira move` or `naira take-out`; otherwise stop payouts and ask the bank.';
}
