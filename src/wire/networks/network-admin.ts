// Contains the networks commands. They check configured networks in the same way as a start, but without keys. They sign the
// one-time set-up of a network with the guarded keys, while no other process uses the wallet. They release a database from the
// network to which it is bound.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChainParts } from '../../adapters/networks/chain-parts.ts';
import { BLOCK_POSITIONS } from '../../adapters/networks/evm/observe/position.ts';
import type { ConfiguredNetwork } from '../../adapters/networks/settings/networks-file.ts';
import type { NetworkSettings } from '../../adapters/networks/settings/settings.ts';
import { makeSetUpRecords } from '../../adapters/postgres/networks/network-identity.ts';
import { rereadNetwork } from '../../app/networks/reread-network.ts';
import { setUpNetwork } from '../../app/networks/set-up-network.ts';
import { type Config, ConfigError } from '../../config.ts';
import type { Mode } from '../../domain/values/mode.ts';
import { fail, type Result } from '../../domain/values/result.ts';
import type { Treasury } from '../../ports/networks/network-watch.ts';
import type { NetworkSetUp, SetUpState } from '../../ports/networks/set-up.ts';
import { type Signer, SigningRefused } from '../../ports/signer.ts';
import type { DescribedFoundation } from '../foundation.ts';
import { type DatabaseBinding, readDatabaseBinding } from './network-identities.ts';
import { describeNetworks, makeGuardedSigner, unlockSigner } from './networks.ts';
import { classifyOpeningError, openNetwork, readTreasuryWallet } from './open-network.ts';

export interface CheckedNetwork {
  readonly mode: Mode;
  readonly name: string;
  readonly asset: { readonly code: string; readonly decimals: number };
  /** Null if the network could not be opened. */
  readonly treasury: Treasury | null;
  /** The problem that would stop a start or disable the network; null if there is none. */
  readonly problem: string | null;
  /** Whether a start would continue without the network and try it again later. */
  readonly startsDisabled: boolean;
  /** Remarks that a start would write to the log without stopping. */
  readonly notes: readonly string[];
  /** Each provider is checked separately. Its `problem` is null if the provider agrees with the settings. */
  readonly providers: readonly { readonly name: string; readonly problem: string | null }[];
}

export interface PlannedSetUp extends SetUpState {
  readonly wallet: string;
  readonly native: NetworkSetUp['native'];
}

export interface ChosenNetwork {
  readonly mode: Mode;
  readonly name: string;
}

export interface SetUpPrinter {
  readonly print: (line: string) => void;
  readonly coins: (amountMinor: bigint, native: NetworkSetUp['native']) => string;
}

export interface NetworkAdmin {
  /** This check needs neither a database nor the passphrase. */
  check(only: Partial<ChosenNetwork>): Promise<readonly CheckedNetwork[]>;
  /** Returns the set-up steps that are still missing. It needs neither a database nor the passphrase. */
  plan(chosen: ChosenNetwork): Promise<PlannedSetUp>;
  setUp(
    foundation: DescribedFoundation,
    chosen: ChosenNetwork,
    words: SetUpPrinter,
  ): Promise<Result<SetUpState, string>>;
  /** Makes the service read deposits again, starting at this block. */
  reread(
    foundation: DescribedFoundation & { readonly actor: string },
    chosen: ChosenNetwork,
    given: { readonly from: bigint; readonly skip: boolean },
  ): Promise<Result<{ readonly before: bigint }, string>>;
  /** Returns the identity to which the database is bound, and what prevents the removal of this binding. */
  binding(foundation: DescribedFoundation, chosen: ChosenNetwork): Promise<DatabaseBinding>;
}

/** The set-up of a network waits this long, because slow blocks need time to become final. */
const PATIENCE_MS = 10 * 60_000;

export function makeNetworkAdmin(config: Config): NetworkAdmin {
  return {
    check: async ({ mode, name }) => {
      const wanted = (await readConfiguredNetworks(config)).filter(
        ({ settings }) =>
          (mode === undefined || settings.mode === mode) && (name === undefined || hasName(settings, name)),
      );
      if (wanted.length === 0) throw new ConfigError('The networks file has no such network.');
      return Promise.all(wanted.map(({ settings }) => checkNetwork(config, settings)));
    },
    plan: async (chosen) => {
      const { settings } = await findConfiguredNetwork(config, chosen);
      const setUp = await openSetUp(settings, await makeReadOnlyParts(config, settings));
      return { ...(await setUp.look()), wallet: setUp.wallet, native: setUp.native };
    },
    setUp: (foundation, chosen, words) => signSetUp(config, foundation, chosen, words),
    reread: async (foundation, chosen, given) => {
      const { settings } = await findConfiguredNetwork(config, chosen);
      const { mode, name: network } = settings;
      if (settings.family !== 'evm')
        return fail(`${network} is not read block by block: it continues where it stopped.`);
      // Operators booked earlier deposits by hand (`ledger fund --unseen`). If the service read these deposits again, it would
      // count them twice.
      if (given.from < settings.firstBlock)
        return fail(
          `${network} is read from its first_block, ${settings.firstBlock}: choose this block or a later one.`,
        );
      return rereadNetwork(foundation, { mode, network, blocks: BLOCK_POSITIONS, ...given });
    },
    binding: async ({ database }, chosen) => {
      const { mode, name: network } = (await findConfiguredNetwork(config, chosen)).settings;
      return readDatabaseBinding(database, { mode, network });
    },
  };
}

async function readConfiguredNetworks(config: Config): Promise<readonly ConfiguredNetwork[]> {
  if (config.networksFile === null)
    throw new ConfigError('NETWORKS_FILE is not set: no network is configured. See docs/operate/networks.md');
  return (await describeNetworks(config)).file.networks;
}

function hasName(settings: NetworkSettings, name: string): boolean {
  return settings.name.toLowerCase() === name.toLowerCase();
}

async function findConfiguredNetwork(
  config: Config,
  { mode, name }: ChosenNetwork,
): Promise<ConfiguredNetwork> {
  const found = (await readConfiguredNetworks(config)).find(
    ({ settings }) => settings.mode === mode && hasName(settings, name),
  );
  if (found !== undefined) return found;
  throw new ConfigError(`The networks file has no network of that name in ${mode} mode.`);
}

/** Makes the parts for reading a network without a signing key. The wallet comes from the public part of the key file. */
async function makeReadOnlyParts(config: Config, settings: NetworkSettings): Promise<ChainParts> {
  const wallet = await readTreasuryWallet(config, settings);
  const closed = () => new SigningRefused('unavailable', 'This command signs nothing.');
  const signer: Signer = {
    publicKey: () => Promise.reject(closed()),
    derivedPublicKey: () => {
      throw closed();
    },
    sign: () => Promise.reject(closed()),
  };
  return { clock: { now: () => Date.now() }, signer, wallet, onTrouble: () => undefined };
}

async function checkNetwork(config: Config, settings: NetworkSettings): Promise<CheckedNetwork> {
  const { mode, name, assetCode: code, decimals, rpc } = settings;
  const said: Pick<CheckedNetwork, 'mode' | 'name' | 'asset'> & { notes: string[] } = {
    ...{ mode, name, asset: { code, decimals }, notes: [] },
  };
  let parts: ChainParts;
  try {
    parts = await makeReadOnlyParts(config, settings);
  } catch (error) {
    const problem = (error as Error).message;
    return { ...said, treasury: null, problem, startsDisabled: false, providers: [] };
  }
  // Trouble with a single provider is left out here, because each provider is checked separately below.
  const onTrouble: ChainParts['onTrouble'] = (message, detail) => {
    if (message.startsWith(`${name}: `) && !('provider' in detail)) said.notes.push(message);
  };
  const look = async (some: NetworkSettings, withParts: ChainParts) => {
    try {
      const treasury = await (await openNetwork(some, withParts)).treasury();
      return { treasury, problem: null, startsDisabled: false };
    } catch (error) {
      const { kind, message } = classifyOpeningError(settings, error);
      return { treasury: null, problem: message, startsDisabled: kind === 'no_answer' };
    }
  };
  const providers = await Promise.all(
    rpc.map(async (url) => ({
      name: new URL(url).host,
      problem: (await look({ ...settings, rpc: [url] }, parts)).problem,
    })),
  );
  return { ...said, ...(await look(settings, { ...parts, onTrouble })), providers };
}

async function openSetUp(settings: NetworkSettings, parts: ChainParts): Promise<NetworkSetUp> {
  const forOperator = (error: unknown): never => {
    if (error instanceof SigningRefused) throw error;
    throw new ConfigError(classifyOpeningError(settings, error).message, { cause: error });
  };
  const setUp = await openFamilySetUp(settings, parts).catch(forOperator);
  return {
    ...setUp,
    look: async () => {
      const state = await setUp.look().catch(forOperator);
      const steps = state.steps.map((step) => ({
        ...step,
        sign: (turn: Parameters<typeof step.sign>[0]) => step.sign(turn).catch(forOperator),
      }));
      return { ...state, steps };
    },
  };
}

/** Loads the library of one network family only when it is needed, because these libraries are large. */
async function openFamilySetUp(settings: NetworkSettings, parts: ChainParts): Promise<NetworkSetUp> {
  switch (settings.family) {
    case 'evm':
      return (await import('../../adapters/networks/evm/set-up.ts')).openEvmSetUp(settings, parts);
    case 'solana':
      return (await import('../../adapters/networks/solana/set-up.ts')).openSolanaSetUp(settings, parts);
    case 'stellar':
      return (await import('../../adapters/networks/stellar/set-up.ts')).openStellarSetUp(settings, parts);
  }
}

async function signSetUp(
  config: Config,
  foundation: DescribedFoundation,
  chosen: ChosenNetwork,
  { print, coins }: SetUpPrinter,
): Promise<Result<SetUpState, string>> {
  const own = await findConfiguredNetwork(config, chosen);
  const { settings } = own;
  const { clock } = foundation;
  const signer = makeGuardedSigner(config, foundation, settings.mode, [own], await unlockSigner(config));
  const setUp = await openSetUp(settings, { clock, signer, onTrouble: () => undefined });
  return setUpNetwork(
    {
      ...foundation,
      setUps: makeSetUpRecords(foundation.database),
      sleep: (ms) => sleep(ms),
      holder: `set-up ${process.pid} ${randomBytes(4).toString('hex')}`,
      leaseMs: config.settleLeaseMs,
      patienceMs: PATIENCE_MS + settings.finalAfterMs,
      print,
      coins: (amountMinor) => coins(amountMinor, setUp.native),
    },
    settings.mode,
    setUp,
  );
}
