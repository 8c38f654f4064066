// Reads what a transaction really paid to each wallet, as a provider of its network returns it for the hash.
import type { LocalNetwork } from '../../../local-networks/local-network.ts';

/** The amount of tokens for each wallet, in minor units. */
export async function paidBy(network: LocalNetwork, hash: string): Promise<ReadonlyMap<string, bigint>> {
  const [url] = network.urls;
  switch (network.family) {
    case 'evm':
      return evmTransfers(await call(url, 'eth_getTransactionReceipt', [hash]), network.token);
    case 'solana': {
      const options = { encoding: 'json', commitment: 'finalized', maxSupportedTransactionVersion: 0 };
      return solanaTransfers(await call(url, 'getTransaction', [hash, options]), network.token);
    }
    case 'stellar': {
      const answer = await fetch(`${url}/transactions/${hash}/operations?limit=100`);
      return stellarPayments((await answer.json()) as Operations, network.token);
    }
  }
}

async function call<Result>(url: string, method: string, params: readonly unknown[]): Promise<Result> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body });
  return ((await answer.json()) as { result: Result }).result;
}

interface Receipt {
  readonly status: string;
  readonly logs: readonly { readonly address: string; readonly topics: string[]; readonly data: string }[];
}

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

function evmTransfers({ status, logs }: Receipt, token: string): ReadonlyMap<string, bigint> {
  const ours = logs.filter(
    ({ address, topics }) => address.toLowerCase() === token.toLowerCase() && topics[0] === TRANSFER,
  );
  if (status !== '0x1') return new Map();
  return new Map(ours.map(({ topics, data }) => [`0x${topics[2]!.slice(-40)}`, BigInt(data)]));
}

interface TokenBalance {
  readonly owner: string;
  readonly mint: string;
  readonly uiTokenAmount: { readonly amount: string };
}

interface Landed {
  readonly meta: {
    readonly err: unknown;
    readonly preTokenBalances: readonly TokenBalance[];
    readonly postTokenBalances: readonly TokenBalance[];
  };
}

function solanaTransfers({ meta }: Landed, token: string): ReadonlyMap<string, bigint> {
  if (meta.err !== null) return new Map();
  const held = (balances: readonly TokenBalance[], owner: string) =>
    balances
      .filter((each) => each.owner === owner && each.mint === token)
      .reduce((sum, each) => sum + BigInt(each.uiTokenAmount.amount), 0n);
  return new Map(
    meta.postTokenBalances.map(({ owner }) => [
      owner,
      held(meta.postTokenBalances, owner) - held(meta.preTokenBalances, owner),
    ]),
  );
}

interface Operations {
  readonly _embedded: {
    readonly records: readonly {
      readonly type: string;
      readonly transaction_successful: boolean;
      readonly to: string;
      readonly asset_issuer: string;
      readonly amount: string;
    }[];
  };
}

function stellarPayments({ _embedded: { records } }: Operations, token: string): ReadonlyMap<string, bigint> {
  return new Map(
    records
      .filter((each) => each.type === 'payment' && each.transaction_successful && each.asset_issuer === token)
      .map(({ to, amount }) => [to, BigInt(amount.replace('.', ''))]),
  );
}
