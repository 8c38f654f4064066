// Opens a simulated network for the contract suite. The test causes troubles and moves the clock, and reads real payments from
// the network's own rows.
import { hash } from 'node:crypto';
import { getAddressDecoder } from '@solana/addresses';
import { toChecksumAddress } from '../../../src/adapters/networks/evm/address.ts';
import { makeSimulatedNetworks, NETWORK_ROWS } from '../../../src/adapters/networks/registry.ts';
import { StrKey } from '../../../src/adapters/networks/stellar/horizon/strkey.ts';
import type { Network } from '../../../src/ports/networks/network.ts';
import { type ContractHarness, newId } from '../network/case.ts';
import type { Stage } from './simulated-world.ts';

const STEP_MS = 30;

const WALLETS = {
  evm: (bytes: Buffer) => toChecksumAddress(`0x${bytes.toString('hex', 0, 20)}`),
  solana: (bytes: Buffer) => getAddressDecoder().decode(bytes) as string,
  stellar: (bytes: Buffer) => StrKey.encodeEd25519PublicKey(bytes),
};

export async function makeSimulatedHarness(stage: Stage, name: string): Promise<ContractHarness> {
  const { family, tokenAddress } = NETWORK_ROWS.find((row) => row.name === name)!;
  const refusing = new Set<string>();
  const find = (simulation: Stage['simulation']) =>
    makeSimulatedNetworks({ offCurve: 'accept' }, simulation).find((each) => each.name === name)!;
  const wallet = async () => WALLETS[family](hash('sha256', newId('mov'), 'buffer'));
  /** The simulation has no wallets that refuse tokens, so a trouble simulates them. */
  const open = (simulation: Stage['simulation']): ReturnType<typeof find> => {
    const network = find(simulation);
    const prepare: Network['prepare'] = async (payments, turn) => {
      const signed = await network.prepare(payments, turn);
      for (const { hash, orderIds } of signed.envelopes) {
        const place = orderIds.findIndex((id) =>
          payments.some(({ orderId, to }) => orderId === id && refusing.has(to)),
        );
        if (place < 0) continue;
        stage.meets('broadcast', hash, orderIds.length > 1 ? 'one_unpaid' : 'fails');
        stage.draws(`${hash} unpaid`, place);
      }
      return signed;
    };
    return { ...network, prepare };
  };
  const network = open(stage.simulation);
  return {
    network,
    restarted: async () => open(stage.restarted()),
    wallet,
    troubles: new Set(['no_connection', 'answer_lost', 'dropped', 'reorganised', 'rejected', 'fails']),
    meet: async (trouble, prepared) => stage.meets('broadcast', prepared.hash, trouble),
    pass: async () => stage.setTo(stage.now() + STEP_MS),
    untilExpired: async ({ bound }) => stage.setTo(Number(bound) + 1),
    received: stage.received,
    watch: { recent: async () => [], ours: async () => new Set() },
    deposit: network.arrive,
    forbidden: tokenAddress === null ? [] : [tokenAddress],
    refusing: async () => {
      const made = await wallet();
      refusing.add(made);
      return made;
    },
    willBeGone: (id) => stage.meets('arrive', id, 'gone'),
    ...(family === 'stellar' && {
      unready: async () => {
        const about = newId('txn');
        await stage.addPlay(about, 'no_trustline');
        return { wallet: await wallet(), about, open: async () => undefined };
      },
    }),
    close: async () => undefined,
  };
}
