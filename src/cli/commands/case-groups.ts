// The open cases about one statement file as one line of a table.
import { formatNaira } from '../../domain/values/money.ts';
import type { CaseGroup } from '../../ports/operations/operations-store.ts';
import { isoTimeText, printTable, type Terminal } from '../command.ts';
import { printable } from './statements/words.ts';

export const CASE_GROUPS_TITLE =
  'Open cases about rows of one statement file: cases list --file, reviews propose explained-all';
export const CASE_GROUPS_HEAD = ['FILE', 'MODE', 'ACCOUNT', 'NAME', 'CASES', 'AMOUNT', 'SINCE'];

export function caseGroupRow(group: CaseGroup): string[] {
  const { fileId, mode, account, name, cases, amountMinor, openedAtMs } = group;
  return [
    ...[fileId, mode, account, printable(name), String(cases), formatNaira(amountMinor)],
    isoTimeText(openedAtMs),
  ];
}

export function printCaseGroups(terminal: Terminal, groups: readonly CaseGroup[]): void {
  terminal.print(CASE_GROUPS_TITLE);
  printTable(terminal, [CASE_GROUPS_HEAD, ...groups.map(caseGroupRow)]);
  terminal.print('');
}
