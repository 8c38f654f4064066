// The networks on which real tokens move, and the keys that sign on them. What the files hold is checked when they are opened.
import path from 'node:path';
import type { SecretSetting, SettingReader } from './setting-reader.ts';

export interface NetworksConfig {
  readonly offCurveWallets: 'accept' | 'refuse';
  /** A file that describes networks on which real tokens move; null: none is configured. */
  readonly networksFile: string | null;
  readonly signer: {
    readonly keyFile: string;
    readonly passphrase: SecretSetting;
    readonly newPassphrase: SecretSetting;
  };
}

export function readNetworksConfig(settings: SettingReader, dataDir: string): NetworksConfig {
  return {
    offCurveWallets: settings.oneOf('OFF_CURVE_WALLETS', ['accept', 'refuse'] as const, 'accept'),
    networksFile: settings.location('NETWORKS_FILE'),
    signer: {
      keyFile: settings.location('SIGNER_KEY_FILE') ?? path.join(dataDir, 'signer-keys.json'),
      passphrase: settings.secret('SIGNER_PASSPHRASE'),
      newPassphrase: settings.secret('SIGNER_NEW_PASSPHRASE'),
    },
  };
}
