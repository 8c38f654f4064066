// The texts about statements on the command line, including the next steps.
import type { ImportSummary } from '../../../app/statements/import-statement.ts';
import type { NewRows } from '../../../app/statements/merge-days.ts';
import { dayAfter } from '../../../domain/statements/days.ts';
import { formatNaira } from '../../../domain/values/money.ts';
import type { StatementDay, StatementFile } from '../../../ports/statements.ts';
import { countText } from '../../terminal/table.ts';

/** Replaces control characters, because a file can contain them and a terminal would execute them. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '?');
}

const naira = (minor: bigint | null) => (minor === null ? '-' : formatNaira(minor));

export function dayRows(days: readonly StatementDay[]): readonly (readonly string[])[] {
  return [
    ['DAY', 'ROWS', 'COMPLETE', 'STATE', 'OPENING', 'CLOSING', 'WHY'],
    ...days.map((day) => [
      ...[day.day, String(day.rows), day.complete ? 'yes' : 'no', day.state],
      ...[naira(day.openingMinor), naira(day.closingMinor), day.gap ?? ''],
    ]),
  ];
}

/** What an import without a credit source would do. */
export function questionText({ incoming, incomingMinor, outgoing, outgoingMinor }: NewRows): string {
  return `The account has no credit source. The file has ${countText(incoming, 'new incoming row')} (${formatNaira(incomingMinor)}) and ${countText(outgoing, 'new outgoing row')} (${formatNaira(outgoingMinor)}). No incoming row would pay for a buy: each becomes a report, and each report that matches no credit becomes a case for two people.`;
}

/** `confirmation`: the number of incoming rows, or of each account. */
export function nextStepsWithoutSource(confirmation: string): string {
  return `Set the source first (bin/sliproad vendors source), or import the file with --without-source ${confirmation}.`;
}

/** The totals that people compare with the account at the bank; nothing if the file waits for no confirmation. */
export function confirmSteps({ id, profile, totals, ...file }: StatementFile): readonly string[] {
  if (!file.awaitsConfirmation || totals === null) return [];
  const period = `${file.fromDay ?? '-'} to ${file.toDay ?? '-'}`;
  return [
    `The profile ${profile} is unverified: it was never compared with a file of the bank. So two people must confirm what it read.`,
    `${countText(file.rowsRead, 'row')} from ${period}, ${formatNaira(totals.inMinor)} in, ${formatNaira(totals.outMinor)} out.`,
    `If the account at the bank shows the same totals: bin/sliproad statements confirm ${id}. Then import the file again.`,
  ];
}

export function nextSteps({ file, gaps, incompleteDays, isDryRun }: ImportSummary): readonly string[] {
  const steps: string[] = [];
  if (gaps > 0)
    steps.push(
      `${countText(gaps, 'day has a gap in its balances: its', 'days have a gap in their balances: their')} new rows are not credited until a file closes the gap. Details: bin/sliproad statements show ${file.id}`,
    );
  const first = incompleteDays[0];
  const last = incompleteDays.at(-1);
  if (first !== undefined && last !== undefined)
    steps.push(
      `The files cover ${countText(incompleteDays.length, 'day')} only partly (${incompleteDays.slice(0, 5).join(', ')}${incompleteDays.length > 5 ? ', …' : ''}). Import a file from ${dayAfter(first, -1)} to ${dayAfter(last)} to complete them.`,
    );
  if (file.problems.total > 0 && !isDryRun)
    steps.push(
      'Unreadable rows are not imported. Correct them in the file, or ask the bank, and import the file again.',
    );
  return steps;
}
