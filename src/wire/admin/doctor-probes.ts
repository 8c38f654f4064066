// Reads what `sliproad doctor` checks outside its own process: the database, the mail server, the providers of the networks,
// the key files and a running service. These checks change nothing.
import { existsSync } from 'node:fs';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import path from 'node:path';
import { openEmbedded } from '../../adapters/embedded/server/open.ts';
import { readNetworksFile } from '../../adapters/networks/settings/networks-file.ts';
import { type DatabaseFacts, inspectDatabase } from '../../adapters/postgres/connection/inspect-database.ts';
import {
  judgeServerVersion,
  type VersionVerdict,
} from '../../adapters/postgres/connection/server-version.ts';
import { openSecretBox } from '../../adapters/secrets/key-file.ts';
import { SettingsError } from '../../adapters/settings-problems.ts';
import type { Config } from '../../config.ts';
import { readRailSettings } from '../banks.ts';
import { makeNetworkAdmin } from '../networks/network-admin.ts';
import { openRatePlan } from '../rates.ts';
import { makeSignerAdmin } from './signer-admin.ts';

export interface DoctorProbes {
  /** Returns undefined if the embedded database was never created. Throws if the database cannot be reached. */
  database(): Promise<(DatabaseFacts & { readonly verdict: VersionVerdict }) | undefined>;
  /** Returns null if there is no networks file. */
  networks(): ReturnType<ReturnType<typeof makeNetworkAdmin>['check']> | null;
  /**
   * Returns by how many milliseconds the clock of this machine is ahead of a provider's clock. The first provider that reports
   * its time is used; null if no provider does.
   */
  clockAheadOfProviderMs(): Promise<{ readonly provider: string; readonly aheadMs: number } | null>;
  /** Returns the errors in the rates file, or its rate sources if the file is valid; null if there is no file. */
  rates(): RatesFileFacts | null;
  /** Returns the errors in the banks file, or its rails if the file is valid; null if there is no file. */
  banks(): BanksFileFacts | null;
  /**
   * Returns null if no mail server is configured. If the mail server cannot be used, throws an error that describes the
   * problem.
   */
  mail(): Promise<string> | null;
  /** If the file of secrets cannot be opened, throws an error that describes the problem. */
  openSecretsFile(): Promise<void>;
  /** Returns whether the signer has keys. Throws if the passphrase cannot decrypt them. */
  openSignerKeys(): Promise<boolean>;
  /** Requests a path from the running service and returns the HTTP status; undefined if nothing listens there. */
  ask(pathname: string): Promise<number | undefined>;
}

export type RatesFileFacts =
  | { readonly ok: true; readonly sources: readonly string[] }
  | { readonly ok: false; readonly problems: readonly string[] };

export type BanksFileFacts =
  | { readonly ok: true; readonly rails: readonly string[] }
  | { readonly ok: false; readonly problems: readonly string[] };

const TIMEOUT_MS = 10_000;

export function makeDoctorProbes(config: Config): DoctorProbes {
  return {
    database: () => readDatabase(config),
    networks: () => (config.networksFile === null ? null : makeNetworkAdmin(config).check({})),
    clockAheadOfProviderMs: () => measureClockAhead(config),
    rates: () => (config.rates === null ? null : readRatesFileFacts(config)),
    banks: () => (config.banksFile === null ? null : readBanksFileFacts(config)),
    mail: () => (config.mail.smtp === null ? null : askMailServer(config.mail.smtp)),
    openSecretsFile: async () => {
      await openSecretBox(config.secretsKeyFile, false);
    },
    openSignerKeys: async () => {
      const desk = makeSignerAdmin(config);
      if ((await desk.listKeys()) === undefined) return false;
      await desk.checkPassphrase();
      return true;
    },
    ask: (pathname) => askService(config, pathname),
  };
}

function readRatesFileFacts(config: Config): RatesFileFacts {
  try {
    const { sources } = openRatePlan(config, { now: Date.now });
    return { ok: true, sources: sources.map(({ name }) => name) };
  } catch (error) {
    if (error instanceof SettingsError) return { ok: false, problems: error.problems };
    throw error;
  }
}

function readBanksFileFacts(config: Config): BanksFileFacts {
  try {
    return { ok: true, rails: readRailSettings(config).map(({ name, mode }) => `${name} (${mode})`) };
  } catch (error) {
    if (error instanceof SettingsError) return { ok: false, problems: error.problems };
    throw error;
  }
}

async function askMailServer(smtp: NonNullable<Config['mail']['smtp']>): Promise<string> {
  const { checkSmtpServer } = await import('../../adapters/mail/smtp.ts');
  await checkSmtpServer(smtp, TIMEOUT_MS);
  return `${smtp.host}:${smtp.port}`;
}

async function readDatabase(config: Config) {
  const judged = async (connection: Parameters<typeof inspectDatabase>[0]) => {
    const facts = await inspectDatabase(connection, TIMEOUT_MS);
    return { ...facts, verdict: judgeServerVersion(facts.versionNumber) };
  };
  if (config.databaseUrl !== null) return judged({ connectionString: config.databaseUrl });
  if (!existsSync(path.join(config.dataDir, 'postgres'))) return undefined;
  const embedded = await openEmbedded({ dataDir: config.dataDir, log: () => undefined });
  try {
    return await judged(embedded.connection);
  } finally {
    await embedded.release();
  }
}

async function measureClockAhead({ networksFile }: Config) {
  if (networksFile === null) return null;
  const { networks } = await readNetworksFile(networksFile);
  for (const { settings } of networks) {
    for (const url of settings.rpc) {
      const beganMs = Date.now();
      const date = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }).then(
        (answer) => answer.headers.get('date'),
        () => null,
      );
      const timeMs = date === null ? Number.NaN : Date.parse(date);
      // The Date header contains whole seconds, so on average its time is half a second behind the provider's clock.
      if (!Number.isNaN(timeMs))
        return { provider: new URL(url).host, aheadMs: (beganMs + Date.now()) / 2 - (timeMs + 500) };
    }
  }
  return null;
}

const ANY_ADDRESS = ['0.0.0.0', '::', '[::]'];

/**
 * This request does not check the certificate: the certificate names the public host, but the request goes directly to this
 * machine.
 */
function askService({ host, port, tls }: Config, pathname: string): Promise<number | undefined> {
  const hostname = ANY_ADDRESS.includes(host) ? '127.0.0.1' : host;
  const request = tls === null ? requestHttp : requestHttps;
  return new Promise((resolve, reject) => {
    const asked = request(
      { hostname, port, path: pathname, timeout: TIMEOUT_MS, rejectUnauthorized: false, agent: false },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      },
    );
    asked.on('timeout', () => asked.destroy(new Error('it does not answer')));
    asked.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') resolve(undefined);
      else reject(error);
    });
    asked.end();
  });
}
