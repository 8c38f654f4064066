// Commands that operate the installation: the bank directory, pausing money movements, backup and restore.
import path from 'node:path';
import { renderMovementsPause } from '../../renderings/stops.ts';
import { type Command, defineCommand, isoTimeText, printTable, type Terminal } from '../command.ts';
import { CommandError } from '../terminal/command-error.ts';
import { toJson } from '../terminal/json.ts';
import { requestSettingChange } from './decision-words.ts';

const PAUSED = 'Money movements are paused.';
const TO_RESUME = 'To resume them: bin/sliproad movements resume';

const searchCommand = defineCommand({
  name: 'banks search',
  words: ['TEXT...'],
  summary: 'Find a bank by name, alias or code.',
  run: async (terminal, { words: [words] }) => {
    const text = words.join(' ');
    const { loadBankDirectory } = await import('../../wire/banks.ts');
    const banks = loadBankDirectory().search(text);
    if (banks.length === 0)
      throw new CommandError(
        `No bank matches "${text}". Try part of its name, or its CBN or NIP code.`,
        'not_found',
      );
    const rows = banks.map((bank) => [bank.name, bank.cbnCode ?? '-', bank.nipCode, bank.aliases.join(', ')]);
    printTable(terminal, [['NAME', 'CBN', 'NIP', 'ALSO KNOWN AS'], ...rows]);
    return toJson(banks);
  },
});

const statusCommand = defineCommand({
  name: 'movements status',
  summary: 'Show whether money movements are paused, and who last paused or resumed them, when and why.',
  run: (terminal) =>
    terminal.withFoundation(async ({ backOffice, proposalDesk }) => {
      const paused = await backOffice.movementsPaused();
      terminal.print(paused ? `${PAUSED} ${TO_RESUME}` : 'Money movements are not paused.');
      const last = await backOffice.lastPause();
      if (last === undefined) return renderMovementsPause(paused, last);
      const name = (await proposalDesk.namesOf([last.actor])).get(last.actor);
      const who = name === undefined ? last.actor : `${name} (${last.actor})`;
      const why = last.reason === '' ? 'no reason was given' : last.reason;
      const word = last.paused ? 'Paused' : 'Resumed';
      terminal.print(`${word} by ${who} at ${isoTimeText(last.atMs)}: ${why}`);
      return renderMovementsPause(paused, last);
    }),
});

const backupCommand = defineCommand({
  name: 'backup',
  words: ['DIR'],
  summary: 'Back up the embedded database to a new directory. The service may keep running.',
  run: async (terminal, { words: [dir] }) => {
    const { config, log } = terminal;
    const targetDir = path.resolve(dir);
    requireEmbedded(terminal);
    const { backupData } = await import('../../wire/backup.ts');
    const result = await backupData(config, log, targetDir, makeCopyProgress(terminal, 'Copied'));
    terminal.progress('');
    terminal.print(`Backup of ${result.files} files (${megabytes(result.bytes)}) is in ${targetDir}`);
    terminal.print(
      `It does not contain the key file of stored secrets. Keep a copy of ${config.secretsKeyFile} elsewhere.`,
    );
    terminal.print(`To restore it: DATA_DIR=NEW_DIR bin/sliproad restore ${targetDir}`);
    return { directory: targetDir, files: result.files, bytes: result.bytes };
  },
});

const restoreCommand = defineCommand({
  name: 'restore',
  words: ['DIR'],
  summary: 'Restore a backup into an empty DATA_DIR. Money movements are paused afterwards.',
  run: async (terminal, { words: [dir] }) => {
    const { config, log } = terminal;
    requireEmbedded(terminal);
    const { restoreData } = await import('../../wire/backup.ts');
    const result = await restoreData(config, log, path.resolve(dir), makeCopyProgress(terminal, 'Checked'));
    terminal.progress('');
    terminal.print(`Restored the backup of ${result.createdAt} into ${config.dataDir}`);
    terminal.print(
      `Copy the key file of stored secrets to ${config.secretsKeyFile} before you start the service.`,
    );
    terminal.print(`${PAUSED} Reconcile with the bank and the networks, then:`);
    terminal.print(`  DATA_DIR=${config.dataDir} bin/sliproad movements resume`);
    return { data_dir: config.dataDir, backup_made_at: result.createdAt, movements_paused: true };
  },
});

export const operationCommands: readonly Command[] = [
  searchCommand,
  statusCommand,
  pauseCommand(
    'movements pause',
    true,
    'Pause money movements in every process. Requests are still accepted, and their payments wait.',
  ),
  pauseCommand(
    'movements resume',
    false,
    'Resume money movements. Another person must approve. After a restore, first reconcile with the bank and the networks.',
  ),
  backupCommand,
  restoreCommand,
];

function pauseCommand(name: string, paused: boolean, summary: string): Command {
  return defineCommand({
    name,
    summary,
    options: { reason: { value: 'TEXT', about: 'the reason, shown by movements status' } },
    run: (terminal, { options }) =>
      terminal.withFoundation(async (foundation) => {
        const setting = paused ? 'movements_paused' : 'movements_resumed';
        const request = { setting, reason: options.reason ?? '' } as const;
        const { write, json } = await requestSettingChange(terminal, foundation, request);
        if (write !== undefined) terminal.print(`${PAUSED} ${TO_RESUME}`);
        return json;
      }),
  });
}

function requireEmbedded({ config }: Terminal): void {
  if (config.databaseUrl === null) return;
  throw new CommandError(
    'DATABASE_URL is set, so the database is not embedded: back up and restore that server with its own tools.',
  );
}

function makeCopyProgress(terminal: Terminal, word: string) {
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
