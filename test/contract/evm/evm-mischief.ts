// What a payment or a deposit meets on the local chain, by its name in the contract suite.
import type { Hex } from 'viem';
import type { Prepared } from '../../../src/ports/network/pays.ts';
import type { Trouble } from '../network/harness.ts';
import type { EvmStage } from './evm-network.ts';

const GWEI = 10n ** 9n;
const SENDS = { methods: ['eth_sendRawTransaction'] } as const;
const BOTH_ONCE = { ...SENDS, times: 2 };
const DEAR = 20n * GWEI;

export function makeEvmMischief({ local, token }: EvmStage) {
  const { chain, faults, urls } = local;
  /** Waits for its block, and is then left behind with it. */
  const toReorganise = new Set<string>();
  const toFail = new Set<string>();
  const toVanish = new Set<string>();
  const willVanish = new Set<string>();

  const heightOf = async (hash: string): Promise<number | undefined> => {
    const receipt = await chain.request<{ blockNumber: Hex } | null>('eth_getTransactionReceipt', [hash]);
    return receipt === null ? undefined : Number(receipt.blockNumber);
  };
  const firstMined = async (hashes: Set<string>) => {
    for (const hash of hashes) {
      const height = await heightOf(hash);
      if (height !== undefined) return { hash, depth: chain.head() - height + 1 };
    }
    return undefined;
  };

  const meet = async (trouble: Trouble, { hash }: Prepared): Promise<void> => {
    switch (trouble) {
      case 'no_connection':
        return void faults.add({ kind: 'cut-before' }, BOTH_ONCE);
      case 'answer_lost':
        faults.add({ kind: 'cut-after' }, { ...SENDS, on: 0, times: 1 });
        return void faults.add({ kind: 'error-though-landed' }, { ...SENDS, on: 1, times: 1 });
      case 'dropped':
        return void faults.add({ kind: 'drop' }, BOTH_ONCE);
      case 'rejected':
        return void faults.add({ kind: 'refuse', text: 'invalid sender', code: -32000 }, BOTH_ONCE);
      case 'reorganised':
        return void toReorganise.add(hash);
      case 'fails':
        if (toFail.size === 0) await chain.setPaused(token, true);
        return void toFail.add(hash);
      case 'stuck':
        return chain.setBaseFee(DEAR);
    }
  };

  /** True when it took the place of a block. */
  const happensNow = async (): Promise<boolean> => {
    const failed = await firstMined(toFail);
    if (failed !== undefined) {
      toFail.delete(failed.hash);
      if (toFail.size === 0) await chain.setPaused(token, false);
    }
    const left = (await firstMined(toReorganise)) ?? (await firstMined(toVanish));
    if (left === undefined) return false;
    await chain.reorganise(left.depth, { transactions: 'dropped' });
    toReorganise.delete(left.hash);
    // Its sender uses its place for something else: it can never come back.
    if (toVanish.delete(left.hash)) {
      const [bank, customer] = chain.accounts;
      await chain.transact(customer!, { to: bank!.address, value: 1n });
    }
    return true;
  };

  return {
    troubles: new Set<Trouble>([
      'no_connection',
      'answer_lost',
      'dropped',
      'reorganised',
      'rejected',
      'fails',
      'stuck',
    ]),
    meet,
    happensNow,
    willBeGone: (id: string) => void willVanish.add(id),
    arrived: (id: string, hash: string) => {
      if (willVanish.has(id)) toVanish.add(hash);
    },
    /** One provider invents a receipt, with all that it would have had. */
    lie: async ({ payload }: Prepared): Promise<void> => {
      const dropped = faults.add({ kind: 'drop' }, { ...SENDS, on: 0, times: 1 });
      const body = { jsonrpc: '2.0', id: 1, method: SENDS.methods[0], params: [JSON.parse(payload).raw] };
      await fetch(urls[0], { method: 'POST', body: JSON.stringify(body) });
      dropped.clear();
      faults.add(
        { kind: 'lie', lie: { about: 'receipt' } },
        { on: 0, methods: ['eth_getTransactionReceipt'] },
      );
    },
    undo: async (): Promise<void> => {
      if (toFail.size > 0) await chain.setPaused(token, false);
      await chain.setBaseFee(GWEI);
    },
  };
}
