// Payments for an operator to check after an upgrade: an earlier version released them although their file did not state the
// direction of the money. A debit among them may have paid for a buy.
import { formatNaira } from '../../../domain/values/money.ts';
import type { ProfileSummary } from '../../../ports/statements.ts';
import { command, MODE, printTable } from '../../command.ts';
import { toJson } from '../../terminal/json.ts';
import { counted } from '../../terminal/table.ts';
import { shown } from './words.ts';

const MOST = 1_000;
/** The formats that mark every entry as debit or credit. */
const MARKED = ['mt940', 'camt.053', 'camt.054'];

/** Profiles with separate debit and credit columns were always certain; those with one amount column were not. */
export function certainProfiles(profiles: readonly ProfileSummary[]): readonly string[] {
  return [
    ...MARKED,
    ...profiles.filter(({ columns }) => columns.amount === undefined).map(({ name }) => name),
  ];
}

export const uncertainCommand = command({
  name: 'statements uncertain',
  summary: 'List payments that an earlier version released from files that did not state debit or credit.',
  options: { mode: MODE },
  run: (terminal, { options: { mode } }) =>
    terminal.withFoundation(async ({ statements, statementReaders }) => {
      const found = await statements.listUncertain({
        mode: mode ?? null,
        certainProfiles: certainProfiles(statementReaders.profiles()),
        limit: MOST,
      });
      const rows = found.map((each) => [
        ...[each.mode, each.account, each.day, formatNaira(each.amountMinor), shown(each.narration)],
        ...[`${each.fileId} line ${each.line}`, each.profile],
        ...[each.credit?.id ?? '-', each.credit?.state ?? '-', each.credit?.transactionId ?? '-'],
      ]);
      if (rows.length === 0) terminal.print('The direction of every released payment is certain.');
      else {
        const head = ['MODE', 'ACCOUNT', 'DAY', 'AMOUNT', 'NARRATION', 'FROM', 'PROFILE'];
        printTable(terminal, [[...head, 'CREDIT', 'STATE', 'TRANSACTION'], ...rows]);
        terminal.print(
          `${counted(rows.length, 'payment')}${rows.length === MOST ? ', and there may be more' : ''}. Compare each with the account at the bank: if the bank shows a debit, you bear the loss.`,
        );
      }
      return toJson(found);
    }),
});
