// Settings of external services: banks and statement files, account lookups, networks and their keys, and rate sources. The
// contents of the files are checked when they are opened (adapters/rails/settings, adapters/statements,
// adapters/networks/settings, adapters/rates/settings).
import path from 'node:path';
import type { SecretSetting, SettingReader } from './setting-reader.ts';

export interface BanksConfig {
  /** The file that describes the rails. Null: no rail is configured. Test mode always has the simulated bank. */
  readonly banksFile: {
    readonly file: string;
    /**
     * Reads an environment variable that the banks file names for a secret of a rail. It is a function, so that a printed
     * Config does not show the secret.
     */
    readonly variable: (name: string) => string | undefined;
  } | null;
  /** A file with column profiles for statement files. Null: only the built-in profiles are used. */
  readonly statementProfilesFile: string | null;
  /** The maximum size of an uploaded statement file. */
  readonly statementMaxBytes: number;
  /** The limits of the thread that reads a statement file. */
  readonly statementReading: { readonly timeMs: number; readonly memoryMb: number };
}

export function readBanksConfig(settings: SettingReader): BanksConfig {
  const file = settings.location('BANKS_FILE');
  return {
    banksFile: file === null ? null : { file, variable: (name) => settings.variable(name) },
    statementProfilesFile: settings.location('STATEMENT_PROFILES_FILE'),
    statementMaxBytes: settings.integer('STATEMENT_MAX_BYTES', {
      ...{ fallback: 200_000_000, min: 10_000, max: 10_000_000_000 },
    }),
    statementReading: {
      timeMs: settings.integer('STATEMENT_READ_SECONDS', { fallback: 300, min: 1, max: 86_400 }) * 1_000,
      memoryMb: settings.integer('STATEMENT_READ_MEMORY_MB', { fallback: 256, min: 32, max: 16_384 }),
    },
  };
}

export interface AccountLookupsConfig {
  readonly accountQuestionsPerMinute: number;
  readonly travelRuleMinimumMinor: bigint;
}

/** US$1,000 at 1,500 naira per dollar, in kobo. */
const TRAVEL_RULE_MINIMUM_MINOR = 150_000_000n;

export function readAccountLookupsConfig(settings: SettingReader): AccountLookupsConfig {
  return {
    accountQuestionsPerMinute: settings.integer('ACCOUNT_QUESTIONS_PER_MINUTE', {
      ...{ fallback: 30, min: 1, max: 600 },
    }),
    travelRuleMinimumMinor: settings.naira('TRAVEL_RULE_MINIMUM', TRAVEL_RULE_MINIMUM_MINOR),
  };
}

/**
 * The networks that move real tokens, and the keys that sign on them. The contents of the files are checked when they
 * are opened.
 */
export interface NetworksConfig {
  readonly offCurveWallets: 'accept' | 'refuse';
  /** A file that describes networks with real tokens. Null: no such network is configured. */
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

/** The rate sources of live mode. The contents of the file are checked when it is opened (adapters/rates/settings). */
export interface RatesConfig {
  /** Null: no rate source is configured, and only the desk sets prices. */
  readonly rates: {
    readonly file: string;
    /**
     * Reads an environment variable that the rates file names for the key of a source. It is a function, so that a printed
     * Config does not show the key.
     */
    readonly variable: (name: string) => string | undefined;
  } | null;
}

export function readRatesConfig(settings: SettingReader): RatesConfig {
  const file = settings.location('RATES_FILE');
  return { rates: file === null ? null : { file, variable: (name) => settings.variable(name) } };
}
