// Commands about signing keys and the emergency stop of signing. Passphrases come from the settings and secrets from standard
// input, because a command line stays in shell histories and process lists.
import { userInfo } from 'node:os';
import type { Readable } from 'node:stream';
import { resumeSigning } from '../../app/back-office/resume-signing.ts';
import type { Config } from '../../config.ts';
import { needsTwoPeople } from '../../domain/people/people-needed.ts';
import { type Command, defineCommand, printTable, type Terminal } from '../command.ts';
import { CommandError, UsageError } from '../terminal/command-error.ts';
import type { Json } from '../terminal/json.ts';
import { formatPairs } from '../terminal/table.ts';
import { showSettingProposal, valueOrThrow } from './decision-words.ts';

interface ListedKey {
  readonly name: string;
  readonly addresses: { readonly evm?: string; readonly solana?: string; readonly stellar?: string };
}

export interface SignerKeyStore {
  readonly keyFile: string;
  /** Whether the stop affects keys of live networks. If it does, two people must lift the stop. */
  signsLive(): Promise<boolean>;
  readonly stop: {
    readonly location: string;
    note(): Promise<string | undefined>;
    stop(note: string): Promise<boolean>;
    resume(): Promise<boolean>;
  };
  createKey(name: string): Promise<ListedKey>;
  importKey(name: string, secretText: string): Promise<ListedKey>;
  listKeys(): Promise<readonly ListedKey[] | undefined>;
  checkPassphrase(): Promise<void>;
  changePassphrase(): Promise<number>;
}

type OpenKeyStore = (config: Config) => SignerKeyStore | Promise<SignerKeyStore>;
type SecretInput = Readable & { readonly isTTY?: boolean };

export function signerCommands(
  openDesk: OpenKeyStore,
  input: () => SecretInput = () => process.stdin,
): Command[] {
  return [...keyCommands(openDesk, input), ...stopCommands(openDesk), statusCommand(openDesk)];
}

function keyCommands(openDesk: OpenKeyStore, input: () => SecretInput): Command[] {
  return [
    defineCommand({
      name: 'signer create-key',
      words: ['NAME'],
      summary: 'Create a random key and show its wallets. The passphrase comes from SIGNER_PASSPHRASE_FILE.',
      run: async (terminal, { words: [name] }) => {
        const desk = await openDesk(terminal.config);
        const key = await desk.createKey(name);
        terminal.print(`Created the key "${key.name}" in ${desk.keyFile}`);
        return showAddedKey(terminal, desk, key);
      },
    }),
    defineCommand({
      name: 'signer import-key',
      words: ['NAME'],
      summary:
        'Import a key from standard input (< FILE): a hexadecimal key, a Stellar seed or a Solana key pair.',
      run: async (terminal, { words: [name] }) => {
        const desk = await openDesk(terminal.config);
        const key = await desk.importKey(name, await readSecret(input()));
        terminal.print(`Imported the key "${key.name}" into ${desk.keyFile}`);
        const answer = showAddedKey(terminal, desk, key);
        terminal.print('Check that these are the right wallets, and delete the file with the secret.');
        return answer;
      },
    }),
    defineCommand({
      name: 'signer keys',
      summary: 'List the keys and their wallets. Needs no passphrase.',
      run: async (terminal) => {
        const desk = await openDesk(terminal.config);
        const keys = await desk.listKeys();
        const rows = (keys ?? []).flatMap((key) =>
          walletRowsOf(key).map((wallet, index) => [index === 0 ? key.name : '', ...wallet]),
        );
        if (keys === undefined) terminal.print(noKeysMessage(desk));
        else printTable(terminal, [['KEY', 'NETWORKS', 'WALLET'], ...rows]);
        return (keys ?? []).map(keyJson);
      },
    }),
    defineCommand({
      name: 'signer change-passphrase',
      summary:
        'Encrypt the keys with the new passphrase in SIGNER_NEW_PASSPHRASE_FILE (or SIGNER_NEW_PASSPHRASE).',
      run: async (terminal) => {
        const desk = await openDesk(terminal.config);
        const keys = await desk.changePassphrase();
        terminal.print(`${keys === 1 ? '1 key is' : `${keys} keys are`} encrypted with the new passphrase.`);
        terminal.print(
          'Before you restart the service, write the new passphrase to the file named by SIGNER_PASSPHRASE_FILE.',
        );
        terminal.print('Old backups of the key file still open with the old passphrase: make a new backup.');
        return { key_file: desk.keyFile, keys };
      },
    }),
  ];
}

function stopCommands(openDesk: OpenKeyStore): Command[] {
  return [
    defineCommand({
      name: 'signer stop',
      words: ['REASON...'],
      summary:
        'Stop all signing immediately, even without the database. Transactions that are already signed are still broadcast.',
      run: async (terminal, { words: [words] }) => {
        const { stop } = await openDesk(terminal.config);
        const stopped = await stop.stop(
          `${new Date().toISOString()} cli:${userInfo().username}: ${toOneLine(words.join(' '))}`,
        );
        const note = (await stop.note()) ?? '';
        terminal.print(stopped ? 'Signing is stopped.' : `Signing was already stopped: ${note}`);
        terminal.print(`No process with this DATA_DIR signs while this file exists: ${stop.location}`);
        terminal.print('To resume signing: bin/sliproad signer resume');
        return { stopped: true, note, file: stop.location };
      },
    }),
    defineCommand({
      name: 'signer resume',
      summary: 'Resume signing after a stop. With keys of live networks, another person must approve first.',
      run: async (terminal) => {
        const { stop, signsLive } = await openDesk(terminal.config);
        const resumed = (line: string): Json => {
          terminal.print(line);
          return { stopped: false };
        };
        if ((await stop.note()) === undefined) return resumed('Signing was not stopped.');
        if (needsTwoPeople('signing_resumed', (await signsLive()) ? 'live' : 'test'))
          return terminal.withFoundation(async (foundation) => {
            const outcome = valueOrThrow(await resumeSigning(foundation, stop, foundation));
            if (outcome.kind === 'proposed') return showSettingProposal(terminal, outcome.proposal);
            return resumed('Signing is resumed.');
          });
        await stop.resume();
        return resumed('Signing is resumed.');
      },
    }),
  ];
}

function statusCommand(openDesk: OpenKeyStore): Command {
  return defineCommand({
    name: 'signer status',
    summary: 'Show whether signing is stopped, and whether the passphrase opens the key file.',
    run: async (terminal) => {
      const desk = await openDesk(terminal.config);
      const note = await desk.stop.note();
      terminal.print(
        note === undefined
          ? 'Signing is not stopped.'
          : `Signing is stopped: ${note || 'no reason was given'}`,
      );
      if (note !== undefined) terminal.print('To resume signing: bin/sliproad signer resume');
      const keys = await desk.listKeys();
      const answer = { stopped: note !== undefined, note: note ?? null, keys: (keys ?? []).map(keyJson) };
      if (keys === undefined) {
        terminal.print(noKeysMessage(desk));
        return { ...answer, passphrase_opens: null };
      }
      terminal.print(`${desk.keyFile} holds ${keys.map(({ name }) => name).join(', ')}.`);
      // A wrong passphrase makes this call throw an error that explains the problem.
      await desk.checkPassphrase();
      terminal.print('The passphrase opens the key file.');
      return { ...answer, passphrase_opens: true };
    },
  });
}

function showAddedKey(terminal: Terminal, desk: SignerKeyStore, key: ListedKey): Json {
  terminal.print(formatPairs(walletRowsOf(key)));
  terminal.print(
    `Back up ${desk.keyFile} and keep the passphrase in another place: if either is lost, so are the wallets.`,
  );
  terminal.print('Then fund the wallet on each network you use with tokens, and with native coin for fees.');
  return { ...keyJson(key), key_file: desk.keyFile };
}

function keyJson({ name, addresses }: ListedKey) {
  return { name, addresses: { ...addresses } };
}

function walletRowsOf({ addresses: { evm, solana, stellar } }: ListedKey): string[][] {
  const wallets: [string, string | undefined][] = [
    ['EVM', evm],
    ['Solana', solana],
    ['Stellar', stellar],
  ];
  return wallets.flatMap(([family, wallet]) => (wallet === undefined ? [] : [[family, wallet]]));
}

function noKeysMessage({ keyFile }: SignerKeyStore): string {
  return `There is no key file ${keyFile} yet. Create a key: bin/sliproad signer create-key NAME`;
}

const toOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

const MAX_SECRET_CHARACTERS = 4_096;

async function readSecret(input: SecretInput): Promise<string> {
  if (input.isTTY) {
    throw new UsageError(
      'Pass the secret on standard input, not at the prompt: bin/sliproad signer import-key NAME < FILE',
    );
  }
  let text = '';
  for await (const chunk of input) {
    text += chunk;
    if (text.length > MAX_SECRET_CHARACTERS)
      throw new CommandError('The input is too long for a secret key. Check the file.');
  }
  if (text.trim() !== '') return text.trim();
  throw new UsageError('The secret on standard input is missing.');
}
