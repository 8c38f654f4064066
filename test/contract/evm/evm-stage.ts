// Runs the local chain for the EVM contract cases. All cases share one chain with two providers. Each case has a treasury with
// its own contracts, and a clock that the case moves.
import { randomUUID } from 'node:crypto';
import type { Address, Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { type LocalEvmChain, startEvmChain } from '../../../local-networks/evm/start.ts';
import { openEvmNetwork } from '../../../src/adapters/networks/evm/open.ts';
import { openEvmSetUp } from '../../../src/adapters/networks/evm/set-up.ts';
import { type EvmSettings, NOT_DEPLOYED } from '../../../src/adapters/networks/settings/settings.ts';
import type { Network } from '../../../src/ports/networks/network.ts';
import type { NetworkSetUp } from '../../../src/ports/networks/set-up.ts';
import { memoryKey, memorySigner } from '../../support/networks/memory-signer.ts';
import type { ContractHarness } from '../network/case.ts';

const CHAIN_ID = 31_337;
export const DECIMALS = 6;
export const STEP_MS = 1_000;
const GWEI = 10n ** 9n;
const NATIVE = 10n ** 18n;
export const TREASURY_MINOR = 100_000_000n * 10n ** BigInt(DECIMALS);
const AGREE_FROM_MINOR = 500_000n * 10n ** BigInt(DECIMALS);
const KEY = 'treasury';
const PLAIN_GAS = 21_000n;

let running: Promise<LocalEvmChain> | undefined;

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

export async function makeEvmStage(): Promise<EvmStage> {
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
  let nowMs = Date.now();
  const clock = {
    now: () => nowMs,
    pass: (ms: number) => {
      nowMs += ms;
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

/**
 * Empties and refills the treasury's tokens and native coin. Real payments empty them, as if another holder of the key had
 * signed.
 */
export function pursesOf({
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
