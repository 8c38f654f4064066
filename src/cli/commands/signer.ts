// Signing keys and the emergency stop of signing on the command line. Passphrases come from the settings and secrets from
// standard input, because a command line stays in shell histories and process lists.
import { userInfo } from 'node:os';
import type { Readable } from 'node:stream';
import { resumeSigning } from '../../app/back-office/resume-signing.ts';
import type { Config } from '../../config.ts';
import { needsTwo } from '../../domain/people/decisions.ts';
import {
  ANY_WORDS,
  type Command,
  CommandError,
  readOptions,
  required,
  type Terminal,
  table,
} from '../command.ts';
import { answerOf } from './review-words.ts';
import { printSettingProposal } from './setting-words.ts';

interface ShownKey {
  readonly name: string;
  readonly addresses: { readonly evm?: string; readonly solana?: string; readonly stellar?: string };
}

/** What the commands need from the key store. */
export interface SignerDesk {
  readonly keyFile: string;
  /** Whether keys of live networks are behind the stop: then two people end it. */
  signsLive(): Promise<boolean>;
  readonly stop: {
    readonly location: string;
    note(): Promise<string | undefined>;
    stop(note: string): Promise<boolean>;
    resume(): Promise<boolean>;
  };
  createKey(name: string): Promise<ShownKey>;
  importKey(name: string, secretText: string): Promise<ShownKey>;
  listKeys(): Promise<readonly ShownKey[] | undefined>;
  checkPassphrase(): Promise<void>;
  changePassphrase(): Promise<number>;
}

type OpenDesk = (config: Config) => SignerDesk;
type Input = Readable & { readonly isTTY?: boolean };

export function signerCommands(openDesk: OpenDesk, input: () => Input = () => process.stdin): Command[] {
  return [...keyCommands(openDesk, input), ...stopCommands(openDesk), statusCommand(openDesk)];
}

function keyCommands(openDesk: OpenDesk, input: () => Input): Command[] {
  return [
    {
      name: 'signer create-key',
      usage: 'NAME',
      summary: 'Make a random key and show its wallets. The passphrase comes from SIGNER_PASSPHRASE_FILE.',
      run: async (terminal, args) => {
        const name = onlyName(args);
        const desk = openDesk(terminal.config);
        const key = await desk.createKey(name);
        terminal.print(`Made the key "${key.name}" in ${desk.keyFile}`);
        showAdded(terminal, desk, key);
      },
    },
    {
      name: 'signer import-key',
      usage: 'NAME < FILE',
      summary: 'Import a key from standard input: hexadecimal, a Stellar seed or a Solana key pair.',
      run: async (terminal, args) => {
        const name = onlyName(args);
        const desk = openDesk(terminal.config);
        const key = await desk.importKey(name, await readSecret(input()));
        terminal.print(`Imported the key "${key.name}" into ${desk.keyFile}`);
        showAdded(terminal, desk, key);
        terminal.print('Check that these are the right wallets, and delete the file with the secret.');
      },
    },
    {
      name: 'signer keys',
      usage: '',
      summary: 'List the keys and their wallets. Needs no passphrase.',
      run: async (terminal, args) => {
        nothingMore(readOptions(args, {}, ANY_WORDS).rest);
        const desk = openDesk(terminal.config);
        const keys = await desk.listKeys();
        if (keys === undefined) return terminal.print(withoutKeys(desk));
        const rows = keys.flatMap((key) =>
          walletsOf(key).map((wallet, index) => [index === 0 ? key.name : '', ...wallet]),
        );
        terminal.print(table([['KEY', 'NETWORKS', 'WALLET'], ...rows]));
      },
    },
    {
      name: 'signer change-passphrase',
      usage: '',
      summary:
        'Encrypt the keys with the passphrase in SIGNER_NEW_PASSPHRASE_FILE (or SIGNER_NEW_PASSPHRASE).',
      run: async (terminal, args) => {
        nothingMore(readOptions(args, {}, ANY_WORDS).rest);
        const desk = openDesk(terminal.config);
        const keys = await desk.changePassphrase();
        terminal.print(`${keys === 1 ? '1 key is' : `${keys} keys are`} encrypted with the new passphrase.`);
        terminal.print(
          'Before the next start of the service, write the new passphrase to the file that SIGNER_PASSPHRASE_FILE names.',
        );
        terminal.print('Old backups of the key file still open with the old passphrase: make a new backup.');
      },
    },
  ];
}

function stopCommands(openDesk: OpenDesk): Command[] {
  return [
    {
      name: 'signer stop',
      usage: 'REASON',
      summary:
        'Stop all signing at once, also without the database. Transactions signed before are still broadcast.',
      run: async (terminal, args) => {
        const reason = required(readOptions(args, {}, ANY_WORDS).rest.join(' ').trim(), 'REASON');
        const { stop } = openDesk(terminal.config);
        const stopped = await stop.stop(
          `${new Date().toISOString()} cli:${userInfo().username}: ${oneLine(reason)}`,
        );
        terminal.print(stopped ? 'Signing is stopped.' : `Signing was stopped already: ${await stop.note()}`);
        terminal.print(
          `Every process that uses this DATA_DIR stops signing while this file exists: ${stop.location}`,
        );
        terminal.print('To resume signing: bin/sliproad signer resume');
      },
    },
    {
      name: 'signer resume',
      usage: '',
      summary: 'Resume signing after a stop. With keys of live networks, another person must approve first.',
      run: async (terminal, args) => {
        nothingMore(readOptions(args, {}, ANY_WORDS).rest);
        const { stop, signsLive } = openDesk(terminal.config);
        if ((await stop.note()) === undefined) return terminal.print('Signing was not stopped.');
        if (needsTwo('signing_resumed', (await signsLive()) ? 'live' : 'test'))
          return terminal.withFoundation(async (foundation) => {
            const resumed = answerOf(await resumeSigning(foundation, stop, foundation));
            if (resumed.kind === 'proposed') printSettingProposal(terminal, resumed.proposal);
            else terminal.print('Signing is resumed.');
          });
        await stop.resume();
        terminal.print('Signing is resumed.');
      },
    },
  ];
}

function statusCommand(openDesk: OpenDesk): Command {
  return {
    name: 'signer status',
    usage: '',
    summary: 'Show whether signing is stopped, and whether the passphrase opens the key file.',
    run: async (terminal, args) => {
      nothingMore(readOptions(args, {}, ANY_WORDS).rest);
      const desk = openDesk(terminal.config);
      const note = await desk.stop.note();
      terminal.print(
        note === undefined
          ? 'Signing is not stopped.'
          : `Signing is stopped: ${note || 'no reason was given'}`,
      );
      if (note !== undefined) terminal.print('To resume signing: bin/sliproad signer resume');
      const keys = await desk.listKeys();
      if (keys === undefined) return terminal.print(withoutKeys(desk));
      terminal.print(`${desk.keyFile} holds ${keys.map(({ name }) => name).join(', ')}.`);
      // Throws an error that says what is wrong.
      await desk.checkPassphrase();
      terminal.print('The passphrase opens the key file.');
    },
  };
}

function showAdded(terminal: Terminal, desk: SignerDesk, key: ShownKey): void {
  terminal.print(table(walletsOf(key)));
  terminal.print(
    `Back up ${desk.keyFile}, and keep the passphrase in another place: without both the wallets are lost.`,
  );
  terminal.print('Then fund the wallet of each network you use, with tokens and with native coin for fees.');
}

function walletsOf({ addresses: { evm, solana, stellar } }: ShownKey): string[][] {
  const wallets: [string, string | undefined][] = [
    ['EVM', evm],
    ['Solana', solana],
    ['Stellar', stellar],
  ];
  return wallets.flatMap(([family, wallet]) => (wallet === undefined ? [] : [[family, wallet]]));
}

function withoutKeys({ keyFile }: SignerDesk): string {
  return `There is no key file ${keyFile} yet. Make a key with: bin/sliproad signer create-key NAME`;
}

/** A second word may be a secret given by mistake, so it is not repeated in the message. */
function onlyName(args: readonly string[]): string {
  const [name, ...more] = readOptions(args, {}, ANY_WORDS).rest;
  nothingMore(more);
  return required(name, 'NAME');
}

function nothingMore(rest: readonly string[]): void {
  if (rest.length === 0) return;
  throw new CommandError(
    'There are too many words. Never give a secret or a passphrase on the command line: secrets come from standard input, passphrases from the settings.',
  );
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

const MAX_SECRET_CHARACTERS = 4_096;

async function readSecret(input: Input): Promise<string> {
  if (input.isTTY) {
    throw new CommandError(
      'Give the secret on standard input, not at the prompt: bin/sliproad signer import-key NAME < FILE',
    );
  }
  let text = '';
  for await (const chunk of input) {
    text += chunk;
    if (text.length > MAX_SECRET_CHARACTERS)
      throw new CommandError('The input is too long for a secret key. Check the file.');
  }
  return required(text.trim(), 'The secret on standard input');
}
