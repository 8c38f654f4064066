// Commands about the key file that encrypts stored secrets. The file is created once and replaced in three steps, so that every
// process can always open every stored secret.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { recordAction } from '../../../app/audit/record-actions.ts';
import { resealSecrets } from '../../../app/people/reseal-secrets.ts';
import { type Command, defineCommand, type Terminal } from '../../command.ts';
import { CommandError } from '../../terminal/command-error.ts';
import { type Json, toJson } from '../../terminal/json.ts';

export interface SecretsKeyStore {
  make(file: string): Promise<void>;
  addKey(file: string): Promise<string>;
  dropOldKeys(file: string): Promise<void>;
}

export function secretsCommands(desk: SecretsKeyStore): readonly Command[] {
  return [makeKeyCommand(desk), rotateCommand(desk), dropCommand(desk)];
}

function makeKeyCommand(desk: SecretsKeyStore): Command {
  return defineCommand({
    name: 'secrets make-key',
    words: ['FILE'],
    summary:
      'Create a key file for stored secrets. SECRETS_KEY_FILE must name it on every machine of the service.',
    run: async (terminal, { words: [name] }) => {
      const file = path.resolve(name);
      if (existsSync(file))
        throw new CommandError(`${file} already exists, and a key file is never overwritten.`, 'conflict');
      await desk.make(file);
      terminal.print(
        `Created ${file}. Copy it to every machine of the service, and keep a copy apart from the backups.`,
      );
      terminal.print(`Then set SECRETS_KEY_FILE=${file}`);
      return { key_file: file };
    },
  });
}

function rotateCommand(desk: SecretsKeyStore): Command {
  return defineCommand({
    name: 'secrets rotate',
    summary:
      'Replace the key of stored secrets in three steps: secrets rotate, secrets rotate --seal, secrets drop-old-keys.',
    options: { seal: { about: 'seal all stored secrets with the newest key (default: add a key)' } },
    run: (terminal, { options }) => (options.seal ? runReseal(terminal) : addKey(terminal, desk)),
  });
}

async function addKey(terminal: Terminal, desk: SecretsKeyStore): Promise<Json> {
  const { secretsKeyFile } = terminal.config;
  // The key in the file opens a stored secret, so the file belongs to this database.
  const id = await terminal.withFoundation(async (foundation) => {
    await recordAction(foundation, 'secrets_key.added', null, {});
    return desk.addKey(secretsKeyFile);
  });
  terminal.print(
    `Added the key ${id} to ${secretsKeyFile}. Older keys still open the secrets that they sealed.`,
  );
  terminal.print(
    'Copy the file to every machine of the service; running processes reload it. Then: bin/sliproad secrets rotate --seal',
  );
  return { key_file: secretsKeyFile, added_key: id };
}

async function runReseal(terminal: Terminal): Promise<Json> {
  const tables = await terminal.withFoundation(async (foundation) => {
    const { people, sealedTables } = foundation;
    await recordAction(foundation, 'secrets.sealed_anew', null, {});
    return resealSecrets({ box: people.box, tables: sealedTables });
  });
  for (const { name, seen, resealed } of tables)
    terminal.print(`${name}: ${seen} secrets, ${resealed} of them resealed with the newest key.`);
  terminal.print('Once the new file is on every machine: bin/sliproad secrets drop-old-keys');
  return { key_file: terminal.config.secretsKeyFile, tables: toJson(tables) };
}

function dropCommand(desk: SecretsKeyStore): Command {
  return defineCommand({
    name: 'secrets drop-old-keys',
    summary:
      'Remove all keys but the newest from the key file. Refused while a process still uses an older key.',
    run: async (terminal) => {
      const { secretsKeyFile } = terminal.config;
      const again = await terminal.withFoundation(async (foundation) => {
        const { people, sealedTables: tables } = foundation;
        await recordAction(foundation, 'secrets_key.old_dropped', null, {});
        return resealSecrets({ box: people.box, tables });
      });
      // After the last resealing, a process with the old key file has sealed more secrets. That process may do so again.
      const late = again.reduce((sum, { resealed }) => sum + resealed, 0);
      if (late > 0)
        throw new CommandError(
          `${late} secrets were still sealed with an older key. Copy the new file to every machine, then repeat this command.`,
          'conflict',
        );
      await desk.dropOldKeys(secretsKeyFile);
      terminal.print(`${secretsKeyFile} holds only the newest key. Copy it to every machine.`);
      return { key_file: secretsKeyFile };
    },
  });
}
