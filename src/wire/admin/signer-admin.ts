// Opens what the signer commands use: the key file, its passphrases and the kill switch.
import { addSecretsKey, dropOldSecretsKeys, openSecretBox } from '../../adapters/secrets/key-file.ts';
import { makeKeyFile } from '../../adapters/signer/key-file.ts';
import { type KeyStore, makeKeyStore } from '../../adapters/signer/key-store.ts';
import type { Config } from '../../config.ts';
import { describeNetworks } from '../networks/networks.ts';

export interface SignerAdmin extends KeyStore {
  /** Returns whether live networks are configured. The kill switch protects their keys. */
  signsLive(): Promise<boolean>;
}

export function makeSignerAdmin(config: Config): SignerAdmin {
  const { keyFile: location, passphrase, newPassphrase } = config.signer;
  return {
    ...makeKeyStore({ keyFile: makeKeyFile(location), dataDir: config.dataDir, passphrase, newPassphrase }),
    signsLive: async () => (await describeNetworks(config)).networks.live.length > 0,
  };
}

export const secretsKeyAdmin = {
  make: async (file: string): Promise<void> => {
    await openSecretBox(file, true);
  },
  addKey: addSecretsKey,
  dropOldKeys: dropOldSecretsKeys,
};
