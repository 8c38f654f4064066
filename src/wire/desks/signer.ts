// What the signer commands work on: the key file, its passphrases and the kill switch.
import { addSecretsKey, dropOldSecretsKeys, openSecretBox } from '../../adapters/secrets/key-file.ts';
import { type KeyDesk, keyDesk } from '../../adapters/signer/key-desk.ts';
import { keyFile } from '../../adapters/signer/key-file.ts';
import type { Config } from '../../config.ts';
import { describeNetworks } from '../networks/networks.ts';

export interface SignerDesk extends KeyDesk {
  /** Whether live networks are configured, whose keys are behind the kill switch. */
  signsLive(): Promise<boolean>;
}

export function signerDesk(config: Config): SignerDesk {
  const { keyFile: location, passphrase, newPassphrase } = config.signer;
  return {
    ...keyDesk({ keyFile: keyFile(location), dataDir: config.dataDir, passphrase, newPassphrase }),
    signsLive: async () => (await describeNetworks(config)).networks.live.length > 0,
  };
}

/** The key file of stored secrets, for the commands that make and replace its keys. */
export const secretsDesk = {
  make: async (file: string): Promise<void> => {
    await openSecretBox(file, true);
  },
  addKey: addSecretsKey,
  dropOldKeys: dropOldSecretsKeys,
};
