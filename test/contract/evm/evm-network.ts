// The EVM adapter as the contract suite needs it: on a local chain with two providers, time by hand, and a treasury and
// contracts of its own for every case. What was really paid is read from the chain itself, past the providers.
import { randomUUID } from 'node:crypto';
import { type Address, concat, getAddress, type Hex, pad, toEventSelector, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { type LocalEvmChain, startEvmChain } from '../../../local-networks/evm/start.ts';
import { openEvmNetwork } from '../../../src/adapters/networks/evm/open.ts';
import { openEvmSetUp } from '../../../src/adapters/networks/evm/set-up.ts';
import { type EvmSettings, NOT_DEPLOYED } from '../../../src/adapters/networks/settings/settings.ts';
import type { Network } from '../../../src/ports/network/network.ts';
import type { NetworkSetUp } from '../../../src/ports/network-set-up.ts';
import { memoryKey, memorySigner } from '../../support/networks/memory-signer.ts';
import type { ContractHarness } from '../network/case.ts';
import { makeEvmMischief } from './evm-mischief.ts';

const CHAIN_ID = 31_337;
const DECIMALS = 6;
const STEP_MS = 1_000;
const GWEI = 10n ** 9n;
const NATIVE = 10n ** 18n;
/** Enough for many large payments one after another. */
const TREASURY_MINOR = 100_000_000n * 10n ** BigInt(DECIMALS);
const AGREE_FROM_MINOR = 500_000n * 10n ** BigInt(DECIMALS);
const KEY = 'treasury';
const PLAIN_GAS = 21_000n;

let running: Promise<LocalEvmChain> | undefined;

/** One chain for all cases; it ends with `stopEvmChain`. */
function sharedEvmChain(): Promise<LocalEvmChain> {
  running ??= startEvmChain({ chainId: CHAIN_ID, blockEveryMs: 0, finalityBlocks: 3, baseFee: GWEI });
  return running;
}

export async function stopEvmChain(): Promise<void> {
  await (await running)?.close();
  running = undefined;
}

export interface EvmStage {
  readonly local: LocalEvmChain;
  readonly settings: EvmSettings;
  readonly treasury: { readonly address: Address; readonly key: Hex };
  readonly token: Address;
  readonly clock: { now(): number; pass(ms: number): void };
  readonly troubles: string[];
  open(changes?: Partial<EvmSettings>): Promise<Network>;
  setUp(): Promise<NetworkSetUp>;
}

/** A funded treasury with its contracts, on the shared chain. */
async function makeEvmStage(): Promise<EvmStage> {
  const local = await sharedEvmChain();
  const { chain, urls } = local;
  const seed = randomUUID();
  const key: Hex = `0x${Buffer.from(memoryKey(KEY, seed)).toString('hex')}`;
  const treasury = { key, address: privateKeyToAccount(key).address };
  await chain.transact(chain.accounts[0]!, { to: treasury.address, value: 10n * NATIVE });
  const token = await chain.deployToken({ decimals: DECIMALS });
  const disperse = await chain.deployDisperse(treasury.address);
  const forwarderFactory = await chain.deployFactory(treasury.address);
  await chain.mint(token, treasury.address, TREASURY_MINOR);
  await chain.approve(token, treasury, disperse);
  let passedMs = 0;
  const clock = {
    now: () => Date.now() + passedMs,
    pass: (ms: number) => {
      passedMs += ms;
    },
  };
  const settings: EvmSettings = {
    family: 'evm',
    name: 'Polygon',
    mode: 'test',
    rpc: urls,
    assetCode: 'NGNC',
    decimals: DECIMALS,
    native: { asset: 'POL', decimals: 18 },
    key: KEY,
    confirmations: 3,
    finalAfterMs: 3 * STEP_MS,
    explorerTxUrl: 'https://explorer.example/tx/{hash}',
    agreeFromMinor: AGREE_FROM_MINOR,
    marks: { tokenMinor: 1n, nativeMinor: 1n },
    batch: 5,
    chainId: CHAIN_ID,
    token,
    disperse,
    forwarderFactory,
    firstBlock: BigInt(chain.head()),
    logBlocks: 20,
    // Far more than a slow machine needs for the steps between: the clock here goes on by itself, too.
    stuckAfterMs: 20 * STEP_MS,
    maxFeePerGas: 500n * GWEI,
  };
  const troubles: string[] = [];
  const signer = memorySigner(seed);
  const parts = { clock, signer, onTrouble: (message: string) => void troubles.push(message) };
  const open = (changes: Partial<EvmSettings> = {}) => openEvmNetwork({ ...settings, ...changes }, parts);
  const none = { disperse: NOT_DEPLOYED, forwarderFactory: NOT_DEPLOYED };
  const setUp = () => openEvmSetUp({ ...settings, ...none }, parts);
  return { local, settings, treasury, token, clock, troubles, open, setUp };
}

export interface EvmHarness extends ContractHarness {
  readonly stage: EvmStage;
}

export async function makeEvmHarness(): Promise<EvmHarness> {
  const stage = await makeEvmStage();
  const { local, settings, treasury, token, clock } = stage;
  const { chain, faults } = local;
  const [, customer] = chain.accounts;
  const targets = new Set<string>();
  const arrived = new Map<string, string>();
  const mischief = makeEvmMischief(stage);
  /** Remembers which deposit addresses were given away, as the service's own store does. */
  const watched = async (): Promise<Network> => {
    const network = await stage.open();
    return {
      ...network,
      depositTarget: (id) => {
        const target = network.depositTarget(id);
        targets.add(target.address);
        return target;
      },
    };
  };
  await chain.mint(token, customer!.address, TREASURY_MINOR);

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
    deposit: async (id, { address, amountMinor, ourToken = true }) => {
      const known = arrived.get(id);
      if (known !== undefined) return known;
      const sent = ourToken ? token : await chain.deployToken({ decimals: DECIMALS });
      if (!ourToken) await chain.mint(sent, customer!.address, amountMinor);
      const receipt = await chain.transfer(sent, customer!, getAddress(address), amountMinor);
      arrived.set(id, receipt.transactionHash);
      mischief.arrived(id, receipt.transactionHash);
      return receipt.transactionHash;
    },
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
      await chain.transact(customer!, { data: unreadableTransferTo(to as Address) });
    },
    lie: mischief.lie,
    lag: async ({ providers, ...lag }) => {
      // As the chain was when it began.
      const fault = { kind: 'paths-behind', ...lag, height: chain.head() } as const;
      const planned = faults.add(fault, providers === 'one' ? { on: 0 } : {});
      return async () => planned.clear();
    },
    steal: async (amountMinor) => {
      const receipt = await chain.transfer(token, treasury, customer!.address, amountMinor);
      return receipt.transactionHash;
    },
    close: async () => {
      faults.clear();
      await mischief.undo();
    },
  };
}

async function newWallet(): Promise<string> {
  return privateKeyToAccount(toHex(memoryKey(randomUUID()))).address;
}

/** Emptied by payments of its own, as somebody else with the key would. */
function pursesOf({
  local: { chain },
  treasury,
  token,
}: EvmStage): Pick<ContractHarness, 'treasury' | 'native'> {
  const bank = chain.accounts[0]!;
  return {
    treasury: {
      empty: async () =>
        void (await chain.transfer(
          token,
          treasury,
          bank.address,
          await chain.balanceOf(token, treasury.address),
        )),
      refill: () => chain.mint(token, treasury.address, TREASURY_MINOR),
    },
    native: {
      empty: async () => {
        const all = await chain.nativeBalanceOf(treasury.address);
        const value = all - PLAIN_GAS * 10n * GWEI;
        await chain.transact(treasury, { to: bank.address, value, gas: PLAIN_GAS });
      },
      refill: async () => void (await chain.transact(bank, { to: treasury.address, value: 10n * NATIVE })),
    },
  };
}

/** Code that runs once and leaves a transfer with a topic too many, as collectibles do. */
function unreadableTransferTo(to: Address): Hex {
  const topics = [pad('0x07'), pad(to), pad('0x01'), toEventSelector('Transfer(address,address,uint256)')];
  const pushes = topics.map((topic) => concat(['0x7f', topic]));
  return concat([...pushes, '0x5f', '0x5f', '0xa4', '0x00']);
}
