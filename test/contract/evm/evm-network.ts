// Opens the EVM adapter for the contract suite: on a local chain with two providers and with a clock that the test moves. Every
// case has its own treasury and contracts. The suite reads the real payments directly from the chain instead of from the
// providers.
import { randomUUID } from 'node:crypto';
import { type Address, concat, getAddress, type Hex, pad, toEventSelector, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Network } from '../../../src/ports/networks/network.ts';
import { memoryKey } from '../../support/networks/memory-signer.ts';
import type { ContractHarness } from '../network/case.ts';
import { type EvmMischief, makeEvmMischief } from './evm-mischief.ts';
import { DECIMALS, type EvmStage, makeEvmStage, pursesOf, STEP_MS, TREASURY_MINOR } from './evm-stage.ts';

export { stopEvmChain } from './evm-stage.ts';

export interface EvmHarness extends ContractHarness {
  readonly stage: EvmStage;
}

export async function makeEvmHarness(): Promise<EvmHarness> {
  const stage = await makeEvmStage();
  const { local, settings, treasury, token, clock } = stage;
  const { chain, faults } = local;
  const customer = chain.accounts[1]!;
  const targets = new Set<string>();
  const mischief = makeEvmMischief(stage);
  const watched = async () => rememberTargets(await stage.open(), targets);
  await chain.mint(token, customer.address, TREASURY_MINOR);

  return {
    stage,
    network: await watched(),
    restarted: watched,
    marked: (marks) => stage.open({ marks }),
    setUp: stage.setUp,
    wallet: newWallet,
    troubles: mischief.troubles,
    meet: mischief.meet,
    pass: async () => {
      clock.pass(STEP_MS);
      if (!(await mischief.happensNow())) await chain.mine();
    },
    untilExpired: async () => undefined,
    received: (address) => chain.balanceOf(token, getAddress(address)),
    watch: {
      recent: async () => [...targets],
      ours: async (addresses) => new Set(addresses.filter((each) => targets.has(each))),
    },
    deposit: depositsOf(stage, mischief),
    forbidden: [token, settings.disperse!, settings.forwarderFactory],
    refusing: async () => {
      const made = await newWallet();
      await chain.setBlacklisted(token, made as Address, true);
      return made;
    },
    ...pursesOf(stage),
    willBeGone: mischief.willBeGone,
    poison: async () => {
      const to = [...targets].at(-1) ?? treasury.address;
      await chain.transact(customer, { data: unreadableTransferTo(to as Address) });
    },
    lie: mischief.lie,
    lag: async ({ providers, ...lag }) => {
      // The lag has the height that the chain had when the lag began.
      const fault = { kind: 'paths-behind', ...lag, height: chain.head() } as const;
      const planned = faults.add(fault, providers === 'one' ? { on: 0 } : {});
      return async () => planned.clear();
    },
    steal: async (amountMinor) => {
      const receipt = await chain.transfer(token, treasury, customer.address, amountMinor);
      return receipt.transactionHash;
    },
    close: async () => {
      faults.clear();
      await mischief.undo();
    },
  };
}

function rememberTargets(network: Network, targets: Set<string>): Network {
  return {
    ...network,
    depositTarget: (id) => {
      const target = network.depositTarget(id);
      targets.add(target.address);
      return target;
    },
  };
}

function depositsOf(
  { local: { chain }, token }: EvmStage,
  mischief: EvmMischief,
): ContractHarness['deposit'] {
  const customer = chain.accounts[1]!;
  const arrived = new Map<string, string>();
  return async (id, { address, amountMinor, ourToken = true }) => {
    const known = arrived.get(id);
    if (known !== undefined) return known;
    const sent = ourToken ? token : await chain.deployToken({ decimals: DECIMALS });
    if (!ourToken) await chain.mint(sent, customer.address, amountMinor);
    const receipt = await chain.transfer(sent, customer, getAddress(address), amountMinor);
    arrived.set(id, receipt.transactionHash);
    mischief.arrived(id, receipt.transactionHash);
    return receipt.transactionHash;
  };
}

async function newWallet(): Promise<string> {
  return privateKeyToAccount(toHex(memoryKey(randomUUID()))).address;
}

/** This code runs once and emits a transfer event with an additional topic, like NFT contracts. */
function unreadableTransferTo(to: Address): Hex {
  const topics = [pad('0x07'), pad(to), pad('0x01'), toEventSelector('Transfer(address,address,uint256)')];
  const pushes = topics.map((topic) => concat(['0x7f', topic]));
  return concat([...pushes, '0x5f', '0x5f', '0xa4', '0x00']);
}
