// The networks of both modes: those the operator configured, opened with their keys and checked against their chains, and
// for test mode simulated ones for the rest.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { answeringWithin } from '../adapters/networks/bounded.ts';
import type { ChainParts } from '../adapters/networks/chain-parts.ts';
import { describedNetwork } from '../adapters/networks/described.ts';
import type { NetworkSettings } from '../adapters/networks/settings.ts';
import {
  type ConfiguredNetwork,
  type NetworksFile,
  readNetworksFile,
} from '../adapters/networks/settings-file.ts';
import type { Database } from '../adapters/postgres/database.ts';
import { makeSigningDays } from '../adapters/postgres/signing-days.ts';
import { guardSigner } from '../adapters/signer/guarded-signer.ts';
import { keyFile } from '../adapters/signer/key-file.ts';
import { openLocalSigner } from '../adapters/signer/local-signer.ts';
import { readPassphrase } from '../adapters/signer/passphrase.ts';
import { stopFile } from '../adapters/signer/stop-file.ts';
import { type Config, ConfigError } from '../config.ts';
import type { Mode } from '../domain/mode.ts';
import type { Clock } from '../ports/clock.ts';
import type { Network } from '../ports/network.ts';
import type { Signer } from '../ports/signer.ts';
import { claimIdentities, type OpenedNetwork } from './network-identities.ts';
import { makeRarely } from './say-rarely.ts';

export interface NetworkParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  /** Names of the networks that are simulated in test mode unless they are configured. */
  readonly simulated: readonly string[];
}

export interface ConfiguredNetworks {
  readonly file: NetworksFile;
  readonly networks: { readonly [mode in Mode]: readonly Network[] };
}

const NONE: NetworksFile = { networks: [], faucet: null, instance: null };

/** What is configured, from the settings alone. */
export async function describeNetworks(config: Config): Promise<ConfiguredNetworks> {
  const file = config.networksFile === null ? NONE : await readNetworksFile(config.networksFile);
  const of = (mode: Mode) =>
    file.networks
      .filter(({ settings }) => settings.mode === mode)
      .map(({ settings }) => describedNetwork(settings));
  return { file, networks: { live: of('live'), test: of('test') } };
}

/** Opened: keys unlocked, chains asked. A chain that says something else than the settings stops the start. */
export async function openNetworks(config: Config, parts: NetworkParts): Promise<ConfiguredNetworks> {
  const { file } = await describeNetworks(config);
  const opened = await openAll(config, parts, file);
  // Only now: settings that were wrong at the first start may be mended, and bind nobody.
  await claimIdentities(parts, file, opened);
  const of = (mode: Mode) =>
    opened.filter(({ settings }) => settings.mode === mode).map(({ network }) => network);
  return { file, networks: { live: of('live'), test: of('test') } };
}

async function openAll(
  config: Config,
  parts: NetworkParts,
  file: NetworksFile,
): Promise<readonly OpenedNetwork[]> {
  if (file.networks.length === 0) return [];
  const signer = await unlockSigner(config);
  const open = (mode: Mode) => {
    const own = file.networks.filter(({ settings }) => settings.mode === mode);
    const guarded = guardedFor(config, parts, mode, own, signer);
    // Whoever waits for an answer still has time to write down what it says.
    const answerMs = Math.max(SLOWEST_ANSWER_MS, (config.settleLeaseMs * 2) / 3);
    return Promise.all(own.map(({ settings }) => openPatiently(settings, guarded, parts, answerMs)));
  };
  return (await Promise.all([open('live'), open('test')])).flat();
}

export async function unlockSigner({ signer: { keyFile: location, passphrase } }: Config): Promise<Signer> {
  return openLocalSigner(keyFile(location), await readPassphrase(passphrase));
}

/** Around the keys: the kill switch, and what may be signed away. */
export function guardedFor(
  config: Config,
  { database, clock }: Pick<NetworkParts, 'database' | 'clock'>,
  mode: Mode,
  own: readonly ConfiguredNetwork[],
  signer: Signer,
): Signer {
  const stop = stopFile(config.dataDir);
  return guardSigner(signer, {
    limits: new Map(own.map(({ settings, limits }) => [settings.name, limits])),
    stopped: () => stop.stopped(),
    days: makeSigningDays(database, mode),
    clock,
  });
}

/** As long as one question to a provider may take: a slow one is better than none. */
const SLOWEST_ANSWER_MS = 10_000;

const PATIENCE_MS = 30_000;
const AGAIN_MS = 1_000;

/** Providers may come up at the same time as we do. */
async function openPatiently(
  settings: NetworkSettings,
  signer: Signer,
  { clock, log }: NetworkParts,
  answerMs: number,
): Promise<OpenedNetwork> {
  const rarely = makeRarely();
  const onTrouble = (message: string, detail: Readonly<Record<string, unknown>>) => {
    if (rarely(`${message} ${JSON.stringify(detail)}`))
      log.warn({ network: settings.name, ...detail }, message);
  };
  const giveUpAt = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      const network = await openOne(settings, { clock, signer, onTrouble });
      const treasury = await network.treasury();
      if (treasury === null) throw new Error(`${settings.name}: it has no treasury.`);
      return { settings, network: answeringWithin(network, answerMs), wallet: treasury.wallet };
    } catch (error) {
      const problem = chainProblem(settings, error);
      if (problem.isCertain || performance.now() > giveUpAt)
        throw new ConfigError(problem.message, { cause: error });
      log.warn({ network: settings.name }, 'waiting for the network');
      await sleep(AGAIN_MS);
    }
  }
}

/** What is wrong with a chain is said in the network's name; anything else is a provider that does not answer. */
export function chainProblem(
  { name }: NetworkSettings,
  error: unknown,
): { readonly isCertain: boolean; readonly message: string } {
  const { message } = error as Error;
  return message.startsWith(`${name}: `)
    ? { isCertain: true, message }
    : { isCertain: false, message: `${name}: no provider of its rpc list answers.` };
}

/** The families' libraries are heavy: each is loaded only where such a network is configured. */
export async function openOne(settings: NetworkSettings, parts: ChainParts): Promise<Network> {
  switch (settings.family) {
    case 'evm':
      return (await import('../adapters/networks/evm/open.ts')).openEvmNetwork(settings, parts);
    case 'solana':
      return (await import('../adapters/networks/solana/open.ts')).openSolanaNetwork(settings, parts);
    case 'stellar':
      return (await import('../adapters/networks/stellar/open.ts')).openStellarNetwork(settings, parts);
  }
}
