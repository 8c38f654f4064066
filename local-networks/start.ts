// Starts the four local networks together: chains, tokens, treasuries, the faucet, and the files that a service needs to use
// them. Everything runs in this process and in memory, so it ends with the process.
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { NETWORK_ROWS } from '../src/adapters/networks/registry.ts';
import { type LocalEvmOptions, startEvm } from './evm.ts';
import { startFaucet } from './faucet.ts';
import type { LocalNetwork, LocalNetworkOptions } from './local-network.ts';
import { refuseSecondRun, refuseTakenPorts } from './refuse-taken.ts';
import {
  clearFiles,
  clearNetworks,
  environmentOf,
  keyNameOf,
  type LocalNetworksFacts,
  type NetworkFiles,
  networkFilesIn,
  type TreasuryKey,
  writeKeys,
  writeNetworks,
} from './settings.ts';
import { startSolana } from './solana.ts';
import { startStellar } from './stellar.ts';

export interface LocalNetworksOptions {
  readonly dir: string;
  /** The port of the faucet. Two ports for each network follow it. If absent, free ports are used. */
  readonly basePort?: number;
  readonly paceMs?: number;
  readonly only?: string;
  readonly onStep?: (line: string) => void;
}

export interface LocalNetworks {
  readonly networks: readonly LocalNetwork[];
  readonly faucet: string;
  readonly instance: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly liveEnvironment: Readonly<Record<string, string>>;
  find(name: string): LocalNetwork;
  close(): Promise<void>;
}

const PACE_MS = 1_000;
/** No other chain has these ids, so signatures from here are not valid on any other chain. */
const EVM_CHAINS: Readonly<Record<string, Pick<LocalEvmOptions, 'chainId' | 'finalityBlocks'>>> = {
  Polygon: { chainId: 31_337_137, finalityBlocks: 4 },
  Avalanche: { chainId: 31_343_114, finalityBlocks: 1 },
};

export async function startLocalNetworks(options: LocalNetworksOptions): Promise<LocalNetworks> {
  const { basePort, only, paceMs = PACE_MS, onStep = () => undefined } = options;
  const rows = NETWORK_ROWS.filter(({ name }) => only === undefined || name === only);
  const dir = path.resolve(options.dir);
  const files = networkFilesIn(dir);
  await refuseSecondRun(files);
  const portOf = (offset: number) => (basePort === undefined ? 0 : basePort + offset);
  if (basePort !== undefined) await refuseTakenPorts(basePort, 1 + 2 * rows.length);
  await clearFiles(dir, files);
  const keys = rows.map(({ name, family }): TreasuryKey => {
    const scheme = family === 'evm' ? 'secp256k1' : 'ed25519';
    return { name: keyNameOf(name), scheme, secret: randomBytes(32) };
  });
  const writing = writeKeys(files, keys).then(() => onStep('Keys: one for each treasury, encrypted'));
  const starting = rows.map(async ({ name, family, decimals }, index) => {
    const ports = [portOf(1 + 2 * index), portOf(2 + 2 * index)] as const;
    const network = await startNetwork(family, {
      name,
      decimals,
      treasuryKey: keys[index]!.secret,
      ports,
      paceMs,
    });
    onStep(`${name}: runs, with a token and a funded treasury`);
    return network;
  });
  // Waits for all networks. If one fails to start, the others are closed.
  const [outcomes] = await Promise.all([Promise.allSettled(starting), Promise.allSettled([writing])]);
  const networks = outcomes.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  try {
    await Promise.all([...starting, writing]);
    return await openLocalNetworks(files, networks, portOf(0), onStep);
  } catch (error) {
    await Promise.all(networks.map((network) => network.close()));
    throw error;
  }
}

function startNetwork(family: LocalNetwork['family'], options: LocalNetworkOptions): Promise<LocalNetwork> {
  switch (family) {
    case 'evm':
      return startEvm({ ...options, ...EVM_CHAINS[options.name]! });
    case 'solana':
      return startSolana(options);
    case 'stellar':
      return startStellar(options);
  }
}

/** Starts the faucet, and then writes the file that shows that everything runs. */
async function openLocalNetworks(
  files: NetworkFiles,
  networks: readonly LocalNetwork[],
  port: number,
  onStep: (line: string) => void,
): Promise<LocalNetworks> {
  const instance = `run-${randomBytes(4).toString('hex')}`;
  const samples = await Promise.all(networks.map((network) => network.wallet()));
  const faucet = await startFaucet(
    networks,
    (url) => describeNetworks({ networks, faucet: url, instance }, samples),
    port,
  );
  onStep('Faucet: gives tokens and wallets');
  await writeNetworks(files, { networks, faucet: faucet.url, instance });
  onStep(`Settings: ${files.networks}`);
  return {
    networks,
    faucet: faucet.url,
    instance,
    environment: environmentOf(files, 'test'),
    liveEnvironment: environmentOf(files, 'live'),
    find: (name) => {
      const found = networks.find((each) => each.name === name);
      if (found === undefined) throw new Error(`there is no local ${name}`);
      return found;
    },
    close: async () => {
      // This step comes first, so that from here on a service cannot find the networks.
      await clearNetworks(files);
      await faucet.close();
      await Promise.all(networks.map((network) => network.close()));
    },
  };
}

function describeNetworks(
  { networks, faucet, instance }: LocalNetworksFacts,
  samples: readonly string[],
): unknown {
  return {
    instance,
    faucet,
    networks: networks.map(({ name, urls, chain, token, decimals, treasury }, index) => ({
      ...{ name, rpc: urls, chain, token, decimals, treasury, sample_wallet: samples[index] },
    })),
    try: [
      `POST ${faucet}/ {"id", "network", "address", "memo", "amount_minor"}: the customer sends tokens, once for each id`,
      `GET ${faucet}/wallets/{network}: a new wallet that can receive`,
      `GET ${faucet}/balances/{network}/{wallet}: what it holds`,
    ],
  };
}
