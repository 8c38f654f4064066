// The import of a statement file on the command line, for one account or for every account that the file names.
import { createReadStream, statSync } from 'node:fs';
import path from 'node:path';
import { findStatementAccount } from '../../../app/statements/find-statement-account.ts';
import {
  confirmationOf,
  type EveryAccountDeps,
  importEveryAccount,
  parseWithoutSource,
} from '../../../app/statements/import-every-account.ts';
import { type ImportSummary, importStatement } from '../../../app/statements/import-statement.ts';
import type { Mode } from '../../../domain/values/mode.ts';
import type { StatementFile } from '../../../ports/statements.ts';
import { renderEveryAccount, renderImportSummary } from '../../../renderings/statements.ts';
import { defineCommand, isoTimeText, printTable, REQUIRED_MODE, type Terminal } from '../../command.ts';
import { CommandError, refusalError, UsageError } from '../../terminal/command-error.ts';
import { asJsonObject, type JsonObject } from '../../terminal/json.ts';
import { countText } from '../../terminal/table.ts';
import { confirmSteps, nextSteps, nextStepsWithoutSource, printable, questionText } from './words.ts';

export const importCommand = defineCommand({
  name: 'statements import',
  words: ['FILE'],
  summary: 'Import a statement file of a bank account: CSV, Excel, HTML, MT940, camt.053, camt.054 or OFX.',
  options: {
    mode: REQUIRED_MODE,
    vendor: { value: 'ID', about: 'the vendor that owns the account (vendors list)' },
    account: { value: 'BANK:NUMBER', about: 'instead of --vendor: a payout account (naira accounts)' },
    'every-account': { about: 'the file names several accounts: import each into its own' },
    profile: { value: 'NAME', about: 'column profile (default: detected from the header of the file)' },
    'profile-change': { about: 'the bank changed its format: accept a new profile' },
    'dry-run': { about: 'read and compare without writing' },
    'without-source': {
      value: 'COUNT',
      about:
        'import although the account has no credit source: the number of new incoming rows (with --every-account: ACCOUNT=COUNT,…)',
    },
  },
  run: (terminal, { words: [file], options }) =>
    terminal.withFoundation(async (foundation) => {
      const { vendor, account, mode } = options;
      const isEvery = options['every-account'];
      if ([vendor !== undefined, account !== undefined, isEvery].filter(Boolean).length !== 1)
        throw new UsageError('Use --vendor ID, --account BANK:NUMBER or --every-account.');
      const size = sizeOf(file);
      if (isEvery) return importAll(terminal, foundation, { file, size }, options);
      const withoutSource = countOption(options['without-source']);
      const wanted = vendor === undefined ? { account: account! } : { vendorId: vendor };
      const found = await findStatementAccount(foundation, mode, wanted);
      if (!found.ok) throw refusalError(found.error);
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
          `${questionText(question)} Nothing was imported. ${nextStepsWithoutSource(String(question.incoming))}`,
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

interface ImportOptions {
  readonly mode: Mode;
  readonly profile?: string | undefined;
  readonly 'profile-change': boolean;
  readonly 'dry-run': boolean;
  readonly 'without-source'?: string | undefined;
}

/**
 * Each account of the file succeeds or fails by itself; the command fails if none was imported, or if one without a credit source
 * asks.
 */
async function importAll(
  terminal: Terminal,
  foundation: EveryAccountDeps & { readonly actor: string },
  { file, size }: { readonly file: string; readonly size: number },
  { mode, profile, 'profile-change': profileChange, 'dry-run': dryRun, ...options }: ImportOptions,
): Promise<JsonObject> {
  const found = await importEveryAccount(foundation, {
    ...{ mode, name: path.basename(file), open: () => createReadStream(file), size },
    ...{ profile: profile ?? null, profileChange, dryRun, actor: foundation.actor },
    withoutSource: countsOption(options['without-source']),
  });
  if (!found.ok) throw refusalError(found.error);
  for (const { account, result } of found.value) {
    terminal.print('');
    if (result.ok && result.value.question !== null && !dryRun)
      terminal.print(`${account}: ${questionText(result.value.question)} Nothing was imported.`);
    else if (result.ok) printSummary(terminal, result.value);
    else terminal.print(`${account}: ${result.error.message}`);
  }
  const [first] = found.value;
  if (first !== undefined && !first.result.ok && found.value.every(({ result }) => !result.ok))
    throw refusalError(first.result.error);
  const confirmation = confirmationOf(found.value);
  if (confirmation !== null && !dryRun)
    throw new CommandError(
      `Accounts without a credit source were not imported. ${nextStepsWithoutSource(confirmation)}`,
      'conflict',
      asJsonObject(renderEveryAccount(found.value)),
    );
  return asJsonObject(renderEveryAccount(found.value));
}

function countOption(value: string | undefined): number | null {
  if (value === undefined) return null;
  if (/^[0-9]{1,9}$/.test(value)) return Number(value);
  throw new UsageError('--without-source must be a number of rows, for example 120.');
}

function countsOption(value: string | undefined): ReadonlyMap<string, number> {
  const counts = value === undefined ? new Map<string, number>() : parseWithoutSource(value);
  if (counts !== undefined) return counts;
  throw new UsageError(
    '--without-source must name each account and its number of rows, for example 058:0123456789=120,044:0123456780=3.',
  );
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
  if (summary.needsConfirmation) {
    terminal.print(`Nothing was imported: ${file.format}, profile ${file.profile}, account ${file.account}.`);
    const steps = confirmSteps(file);
    for (const line of isDryRun ? steps.slice(0, -1) : steps) terminal.print(line);
    printProblems(terminal, file);
    if (summary.question !== null) terminal.print(questionText(summary.question));
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

export function printProblems(terminal: Terminal, { problems }: StatementFile): void {
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
