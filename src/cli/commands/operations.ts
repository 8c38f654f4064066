// Operating the installation: the bank directory, pausing money movements, backup and restore.
import path from 'node:path';
import { backupData, loadBankDirectory, restoreData } from '../../wire.ts';
import {
  ANY_WORDS,
  type Command,
  CommandError,
  readOptions,
  required,
  type Terminal,
  table,
} from '../command.ts';
import { change } from './setting-words.ts';

const PAUSED = 'Money movements are paused.';
const TO_RESUME = 'To resume them: bin/sliproad movements resume';

export const operationCommands: readonly Command[] = [
  {
    name: 'banks search',
    usage: 'TEXT',
    summary: 'Find a bank by a spelling of its name, or by its code.',
    run: async (terminal, args) => {
      const text = required(readOptions(args, {}, ANY_WORDS).rest.join(' '), 'TEXT');
      const banks = loadBankDirectory().search(text);
      if (banks.length === 0)
        throw new CommandError(
          `No bank is known as "${text}". Try a part of its name, or its CBN or NIP code.`,
        );
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
    summary: 'Say whether money movements are paused, and who paused or resumed them, when and why.',
    run: async (terminal, args) => {
      readOptions(args, {});
      await terminal.withFoundation(async ({ backOffice, proposalDesk }) => {
        const paused = await backOffice.movementsPaused();
        terminal.print(paused ? `${PAUSED} ${TO_RESUME}` : 'Money movements are not paused.');
        const last = await backOffice.lastPause();
        if (last === undefined) return;
        const name = (await proposalDesk.namesOf([last.actor])).get(last.actor);
        const who = name === undefined ? last.actor : `${name} (${last.actor})`;
        const why = last.reason === '' ? 'no reason was given' : last.reason;
        const word = last.paused ? 'Paused' : 'Resumed';
        terminal.print(`${word} by ${who} at ${new Date(last.atMs).toISOString()}: ${why}`);
      });
    },
  },
  pauseCommand(
    'movements pause',
    true,
    'Pause money movements in every process. Requests are still accepted and wait.',
  ),
  pauseCommand(
    'movements resume',
    false,
    'Resume money movements, after the approval of another person. After a restore, reconcile with the bank and the networks first.',
  ),
  {
    name: 'backup',
    usage: 'DIR',
    summary: 'Copy the embedded database to a new directory. The service may keep running.',
    run: async (terminal, args) => {
      const targetDir = path.resolve(required(readOptions(args, {}, 1).rest[0], 'DIR'));
      embeddedOnly(terminal);
      const result = await backupData(terminal.config, terminal.log, targetDir, showCopy(terminal, 'Copied'));
      terminal.progress('');
      terminal.print(`Backup of ${result.files} files (${megabytes(result.bytes)}) is in ${targetDir}`);
      terminal.print(
        `Not in it: the keys of stored secrets. Keep a copy of ${terminal.config.secretsKeyFile} elsewhere.`,
      );
      terminal.print(`To restore it: DATA_DIR=NEW_DIR bin/sliproad restore ${targetDir}`);
    },
  },
  {
    name: 'restore',
    usage: 'DIR',
    summary: 'Restore a backup into an empty DATA_DIR. Money movements are paused afterwards.',
    run: async (terminal, args) => {
      const sourceDir = path.resolve(required(readOptions(args, {}, 1).rest[0], 'DIR'));
      embeddedOnly(terminal);
      const result = await restoreData(
        terminal.config,
        terminal.log,
        sourceDir,
        showCopy(terminal, 'Checked'),
      );
      terminal.progress('');
      terminal.print(`Restored the backup of ${result.createdAt} into ${terminal.config.dataDir}`);
      terminal.print(
        `Copy the key file of stored secrets to ${terminal.config.secretsKeyFile} before the start.`,
      );
      terminal.print(`${PAUSED} Reconcile with the bank and the networks, then:`);
      terminal.print(`  DATA_DIR=${terminal.config.dataDir} bin/sliproad movements resume`);
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
      return terminal.withFoundation(async (foundation) => {
        const setting = paused ? 'movements_paused' : 'movements_resumed';
        const done = await change(terminal, foundation, { setting, reason: options.reason ?? '' });
        if (done !== undefined) terminal.print(`${PAUSED} ${TO_RESUME}`);
      });
    },
  };
}

function embeddedOnly({ config }: Terminal): void {
  if (config.databaseUrl === null) return;
  throw new CommandError(
    'DATABASE_URL is set, so the database is not embedded: back up and restore that server with its own tools.',
  );
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
