// What the signer commands work on: the key file, its passphrases and the kill switch.
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
