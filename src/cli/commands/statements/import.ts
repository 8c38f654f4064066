// The import of a statement file on the command line, for one account or for every account that the file names.
import { createReadStream, statSync } from 'node:fs';
import path from 'node:path';
import { findStatementAccount } from '../../../app/statements/find-statement-account.ts';
import { type EveryAccountDeps, importEveryAccount } from '../../../app/statements/import-every-account.ts';
import { type ImportSummary, importStatement } from '../../../app/statements/import-statement.ts';
import type { Mode } from '../../../domain/values/mode.ts';
import type { StatementFile } from '../../../ports/statements.ts';
import { renderEveryAccount, renderImportSummary } from '../../../renderings/statements.ts';
import { defineCommand, isoTimeText, printTable, REQUIRED_MODE, type Terminal } from '../../command.ts';
import { CommandError, refusalError, UsageError } from '../../terminal/command-error.ts';
import { asJsonObject, type JsonObject } from '../../terminal/json.ts';
import { countText } from '../../terminal/table.ts';
import { confirmSteps, nextSteps, printable } from './words.ts';

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
  },
  run: (terminal, { words: [file], options }) =>
    terminal.withFoundation(async (foundation) => {
      const { vendor, account, mode } = options;
      const isEvery = options['every-account'];
      if ([vendor !== undefined, account !== undefined, isEvery].filter(Boolean).length !== 1)
        throw new UsageError('Use --vendor ID, --account BANK:NUMBER or --every-account.');
      const size = sizeOf(file);
      if (isEvery) return importAll(terminal, foundation, file, options);
      const wanted = vendor === undefined ? { account: account! } : { vendorId: vendor };
      const found = await findStatementAccount(foundation, mode, wanted);
      if (!found.ok) throw refusalError(found.error);
      const result = await importStatement(foundation, {
        ...{ account: found.value, name: path.basename(file), bytes: createReadStream(file) },
        ...{ profile: options.profile ?? null, profileChange: options['profile-change'] },
        ...{ dryRun: options['dry-run'], actor: foundation.actor },
        onProgress: ({ bytes, rows }) => terminal.progress(progressLine(bytes, size, rows)),
      });
      terminal.progress('');
      if (!result.ok) throw refusalError(result.error);
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
}

/** Each account of the file succeeds or fails by itself; the command fails if none was imported. */
async function importAll(
  terminal: Terminal,
  foundation: EveryAccountDeps & { readonly actor: string },
  file: string,
  { mode, profile, 'profile-change': profileChange, 'dry-run': dryRun }: ImportOptions,
): Promise<JsonObject> {
  const found = await importEveryAccount(foundation, {
    ...{ mode, name: path.basename(file), open: () => createReadStream(file) },
    ...{ profile: profile ?? null, profileChange, dryRun, actor: foundation.actor },
  });
  if (!found.ok) throw refusalError(found.error);
  for (const { account, result } of found.value) {
    terminal.print('');
    if (result.ok) printSummary(terminal, result.value);
    else terminal.print(`${account}: ${result.error.message}`);
  }
  const [first] = found.value;
  if (first !== undefined && !first.result.ok && found.value.every(({ result }) => !result.ok))
    throw refusalError(first.result.error);
  return asJsonObject(renderEveryAccount(found.value));
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
