// What the signer commands work on: the key file, its passphrases and the kill switch.
import { type KeyDesk, keyDesk } from '../adapters/signer/key-desk.ts';
import { keyFile } from '../adapters/signer/key-file.ts';
import type { Config } from '../config.ts';

export function signerDesk({ signer, dataDir }: Config): KeyDesk {
  const { keyFile: location, passphrase, newPassphrase } = signer;
  return keyDesk({ keyFile: keyFile(location), dataDir, passphrase, newPassphrase });
}
