// Starts a local chain of the Ethereum kind. It has a real node, blocks at an interval, finality some blocks behind, and two
// providers that fail on demand.
import { type EvmChain, LOCAL_ACCOUNTS, makeEvmChain } from './chain.ts';
import { makeFaultRegistry, type ProviderFaults } from './faults.ts';
import { makeEvmLedger } from './ledger.ts';
import { startEvmNode } from './node.ts';
import { type EvmProvider, startEvmProvider } from './provider.ts';
import { makeProviderView } from './provider-view.ts';

export interface EvmChainOptions {
  readonly chainId: number;
  /** With 0, blocks are mined only on demand. */
  readonly blockEveryMs?: number;
  readonly finalityBlocks?: number;
  readonly logBlocks?: number;
  readonly baseFee?: bigint;
  readonly blockGasLimit?: bigint;
  /** If absent, free ports are used. */
  readonly ports?: readonly [number, number];
}

export interface LocalEvmChain {
  readonly chainId: number;
  readonly urls: readonly [string, string];
  readonly chain: EvmChain;
  readonly faults: ProviderFaults;
  close(): Promise<void>;
}

const GWEI = 1_000_000_000n;
const FUNDED = 1_000_000n * 10n ** 18n;

export async function startEvmChain(options: EvmChainOptions): Promise<LocalEvmChain> {
  const { chainId, blockEveryMs = 200, finalityBlocks = 4, logBlocks = 10_000, ports = [0, 0] } = options;
  const { baseFee = GWEI, blockGasLimit = 30_000_000n } = options;
  const accounts = LOCAL_ACCOUNTS.map(({ key }) => ({ key, balance: FUNDED }));
  const node = await startEvmNode({ chainId, baseFee, blockGasLimit, accounts });
  const ledger = await makeEvmLedger(node, { finalityBlocks, baseFee });
  const mining = mineEvery(blockEveryMs, ledger.mine);
  const faults = makeFaultRegistry();
  const provide = (index: number) => {
    const view = makeProviderView(node, ledger, {
      lag: () => faults.lag(index),
      servers: (method) => faults.servers(index, method),
      logBlocks,
    });
    return startEvmProvider({ index, view, ledger, faults }, ports[index]!);
  };
  const providers: EvmProvider[] = [];
  const close = async () => {
    mining.stop();
    await Promise.all(providers.map((provider) => provider.close()));
    await ledger.idle();
    await node.close();
  };
  try {
    for (const index of ports.keys()) providers.push(await provide(index));
  } catch (error) {
    await close();
    throw error;
  }
  mining.start();
  return {
    chainId,
    urls: [providers[0]!.url, providers[1]!.url],
    chain: makeEvmChain(node, ledger, { chainId, mining }),
    faults,
    close,
  };
}

/** Never mines two blocks at the same time, so a slow block delays the next one. */
function mineEvery(everyMs: number, mine: () => Promise<void>): { start(): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  const next = () => {
    timer = setTimeout(async () => {
      const mineNow = timer;
      await mine().catch(() => undefined);
      if (timer === mineNow) next();
    }, everyMs);
  };
  return {
    start: () => {
      if (everyMs > 0 && timer === undefined) next();
    },
    stop: () => {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
