// The service in test mode on real chain software. It reaches the chains only through independently written providers: two for
// each network, each with its own faults.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { LocalNetwork } from '../../../local-networks/local-network.ts';
import { startLocalNetworks } from '../../../local-networks/start.ts';
import { FAST } from '../../e2e/calls.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { afterFile } from '../../support/sharing/after-file.ts';
import { startEvmProvider } from '../providers/evm/evm.ts';
import { FAULTS as EVM_FAULTS } from '../providers/evm/evm-names.ts';
import type { Provider } from '../providers/faults.ts';
import { startSolanaProvider } from '../providers/solana/solana.ts';
import { FAULTS as SOLANA_FAULTS } from '../providers/solana/solana-names.ts';
import { startStellarProvider } from '../providers/stellar/stellar.ts';
import { FAULTS as STELLAR_FAULTS } from '../providers/stellar/stellar-names.ts';

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

/** The networks file names only the independent providers. */
async function reachThrough(file: string, examined: readonly Examined[]): Promise<void> {
  const content = JSON.parse(await readFile(file, 'utf8')) as { networks: { name: string; rpc: unknown }[] };
  for (const { network, providers } of examined)
    content.networks.find(({ name }) => name === network.name)!.rpc = providers.map(({ url }) => url);
  await writeFile(file, JSON.stringify(content));
}
