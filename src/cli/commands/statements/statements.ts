// Statement files on the command line: import a file, list the imports, and list uncertain reversals.
import { createReadStream, statSync } from 'node:fs';
import path from 'node:path';
import { findStatementAccount } from '../../../app/statements/find-statement-account.ts';
import { type ImportSummary, importStatement } from '../../../app/statements/import-statement.ts';
import { formatNaira } from '../../../domain/values/money.ts';
import type { StatementDay, StatementFile } from '../../../ports/statements.ts';
import {
  renderDoubt,
  renderFile,
  renderImportSummary,
  renderProblems,
  renderStatementDay,
} from '../../../renderings/statements.ts';
import {
  type Command,
  defineCommand,
  isoTimeText,
  MODE,
  printTable,
  REQUIRED_MODE,
  type Terminal,
} from '../../command.ts';
import { CommandError, refusalError, UsageError } from '../../terminal/command-error.ts';
import { countText } from '../../terminal/table.ts';
import { uncertainCommand } from './uncertain.ts';
import { dayRows, nextSteps, nextStepsWithoutSource, printable, questionText } from './words.ts';

const importCommand = defineCommand({
  name: 'statements import',
  words: ['FILE'],
  summary: 'Import a statement file of a bank account: CSV, HTML, MT940, camt.053, camt.054 or OFX.',
  options: {
    mode: REQUIRED_MODE,
    vendor: { value: 'ID', about: 'the vendor that owns the account (vendors list)' },
    account: { value: 'BANK:NUMBER', about: 'instead of --vendor: a payout account (naira accounts)' },
    profile: { value: 'NAME', about: 'column profile (default: detected from the header of the file)' },
    'profile-change': { about: 'the bank changed its format: accept a new profile' },
    'dry-run': { about: 'read and compare without writing' },
    'without-source': {
      value: 'COUNT',
      about: 'import although the account has no credit source: the number of new incoming rows',
    },
  },
  run: (terminal, { words: [file], options }) =>
    terminal.withFoundation(async (foundation) => {
      const { vendor, account, mode } = options;
      if ((vendor === undefined) === (account === undefined))
        throw new UsageError('Use --vendor ID or --account BANK:NUMBER.');
      const wanted = vendor === undefined ? { account: account! } : { vendorId: vendor };
      const found = await findStatementAccount(foundation, mode, wanted);
      if (!found.ok) throw refusalError(found.error);
      const withoutSource = countOption(options['without-source'], '--without-source');
      const size = sizeOf(file);
      const result = await importStatement(foundation, {
        ...{ account: found.value, name: path.basename(file), bytes: createReadStream(file) },
        ...{ profile: options.profile ?? null, profileChange: options['profile-change'] },
        ...{ dryRun: options['dry-run'], withoutSource, size, actor: foundation.actor },
        onProgress: ({ bytes, rows }) => terminal.progress(progressLine(bytes, size, rows)),
      });
      terminal.progress('');
      if (!result.ok) throw refusalError(result.error);
      const { question, isDryRun } = result.value;
      if (question !== null && !isDryRun)
        throw new CommandError(
          `${questionText(question)} Nothing was imported. ${nextStepsWithoutSource(question)}`,
          'conflict',
          renderImportSummary(result.value),
        );
      printSummary(terminal, result.value);
      const doubts = await foundation.statements.listDoubts(mode, 100);
      if (doubts.length > 0)
        terminal.print(
          `${countText(doubts.length, 'reversal is', 'reversals are')} uncertain. To list them: bin/sliproad statements doubts`,
        );
      return renderImportSummary(result.value);
    }),
});

function countOption(value: string | undefined, name: string): number | null {
  if (value === undefined) return null;
  if (/^[0-9]{1,9}$/.test(value)) return Number(value);
  throw new UsageError(`${name} must be a number of rows, for example 120.`);
}

function sizeOf(file: string): number {
  try {
    const found = statSync(file);
    if (found.isFile()) return found.size;
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code}.`, 'not_found');
  }
  throw new UsageError(`${file} is not a file.`);
}

const BAR = 20;

function progressLine(bytes: number, size: number, rows: number): string {
  const done = size === 0 ? BAR : Math.min(BAR, Math.floor((bytes / size) * BAR));
  const percent = size === 0 ? 100 : Math.min(100, Math.floor((bytes / size) * 100));
  return `[${'#'.repeat(done)}${'.'.repeat(BAR - done)}] ${percent} %, ${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'}`;
}

function printSummary(terminal: Terminal, summary: ImportSummary): void {
  const { file, isSame, isDryRun } = summary;
  if (isSame) {
    terminal.print(
      `This file was already imported as ${file.id} at ${isoTimeText(file.startedAtMs)}. Nothing was changed.`,
    );
    return;
  }
  const what = isDryRun ? 'Dry run, nothing was written' : `Imported as ${file.id}`;
  terminal.print(`${what}: ${file.format}, profile ${file.profile}, account ${file.account}.`);
  printTable(terminal, [
    ['ROWS', 'NEW', 'KNOWN', 'PENDING', 'UNREADABLE', 'DAYS', 'FROM', 'TO', 'DAYS WITH GAPS'],
    [
      ...[
        file.rowsRead,
        file.rowsNew,
        file.rowsKnown,
        summary.pending,
        file.problems.total,
        summary.days,
      ].map(String),
      ...[file.fromDay ?? '-', file.toDay ?? '-', String(summary.gaps)],
    ],
  ]);
  printProblems(terminal, file);
  if (isDryRun && summary.question !== null) terminal.print(questionText(summary.question));
  for (const line of nextSteps(summary)) terminal.print(line);
}

function printProblems(terminal: Terminal, { problems }: StatementFile): void {
  if (problems.total === 0) return;
  const rows = problems.list.map(({ line, column, reason }) => [
    String(line),
    String(column),
    printable(reason),
  ]);
  printTable(terminal, [['LINE', 'COLUMN', 'REASON'], ...rows]);
  const more = problems.total - problems.list.length;
  if (more > 0) terminal.print(`And ${more} more.`);
}

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
      const rows = profiles.map(({ name, title, columns, isOwn }) => [
        ...[name, title, isOwn ? 'own' : 'shipped'],
        Object.entries(columns)
          .map(([column, names]) => `${column}: ${names.join(' | ')}`)
          .join('; '),
      ]);
      printTable(terminal, [['PROFILE', 'BANK', 'FROM', 'COLUMNS'], ...rows]);
      return profiles.map(({ name, title, columns, isOwn }) => ({
        ...{ name, title, own: isOwn },
        columns: Object.entries(columns).map(([column, names]) => ({ column, names: [...names] })),
      }));
    }),
});

export const statementCommands: readonly Command[] = [
  importCommand,
  listCommand,
  showCommand,
  doubtsCommand,
  uncertainCommand,
  profilesCommand,
];
