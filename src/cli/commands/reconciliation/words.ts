// The text and the JSON of one reconciled day.

import { describeDifference } from '../../../domain/reconciliation/describe-difference.ts';
import type { DaySide } from '../../../domain/reconciliation/reconcile.ts';
import { formatNaira } from '../../../domain/values/money.ts';
import type { DifferenceWithCase, ReconciledDay } from '../../../ports/reconciliation.ts';

export const STATE_WORDS: Readonly<Record<ReconciledDay['state'], string>> = {
  balanced: 'balanced: the books and the statement agree',
  explained: 'explained: every difference has an explanation',
  differs: 'differs: at least one difference is unexplained',
  no_statement: 'no statement for this day yet',
  statement_missing: 'the statement of this day is missing: a later day has one',
};

const PARTS: readonly (readonly [title: string, part: keyof DaySide])[] = [
  ['opening', 'openingMinor'],
  ['in', 'inMinor'],
  ['out', 'outMinor'],
  ['charges', 'chargesMinor'],
  ['closing', 'closingMinor'],
];

export function dayTable({ books, statement, rail }: ReconciledDay): readonly (readonly string[])[] {
  const amount = (side: DaySide | null, part: keyof DaySide) =>
    side === null ? '-' : formatNaira(side[part]);
  return [
    ['', 'BOOKS', 'STATEMENT', 'RAIL'],
    ...PARTS.map(([title, part]) => [
      ...[title, amount(books, part), amount(statement, part)],
      part === 'closingMinor' && rail !== null ? formatNaira(rail.balanceMinor) : '-',
    ]),
  ];
}

export function differenceLines(difference: DifferenceWithCase): readonly string[] {
  const { what, next } = describeDifference(difference);
  const mark = difference.isExplained ? ' ' : '!';
  const people =
    difference.caseOutcome !== null && difference.caseOutcome !== 'resolved'
      ? ` Two people closed the case: ${difference.caseOutcome}.`
      : '';
  const steps = difference.isExplained || next === null ? [] : [`      ${next}`];
  const inCase = difference.caseId === null ? '' : ` [${difference.caseId}]`;
  return [`  ${mark} ${formatNaira(difference.offMinor)}  ${what}${people}${inCase}`, ...steps];
}
