// The operator commands for keys and the kill switch use this module. It combines the key file, its passphrases and the stop
// file.
import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { addKey, changePassphrase, type KeyFile, listKeys, openKeys } from './key-file.ts';
import type { PublicKeyPart } from './key-file-format.ts';
import { type PassphraseSetting, readPassphrase } from './private-file.ts';
import { readSecretText } from './secret-text.ts';
import { makeStopFile, type StopFile } from './stop-file.ts';

export interface KeyStore {
  readonly keyFile: string;
  readonly stop: StopFile;
  createKey(name: string): Promise<PublicKeyPart>;
  importKey(name: string, secretText: string): Promise<PublicKeyPart>;
  /** Returns undefined if there is no key file yet. */
  listKeys(): Promise<readonly PublicKeyPart[] | undefined>;
  /** Rejects if the passphrase from the settings does not open every key. */
  checkPassphrase(): Promise<void>;
  changePassphrase(): Promise<number>;
}

export interface KeyStoreSettings {
  readonly keyFile: KeyFile;
  readonly dataDir: string;
  readonly passphrase: PassphraseSetting;
  readonly newPassphrase: PassphraseSetting;
}

export function makeKeyStore({ keyFile, dataDir, passphrase, newPassphrase }: KeyStoreSettings): KeyStore {
  const add: typeof addKey = async (...given) => {
    await mkdir(path.dirname(keyFile.location), { recursive: true, mode: 0o700 });
    return addKey(...given);
  };
  return {
    keyFile: keyFile.location,
    stop: makeStopFile(dataDir),
    createKey: async (name) => {
      const secret = randomBytes(32);
      try {
        return await add(keyFile, await readPassphrase(passphrase), {
          ...{ name, secret, schemes: ['secp256k1', 'ed25519'] },
        });
      } finally {
        secret.fill(0);
      }
    },
    importKey: async (name, secretText) => {
      const { secret, schemes } = await readSecretText(secretText);
      try {
        return await add(keyFile, await readPassphrase(passphrase), { name, secret, schemes });
      } finally {
        secret.fill(0);
      }
    },
    listKeys: () => listKeys(keyFile),
    checkPassphrase: async () => {
      for (const { secret } of await openKeys(keyFile, await readPassphrase(passphrase))) secret.fill(0);
    },
    changePassphrase: async () =>
      changePassphrase(keyFile, await readPassphrase(passphrase), await readPassphrase(newPassphrase)),
  };
}
