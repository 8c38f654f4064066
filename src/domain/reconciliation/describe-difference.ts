// Describes a difference for people: what it is, and what to do next.
import { formatNaira } from '../values/money.ts';
import type { ExplainedDifference } from './explain-differences.ts';
import type { BookItem, ReconciliationRow } from './items.ts';

export interface DifferenceDescription {
  readonly what: string;
  readonly next: string | null;
}

export function describeDifference(difference: ExplainedDifference): DifferenceDescription {
  const { item, row, day, onDay, offMinor } = difference;
  switch (difference.reason) {
    case 'later_on_statement':
      return { what: `Booked on ${day}; on the statement of ${onDay}.`, next: null };
    case 'later_in_books':
      return { what: `On the statement of ${day}; booked on ${onDay}.`, next: null };
    case 'not_yet_on_statement':
      return {
        what: `Booked on ${day}; not on a statement yet.`,
        next: `Import the statement of ${day} and of the working day after it.`,
      };
    case 'under_way':
      return { what: 'The bank has paid it, but the rail has not confirmed it yet.', next: null };
    case 'only_in_books':
      return {
        what: `In the books, but on no statement: ${describeBookItem(item!)}.`,
        next: BOOK_ITEM_ADVICE,
      };
    case 'only_on_statement':
      return {
        what: `${describeRow(row!)} on the statement of ${day} is not in the books.`,
        next: adviseOnRow(row!),
      };
    case 'amount_differs':
      return {
        what: `The books have ${formatNaira(item!.amountMinor)}, the statement ${formatNaira(row!.amountMinor)}.`,
        next: 'Ask the bank which amount is right. If the bank kept the difference, book it with `naira charge`.',
      };
    case 'opening_differs':
      return {
        what: `Before the first statement the books had ${formatNaira(offMinor)} more than the bank.`,
        next: 'Book the balance of the account (`naira put-in`, `naira take-out`), or explain it in the case.',
      };
    case 'balance_not_carried':
      return {
        what: `The balances of the statement differ by ${formatNaira(-offMinor)} from the sum of its rows.`,
        next: `Import the statement of the days before ${day}, or the whole statement of ${day}.`,
      };
    case 'rail_differs':
      return {
        what: `The rail reported ${formatNaira(-offMinor)} more than the books had at that moment.`,
        next: 'Import the statement of the account: its rows show which transfer causes the difference.',
      };
    case 'rail_as_statement':
      return { what: 'The rail differs from the books in the same way as the statement.', next: null };
  }
}

const BOOK_ITEM_ADVICE =
  "Ask the bank about it. If the bank has no such transfer, explain the case with the bank's answer.";

function describeBookItem({ event, amountMinor, subjectId }: BookItem): string {
  return `${formatNaira(amountMinor)} (${event}) of ${subjectId}`;
}

function describeRow({ kind, amountMinor }: ReconciliationRow): string {
  const amount = formatNaira(amountMinor < 0n ? -amountMinor : amountMinor);
  if (kind === 'charge') return `A charge of ${amount}`;
  if (kind === 'reversal') return `A reversal of ${amount}`;
  return amountMinor > 0n ? `A credit of ${amount}` : `A debit of ${amount}`;
}

function adviseOnRow({ kind, amountMinor }: ReconciliationRow): string {
  if (kind === 'charge')
    return 'Book it with `naira charge`, with the day and the reference of the statement.';
  if (amountMinor > 0n)
    return 'Identify the payer. If the feed missed a credit, count it with the case about its report; book your own money with `naira put-in`.';
  return 'Find out who sent it. If you moved the money, book it with `naira move` or `naira take-out`; otherwise stop payouts and ask the bank.';
}
