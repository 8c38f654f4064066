// What lies outside: banks and their statement files, enquiries about accounts, networks and their keys, sources of rates. What files
// hold is checked when they are opened (adapters/rails/settings, adapters/statements, adapters/networks/settings, adapters/rates/settings).
import path from 'node:path';
import type { SecretSetting, SettingReader } from './setting-reader.ts';

export interface BanksConfig {
  /** Null: no rail is configured; test mode has the simulated bank. */
  readonly banksFile: {
    readonly file: string;
    /** An environment variable that the file names: a secret of a rail. A function, so that a printed Config does not show it. */
    readonly variable: (name: string) => string | undefined;
  } | null;
  /** Column profiles of statement files; null: only those that are shipped. */
  readonly statementProfilesFile: string | null;
  /** Of an upload. */
  readonly statementMaxBytes: number;
}

export function readBanksConfig(settings: SettingReader): BanksConfig {
  const file = settings.location('BANKS_FILE');
  return {
    banksFile: file === null ? null : { file, variable: (name) => settings.variable(name) },
    statementProfilesFile: settings.location('STATEMENT_PROFILES_FILE'),
    statementMaxBytes: settings.integer('STATEMENT_MAX_BYTES', {
      ...{ fallback: 200_000_000, min: 10_000, max: 10_000_000_000 },
    }),
  };
}

/**
 * How often a business may ask about bank accounts, and from which value on a transfer of tokens gets a
 * Travel-Rule record.
 */
export interface AccountLookupsConfig {
  readonly accountQuestionsPerMinute: number;
  readonly travelRuleMinimumMinor: bigint;
}

/** US$1,000 at 1,500 naira. */
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
 * The networks on which real tokens move, and the keys that sign on them. What the files hold is checked
 * when they are opened.
 */
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

/**
 * Where rates come from in live mode. What the file holds is checked when it is opened
 * (adapters/rates/settings).
 */
export interface RatesConfig {
  /** Null: there are no sources, and every product is priced from the desk alone. */
  readonly rates: {
    readonly file: string;
    /** An environment variable that the file names: the key of a source. A function, so that a printed Config does not show it. */
    readonly variable: (name: string) => string | undefined;
  } | null;
}

export function readRatesConfig(settings: SettingReader): RatesConfig {
  const file = settings.location('RATES_FILE');
  return { rates: file === null ? null : { file, variable: (name) => settings.variable(name) } };
}
