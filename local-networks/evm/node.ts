// A real Ethereum node inside this process. It uses no file, no port and no connection, and it ends with the process. It mines
// only on demand and keeps submitted transactions in its pool until they are mined.
import path from 'node:path';
import type { Hex } from 'viem';
import { RpcError } from '../rpc-error.ts';

export interface NodeOptions {
  readonly chainId: number;
  readonly baseFee: bigint;
  readonly blockGasLimit: bigint;
  readonly accounts: readonly { readonly key: Hex; readonly balance: bigint }[];
}

export interface EvmNode {
  request<Answer>(method: string, params?: readonly unknown[]): Promise<Answer>;
  close(): Promise<void>;
}

/** The error code of a node for a reverted call. The error contains the reason of the contract. */
const REVERTED = 3;
const INTERNAL = -32603;
const projectRoot = path.dirname(path.dirname(import.meta.dirname));

export async function startEvmNode(options: NodeOptions): Promise<EvmNode> {
  process.env.HARDHAT_DISABLE_TELEMETRY = 'true';
  const { createHardhatRuntimeEnvironment } = await import('hardhat/hre');
  const local = {
    type: 'edr-simulated' as const,
    chainType: 'l1' as const,
    chainId: options.chainId,
    // The real networks have supported this hardfork for years.
    hardfork: 'cancun',
    // The chain can have more than one block per second.
    allowBlocksWithSameTimestamp: true,
    blockGasLimit: options.blockGasLimit,
    initialBaseFeePerGas: options.baseFee,
    mining: { auto: false, interval: 0, mempool: { order: 'priority' as const } },
    accounts: options.accounts.map(({ key, balance }) => ({ privateKey: key, balance })),
  };
  const { network } = await createHardhatRuntimeEnvironment({ networks: { local } }, {}, projectRoot);
  const connection = await network.create('local');
  return {
    request: async <Answer>(method: string, params: readonly unknown[] = []) => {
      try {
        return (await connection.provider.request({ method, params: [...params] })) as Answer;
      } catch (error) {
        throw failureOf(error);
      }
    },
    close: () => connection.close(),
  };
}

function failureOf(error: unknown): RpcError {
  const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown };
  const said = typeof data === 'object' && data !== null && 'data' in data ? data.data : data;
  const number = typeof code === 'number' ? code : INTERNAL;
  return new RpcError(
    number,
    String(message),
    number === REVERTED || typeof said === 'string' ? said : undefined,
  );
}
