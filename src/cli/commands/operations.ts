// Operating the installation: the bank directory, pausing money, backup and restore.
import path from 'node:path';
import { backupData, loadBankDirectory, restoreData } from '../../wire.ts';
import { type Command, CommandError, readOptions, required, type Terminal, table } from '../command.ts';

export const operationCommands: readonly Command[] = [
  {
    name: 'banks search',
    usage: 'TEXT',
    summary: 'Find a bank by a spelling of its name, or by its code.',
    run: async (terminal, args) => {
      const text = required(readOptions(args, {}).rest.join(' '), 'TEXT');
      const banks = loadBankDirectory().search(text);
      if (banks.length === 0) throw new CommandError(`No bank is known as "${text}".`);
      const rows = banks.map((bank) => [
        bank.name,
        bank.cbnCode ?? '-',
        bank.nipCode,
        bank.aliases.join(', '),
      ]);
      terminal.print(table([['NAME', 'CBN', 'NIP', 'ALSO KNOWN AS'], ...rows]));
    },
  },
  {
    name: 'movements status',
    usage: '',
    summary: 'Say whether money movements are paused.',
    run: (terminal) =>
      terminal.withFoundation(async ({ backOffice }) => {
        terminal.print((await backOffice.movementsPaused()) ? 'Money movements are paused.' : 'Money moves.');
      }),
  },
  pauseCommand(
    'movements pause',
    true,
    'Pause money movements in every process. Requests are still accepted.',
  ),
  pauseCommand('movements resume', false, 'Let money move again. After a restore: reconcile first.'),
  {
    name: 'backup',
    usage: 'DIR',
    summary: 'Copy the embedded database to a new directory, also while the service runs.',
    run: async (terminal, args) => {
      const targetDir = path.resolve(required(readOptions(args, {}).rest[0], 'DIR'));
      embeddedOnly(terminal);
      const result = await backupData(terminal.config, terminal.log, targetDir, showCopy(terminal, 'Copied'));
      terminal.progress('');
      terminal.print(`Backup of ${result.files} files (${megabytes(result.bytes)}) is in ${targetDir}`);
      terminal.print(`To bring it back: DATA_DIR=NEW_DIR bin/sliproad restore ${targetDir}`);
    },
  },
  {
    name: 'restore',
    usage: 'DIR',
    summary: 'Bring a backup back into an empty DATA_DIR. Money movements start paused.',
    run: async (terminal, args) => {
      const sourceDir = path.resolve(required(readOptions(args, {}).rest[0], 'DIR'));
      embeddedOnly(terminal);
      const result = await restoreData(
        terminal.config,
        terminal.log,
        sourceDir,
        showCopy(terminal, 'Checked'),
      );
      terminal.progress('');
      terminal.print(`Restored the backup of ${result.createdAt} into ${terminal.config.dataDir}`);
      terminal.print('Money movements are paused. Reconcile with the bank and the networks, then:');
      terminal.print('  bin/sliproad movements resume');
    },
  },
];

function pauseCommand(name: string, paused: boolean, summary: string): Command {
  return {
    name,
    usage: '[--reason TEXT]',
    summary,
    run: (terminal, args) => {
      const { options } = readOptions(args, { reason: 'text' });
      return terminal.withFoundation(async ({ backOffice, clock, actor }) => {
        await backOffice.setMovementsPaused(paused, options.reason ?? '', { actor, atMs: clock.now() });
        terminal.print(paused ? 'Money movements are paused.' : 'Money moves again.');
      });
    },
  };
}

function embeddedOnly({ config }: Terminal): void {
  if (config.databaseUrl === null) return;
  throw new CommandError('DATABASE_URL is set: back up and restore that server with its own tools.');
}

function showCopy(terminal: Terminal, word: string) {
  return ({
    filesDone,
    filesTotal,
    bytesDone,
  }: {
    filesDone: number;
    filesTotal: number;
    bytesDone: number;
  }) => terminal.progress(`${word} ${filesDone} of ${filesTotal} files, ${megabytes(bytesDone)}`);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MB`;
}
