// Plays the troubles of the contract suite on the local chain. The name of a trouble decides what happens to a payment or a
// deposit.
import type { Hex } from 'viem';
import type { SignedTransaction } from '../../../src/ports/networks/network-payer.ts';
import { TROUBLES, type Trouble } from '../network/harness.ts';
import type { EvmStage } from './evm-stage.ts';

const GWEI = 10n ** 9n;
const SENDS = { methods: ['eth_sendRawTransaction'] } as const;
const BOTH_ONCE = { ...SENDS, times: 2 };
const DEAR = 20n * GWEI;

export type EvmMischief = ReturnType<typeof makeEvmMischief>;

export function makeEvmMischief({ local, token }: EvmStage) {
  const { chain, faults } = local;
  /** The hashes of transactions that wait for their block. A reorganisation then removes that block. */
  const toReorganise = new Set<string>();
  const toFail = new Set<string>();
  const toVanish = new Set<string>();
  const willVanish = new Set<string>();

  const firstMined = (hashes: Set<string>) => firstMinedOf(local, hashes);

  const meet = async (trouble: Trouble, { hash }: SignedTransaction): Promise<void> => {
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

  /** Returns true if a reorganisation happened instead of a new block. */
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
    // The sender uses the nonce for another transaction, so this transaction can never get into a block again.
    if (toVanish.delete(left.hash)) {
      const [bank, customer] = chain.accounts;
      await chain.transact(customer!, { to: bank!.address, value: 1n });
    }
    return true;
  };

  return {
    troubles: new Set<Trouble>(TROUBLES),
    meet,
    happensNow,
    willBeGone: (id: string) => void willVanish.add(id),
    arrived: (id: string, hash: string) => {
      if (willVanish.has(id)) toVanish.add(hash);
    },
    lie: (prepared: SignedTransaction) => inventReceipt(local, prepared),
    undo: async (): Promise<void> => {
      if (toFail.size > 0) await chain.setPaused(token, false);
      await chain.setBaseFee(GWEI);
    },
  };
}

async function firstMinedOf({ chain }: EvmStage['local'], hashes: Set<string>) {
  for (const hash of hashes) {
    const receipt = await chain.request<{ blockNumber: Hex } | null>('eth_getTransactionReceipt', [hash]);
    if (receipt !== null) return { hash, depth: chain.head() - Number(receipt.blockNumber) + 1 };
  }
  return undefined;
}

/** One provider reports a receipt that does not exist, with all fields of a real receipt. */
async function inventReceipt(
  { faults, urls }: EvmStage['local'],
  { payload }: SignedTransaction,
): Promise<void> {
  const dropped = faults.add({ kind: 'drop' }, { ...SENDS, on: 0, times: 1 });
  const body = { jsonrpc: '2.0', id: 1, method: SENDS.methods[0], params: [JSON.parse(payload).raw] };
  await fetch(urls[0], { method: 'POST', body: JSON.stringify(body) });
  dropped.clear();
  faults.add({ kind: 'lie', lie: { about: 'receipt' } }, { on: 0, methods: ['eth_getTransactionReceipt'] });
}
