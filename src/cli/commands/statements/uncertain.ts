// Lists payments that an operator must check after an upgrade. An earlier version released them although their statement file
// did not show whether they were credits or debits. A debit among them may have wrongly paid for a buy.
import { formatNaira } from '../../../domain/values/money.ts';
import type { ProfileSummary } from '../../../ports/statements.ts';
import { defineCommand, MODE, printTable } from '../../command.ts';
import { toJson } from '../../terminal/json.ts';
import { countText } from '../../terminal/table.ts';
import { printable } from './words.ts';

const MOST = 1_000;
const MARKED = ['mt940', 'camt.053', 'camt.054'];

/**
 * A profile with separate debit and credit columns always showed the direction of the money. A profile with one amount column
 * did not.
 */
export function findCertainProfiles(profiles: readonly ProfileSummary[]): readonly string[] {
  return [
    ...MARKED,
    ...profiles.filter(({ columns }) => columns.amount === undefined).map(({ name }) => name),
  ];
}

export const uncertainCommand = defineCommand({
  name: 'statements uncertain',
  summary: 'List payments that an earlier version released from files that did not state debit or credit.',
  options: { mode: MODE },
  run: (terminal, { options: { mode } }) =>
    terminal.withFoundation(async ({ statements, statementReaders }) => {
      const found = await statements.listUncertain({
        mode: mode ?? null,
        certainProfiles: findCertainProfiles(statementReaders.profiles()),
        limit: MOST,
      });
      const rows = found.map((each) => [
        ...[each.mode, each.account, each.day, formatNaira(each.amountMinor), printable(each.narration)],
        ...[`${each.fileId} line ${each.line}`, each.profile],
        ...[each.credit?.id ?? '-', each.credit?.state ?? '-', each.credit?.transactionId ?? '-'],
      ]);
      if (rows.length === 0) terminal.print('The direction of every released payment is certain.');
      else {
        const head = ['MODE', 'ACCOUNT', 'DAY', 'AMOUNT', 'NARRATION', 'FROM', 'PROFILE'];
        printTable(terminal, [[...head, 'CREDIT', 'STATE', 'TRANSACTION'], ...rows]);
        terminal.print(
          `${countText(rows.length, 'payment')}${rows.length === MOST ? ', and there may be more' : ''}. Compare each with the account at the bank: if the bank shows a debit, you bear the loss.`,
        );
      }
      return toJson(found);
    }),
});
