// A reconciled day in the words of the command line, and as JSON.
import type { Side } from '../../../domain/reconciliation/reconcile.ts';
import { wordsOf } from '../../../domain/reconciliation/words.ts';
import { formatNaira } from '../../../domain/values/money.ts';
import type { ReconciledDay, ShownDifference } from '../../../ports/reconciliation.ts';

export const STATE_WORDS: Readonly<Record<ReconciledDay['state'], string>> = {
  balanced: 'balanced: the books and the statement are equal',
  explained: 'explained: every difference has its reason',
  differs: 'differs: something is unexplained',
  no_statement: 'no statement of this day yet',
};

const PARTS: readonly (readonly [title: string, part: keyof Side])[] = [
  ['opening', 'openingMinor'],
  ['in', 'inMinor'],
  ['out', 'outMinor'],
  ['charges', 'chargesMinor'],
  ['closing', 'closingMinor'],
];

/** A table: each amount by the books, by the statement, and the rail's balance. */
export function dayTable({ books, statement, rail }: ReconciledDay): readonly (readonly string[])[] {
  const amount = (side: Side | null, part: keyof Side) => (side === null ? '-' : formatNaira(side[part]));
  return [
    ['', 'BOOKS', 'STATEMENT', 'RAIL'],
    ...PARTS.map(([title, part]) => [
      ...[title, amount(books, part), amount(statement, part)],
      part === 'closingMinor' && rail !== null ? formatNaira(rail.balanceMinor) : '-',
    ]),
  ];
}

export function differenceLines(difference: ShownDifference): readonly string[] {
  const { what, next } = wordsOf(difference);
  const mark = difference.isExplained ? ' ' : '!';
  const people =
    difference.caseOutcome !== null && difference.caseOutcome !== 'resolved'
      ? ` People ended the case: ${difference.caseOutcome}.`
      : '';
  const steps = difference.isExplained || next === null ? [] : [`      ${next}`];
  const inCase = difference.caseId === null ? '' : ` [${difference.caseId}]`;
  return [`  ${mark} ${formatNaira(difference.offMinor)}  ${what}${people}${inCase}`, ...steps];
}
