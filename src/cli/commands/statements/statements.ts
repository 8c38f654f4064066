// Statement files on the command line: list the imports and the profiles, show a file, confirm its totals, and list uncertain
// reversals.
import { makeProfileConfirmation } from '../../../app/statements/confirm-profile.ts';
import { formatNaira } from '../../../domain/values/money.ts';
import type { StatementDay } from '../../../ports/statements.ts';
import {
  renderDoubt,
  renderFile,
  renderProblems,
  renderStatementDay,
} from '../../../renderings/statements.ts';
import { type Command, defineCommand, isoTimeText, MODE, printTable } from '../../command.ts';
import { CommandError, refusalError } from '../../terminal/command-error.ts';
import { countText } from '../../terminal/table.ts';
import { requestSettingChange } from '../decision-words.ts';
import { importCommand, printProblems } from './import.ts';
import { uncertainCommand } from './uncertain.ts';
import { confirmSteps, dayRows, printable } from './words.ts';

const listCommand = defineCommand({
  name: 'statements list',
  summary: 'List the imported statement files, newest first.',
  options: { mode: MODE },
  run: (terminal, { options: { mode } }) =>
    terminal.withFoundation(async ({ statements }) => {
      const files = await statements.listFiles({ mode, limit: 100 });
      const rows = files.map((file) => [
        ...[
          file.id,
          file.mode,
          file.state,
          isoTimeText(file.startedAtMs),
          file.account,
          printable(file.name),
        ],
        ...[file.format, String(file.rowsRead), String(file.rowsNew), String(file.problems.total)],
      ]);
      const head = [
        'FILE_ID',
        'MODE',
        'STATE',
        'IMPORTED',
        'ACCOUNT',
        'NAME',
        'FORMAT',
        'ROWS',
        'NEW',
        'PROBLEMS',
      ];
      if (rows.length > 0) printTable(terminal, [head, ...rows]);
      else
        terminal.print(
          'No statement has been imported yet. Import one: bin/sliproad statements import FILE --mode MODE --vendor ID',
        );
      return { files: files.map(renderFile) };
    }),
});

const showCommand = defineCommand({
  name: 'statements show',
  words: ['FILE_ID'],
  summary: 'Show the rows of a statement file, its unreadable rows, and the days it covers.',
  run: (terminal, { words: [id] }) =>
    terminal.withFoundation(async ({ statements }) => {
      const file = await statements.findFile(id);
      if (file === null) throw new CommandError(`There is no statement file ${id}.`, 'not_found');
      terminal.print(
        `${printable(file.name)}, ${file.format}, profile ${file.profile}, account ${file.account} (${file.mode}): ${file.state}, by ${file.importedBy} at ${isoTimeText(file.startedAtMs)}.`,
      );
      terminal.print(`${countText(file.rowsRead, 'row')}, ${file.rowsNew} new, ${file.rowsKnown} known.`);
      for (const line of confirmSteps(file)) terminal.print(line);
      printProblems(terminal, file);
      const { mode, account, fromDay, toDay } = file;
      const days: readonly StatementDay[] =
        fromDay === null || toDay === null
          ? []
          : await statements.listDays({ mode, account, fromDay, toDay, limit: 400 });
      if (days.length > 0) printTable(terminal, dayRows(days));
      return { file: renderFile(file), problems: renderProblems(file), days: days.map(renderStatementDay) };
    }),
});

const confirmCommand = defineCommand({
  name: 'statements confirm',
  words: ['FILE_ID'],
  summary:
    'Confirm the totals of the first file that an unverified profile read for an account. In live mode another person must approve.',
  run: (terminal, { words: [id] }) =>
    terminal.withFoundation(async (foundation) => {
      const request = await makeProfileConfirmation(foundation, id);
      if (!request.ok) throw refusalError(request.error);
      const { write, json } = await requestSettingChange(terminal, foundation, request.value);
      if (write !== undefined)
        terminal.print(
          `The profile ${request.value.profile} is confirmed for the account ${request.value.account}. Import the file again.`,
        );
      return json;
    }),
});

const doubtsCommand = defineCommand({
  name: 'statements doubts',
  summary: 'List statement reversals that match no credit or several credits.',
  options: { mode: MODE },
  run: (terminal, { options: { mode } }) =>
    terminal.withFoundation(async ({ statements }) => {
      const doubts = await statements.listDoubts(mode ?? null, 200);
      const rows = doubts.map((each) => [
        ...[each.mode, each.account, each.day, formatNaira(each.amountMinor), printable(each.narration)],
        ...[`${each.fileId} line ${each.line}`, each.why],
      ]);
      if (rows.length === 0) terminal.print('No reversal is uncertain.');
      else printTable(terminal, [['MODE', 'ACCOUNT', 'DAY', 'AMOUNT', 'NARRATION', 'FROM', 'WHY'], ...rows]);
      return { doubts: doubts.map(renderDoubt) };
    }),
});

const profilesCommand = defineCommand({
  name: 'statements profiles',
  summary: 'List the column profiles for CSV files and tables.',
  run: (terminal) =>
    terminal.withFoundation(async ({ statementReaders }) => {
      const profiles = statementReaders.profiles();
      const rows = profiles.map(({ name, title, columns, isOwn, isUnverified }) => [
        ...[name, title, isOwn ? 'own' : 'shipped', isUnverified ? 'no' : 'yes'],
        Object.entries(columns)
          .map(([column, names]) => `${column}: ${names.join(' | ')}`)
          .join('; '),
      ]);
      printTable(terminal, [['PROFILE', 'BANK', 'FROM', 'VERIFIED', 'COLUMNS'], ...rows]);
      return profiles.map(({ name, title, source, columns, isOwn, isUnverified }) => ({
        ...{ name, title, own: isOwn, verified: !isUnverified, source },
        columns: Object.entries(columns).map(([column, names]) => ({ column, names: [...names] })),
      }));
    }),
});

export const statementCommands: readonly Command[] = [
  importCommand,
  listCommand,
  showCommand,
  confirmCommand,
  doubtsCommand,
  uncertainCommand,
  profilesCommand,
];
