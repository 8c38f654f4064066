// The service in test mode on real chain software. It reaches the chains only through independently written providers: two for
// each network, each with its own faults. Also which faults the examination uses, and in which order.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { LocalNetwork } from '../../local-networks/local-network.ts';
import { startLocalNetworks } from '../../local-networks/start.ts';
import { FAST } from '../e2e/calls.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { afterFile } from '../support/sharing/file-group.ts';
import { startEvmProvider } from './providers/evm/evm.ts';
import { FAULTS as EVM_FAULTS } from './providers/evm/evm-names.ts';
import type { FaultOptions, Provider } from './providers/faults.ts';
import { startSolanaProvider } from './providers/solana/solana.ts';
import { FAULTS as SOLANA_FAULTS } from './providers/solana/solana-names.ts';
import { startStellarProvider } from './providers/stellar/stellar.ts';
import { FAULTS as STELLAR_FAULTS } from './providers/stellar/stellar-names.ts';

export interface Examined {
  readonly network: LocalNetwork;
  readonly faults: readonly string[];
  readonly providers: readonly Provider<string>[];
}

export interface Stage {
  readonly service: TestService;
  readonly examined: readonly Examined[];
}

type Start = (options: { readonly upstream: string; readonly seed?: number }) => Promise<Provider<string>>;

const FAMILIES: Readonly<
  Record<LocalNetwork['family'], { readonly faults: readonly string[]; readonly start: Start }>
> = {
  evm: { faults: EVM_FAULTS, start: startEvmProvider },
  solana: { faults: SOLANA_FAULTS, start: startSolanaProvider },
  stellar: { faults: STELLAR_FAULTS, start: startStellarProvider },
};
/** Avalanche is left out, because it runs the same code as Polygon. */
const NETWORKS: readonly string[] = ['Polygon', 'Solana', 'Stellar'];
const PACE_MS = 200;

export async function setStage(): Promise<Stage> {
  const dir = await mkdtemp(path.join(tmpdir(), 'sliproad-strangers-'));
  const local = await startLocalNetworks({ dir, paceMs: PACE_MS });
  const examined = await Promise.all(
    local.networks.filter(({ name }) => NETWORKS.includes(name)).map(examinedOf),
  );
  afterFile(async () => {
    for (const { providers } of examined) await Promise.all(providers.map((each) => each.close()));
    await local.close();
    await rm(dir, { recursive: true });
  });
  await reachThrough(local.environment.NETWORKS_FILE!, examined);
  const environment = { ...FAST, ...local.environment, DATA_DIR: path.join(dir, 'data') };
  return { service: await startTestService(environment), examined };
}

async function examinedOf(network: LocalNetwork): Promise<Examined> {
  const { faults, start } = FAMILIES[network.family];
  const providers = await Promise.all(
    network.urls.map((upstream, index) => start({ upstream, seed: index + 1 })),
  );
  return { network, faults, providers };
}

/** Changes the networks file so that it names only the independent providers. */
async function reachThrough(file: string, examined: readonly Examined[]): Promise<void> {
  const content = JSON.parse(await readFile(file, 'utf8')) as { networks: { name: string; rpc: unknown }[] };
  for (const { network, providers } of examined)
    content.networks.find(({ name }) => name === network.name)!.rpc = providers.map(({ url }) => url);
  await writeFile(file, JSON.stringify(content));
}

// Says how the examination uses the faults of the independent providers.

/** Each send has these faults a few times. Afterwards the provider works normally. */
export const SENDS: ReadonlySet<string> = new Set([
  ...['accepted_but_error', 'error_but_not_sent', 'dropped', 'doubled', 'accepted_but_preflight_error'],
  ...['accepted_but_node_behind', 'timeout_though_applied', 'timeout_not_applied', 'bad_seq_though_applied'],
]);

/** Both providers may have these faults at the same time, because the faults cause delays but no false data about the chain. */
export const AT_BOTH: ReadonlySet<string> = new Set([
  ...['slow', 'cut', 'too_many', 'html', 'half_json', 'doubled_keys', 'doubled', 'batch_refused'],
  ...['batch_shuffled', 'wrong_id', 'accepted_but_error', 'error_but_not_sent', 'dropped'],
  ...['timeout_though_applied', 'timeout_not_applied'],
]);

/**
 * These faults report false amounts, so they affect only the deposit of the sell. If a false amount concerns an outflow of a
 * treasury, it correctly stops the treasury's sends until two people have reviewed it.
 */
export const ABOUT_DEPOSITS: ReadonlySet<string> = new Set(['token_balance_differs']);

/**
 * A deposit with a false amount waits for minutes or for people, so another test covers this fault:
 * src/adapters/networks/evm/observe/confirm.test.ts.
 */
const NOT_EXAMINED: ReadonlySet<string> = new Set(['value_differs']);

/** The options that a fault needs so that it affects the calls of this examination. */
export const OPTIONS: Readonly<Record<string, FaultOptions>> = { too_large_range: { by: 1 } };

/**
 * These faults are tested last, because the service stops using a provider for a while after it served another chain or failed.
 */
const LAST: readonly string[] = [
  ...['slow', 'batch_shuffled', 'wrong_id', 'batch_refused', 'doubled_keys', 'half_json', 'html', 'too_many'],
  ...['cut', 'another_chain', 'another_network'],
];

export function inOrder(faults: readonly string[]): readonly string[] {
  return faults
    .filter((fault) => !NOT_EXAMINED.has(fault))
    .toSorted((a, b) => LAST.indexOf(a) - LAST.indexOf(b));
}
