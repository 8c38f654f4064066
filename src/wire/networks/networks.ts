// Opens the configured networks with their keys and compares them with their chains. Wrong settings stop the start. A network
// that the service cannot check now is disabled, and the service tries it again later.
import type { Logger } from 'pino';
import { describeNetwork } from '../../adapters/networks/describe-network.ts';
import {
  type ConfiguredNetwork,
  type NetworksFile,
  readNetworksFile,
} from '../../adapters/networks/settings/networks-file.ts';
import type { NetworkSettings } from '../../adapters/networks/settings/settings.ts';
import type { Database } from '../../adapters/postgres/connection/database.ts';
import { makeOneProviderDeposits } from '../../adapters/postgres/networks/one-provider-deposits.ts';
import { makeSigningDays } from '../../adapters/postgres/treasury/treasury-store.ts';
import { guardSigner } from '../../adapters/signer/guarded-signer.ts';
import { makeKeyFile } from '../../adapters/signer/key-file.ts';
import { openLocalSigner } from '../../adapters/signer/local-signer.ts';
import { readPassphrase } from '../../adapters/signer/private-file.ts';
import { makeStopFile } from '../../adapters/signer/stop-file.ts';
import { type Config, ConfigError } from '../../config.ts';
import { MODES, type Mode } from '../../domain/values/mode.ts';
import type { Clock } from '../../ports/clock.ts';
import type { DisabledNetwork, Network, NetworkDescription } from '../../ports/networks/network.ts';
import type { Signer } from '../../ports/signer.ts';
import { makeLogThrottle } from '../log-throttle.ts';
import { type NetworkIdentities, openNetworkIdentities } from './network-identities.ts';
import {
  fingerprintSettings,
  type NetworkOpening,
  openAndCheckNetwork,
  readTreasuryWallet,
} from './open-network.ts';

export interface NetworkParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  /** The networks that test mode simulates, unless they are configured. */
  readonly simulated: readonly string[];
}

export interface ClosedNetwork extends DisabledNetwork {
  /** Tries to open the network again. The result `ready` also means that the database is bound to the network. */
  open(): Promise<NetworkOpening>;
}

export interface ConfiguredNetworks<Each extends NetworkDescription = Network> {
  readonly file: NetworksFile;
  readonly networks: { readonly [mode in Mode]: readonly Each[] };
  readonly closed: readonly ClosedNetwork[];
}

const NO_NETWORKS_FILE: NetworksFile = { networks: [], faucet: null, instance: null };

export async function describeNetworks(config: Config): Promise<ConfiguredNetworks<NetworkDescription>> {
  const file = config.networksFile === null ? NO_NETWORKS_FILE : await readNetworksFile(config.networksFile);
  const of = (mode: Mode) =>
    file.networks
      .filter(({ settings }) => settings.mode === mode)
      .map(({ settings }) => describeNetwork(settings));
  return { file, networks: { live: of('live'), test: of('test') }, closed: [] };
}

/** The maximum time of one request to a provider. It is long, because a slow response is better than none. */
const SLOWEST_ANSWER_MS = 10_000;
/** Providers that do not respond delay the whole start, so this time is short. */
const LONGEST_START_MS = 10_000;
/**
 * After the start nothing waits for a network to open. So this time is long enough even if all providers except the last are
 * too slow.
 */
const LONGEST_OPENING_MS = 120_000;

/** Unlocks the keys and compares the networks with their chains. Throws if the settings are wrong. */
export async function openNetworks(config: Config, parts: NetworkParts): Promise<ConfiguredNetworks> {
  const { file } = await describeNetworks(config);
  const rows = await prepareNetworks(config, parts, file);
  const identities = openNetworkIdentities(parts, file, rows);
  await identities.refuseOthers();
  const openings = await Promise.all(
    rows.map(async (row) => ({ row, opening: await row.open(LONGEST_START_MS) })),
  );
  for (const { row, opening } of openings)
    if (opening.kind === 'wrong' && !(await identities.passedBefore(row)))
      throw new ConfigError(opening.message);
  // The database is bound to the simulated networks only after the checks. Wrong settings at the first start must not bind the
  // database, so that the operator can still correct them.
  await identities.bindSimulated();
  const ready: { readonly mode: Mode; readonly network: Network }[] = [];
  const closed: ClosedNetwork[] = [];
  for (const { row, opening } of openings) {
    if (opening.kind === 'ready') {
      await identities.bind(row);
      ready.push({ mode: row.settings.mode, network: opening.network });
    } else closed.push(await makeClosedNetwork(identities, row, opening.message));
  }
  const [live, test] = MODES.map((mode) => ready.filter((each) => each.mode === mode)).map((own) =>
    own.map(({ network }) => network),
  );
  return { file, networks: { live: live!, test: test! }, closed };
}

export interface OpenableNetwork {
  readonly settings: NetworkSettings;
  readonly wallet: string;
  readonly fingerprint: string;
  open(longestMs: number): Promise<NetworkOpening>;
}

async function prepareNetworks(
  config: Config,
  parts: NetworkParts,
  file: NetworksFile,
): Promise<OpenableNetwork[]> {
  if (file.networks.length === 0) return [];
  const signer = await unlockSigner(config);
  // A caller that waits for a response of a provider needs enough time within its lease to store the response.
  const answerMs = Math.max(SLOWEST_ANSWER_MS, (config.settleLeaseMs * 2) / 3);
  const guarded = (mode: Mode) => {
    const own = file.networks.filter(({ settings }) => settings.mode === mode);
    return makeGuardedSigner(config, parts, mode, own, signer);
  };
  const words = makeOneProviderDeposits(parts.database, parts.clock);
  const signers = { live: guarded('live'), test: guarded('test') };
  return Promise.all(
    file.networks.map(async ({ settings, oneProviderPerHourMinor }): Promise<OpenableNetwork> => {
      const wallet = await readTreasuryWallet(config, settings);
      const chain = {
        clock: parts.clock,
        signer: signers[settings.mode],
        onTrouble: makeTroubleLog(parts, settings),
        oneProvider: { words, perHourMinor: oneProviderPerHourMinor },
      };
      return {
        settings,
        wallet,
        fingerprint: fingerprintSettings(settings, wallet),
        open: (openingMs) => openAndCheckNetwork(settings, { ...chain, answerMs, openingMs }),
      };
    }),
  );
}

function makeTroubleLog({ log }: NetworkParts, { name }: NetworkSettings) {
  const rarely = makeLogThrottle();
  return (message: string, detail: Readonly<Record<string, unknown>>) => {
    if (rarely(`${message} ${JSON.stringify(detail)}`)) log.warn({ network: name, ...detail }, message);
  };
}

async function makeClosedNetwork(
  identities: NetworkIdentities,
  row: OpenableNetwork,
  problem: string,
): Promise<ClosedNetwork> {
  const { name, mode, assetCode, decimals, native } = row.settings;
  const described = { asset: { code: assetCode, decimals }, native };
  return {
    mode,
    name,
    problem,
    described: (await identities.passedBefore(row)) ? described : null,
    open: async () => {
      const opening = await row.open(LONGEST_OPENING_MS);
      try {
        if (opening.kind === 'ready') await identities.bind(row);
        return opening;
      } catch (error) {
        if (error instanceof ConfigError) return { kind: 'wrong', message: error.message };
        throw error;
      }
    },
  };
}

export async function unlockSigner({ signer: { keyFile: location, passphrase } }: Config): Promise<Signer> {
  return openLocalSigner(makeKeyFile(location), await readPassphrase(passphrase));
}

export function makeGuardedSigner(
  config: Config,
  { database, clock }: Pick<NetworkParts, 'database' | 'clock'>,
  mode: Mode,
  own: readonly ConfiguredNetwork[],
  signer: Signer,
): Signer {
  const stop = makeStopFile(config.dataDir);
  return guardSigner(signer, {
    limits: new Map(own.map(({ settings, limits }) => [settings.name, limits])),
    stopped: () => stop.stopped(),
    days: makeSigningDays(database, mode),
    clock,
  });
}
