// An EVM adapter on fake providers, and the logs, receipts and payments that tests of proofs give them. The behaviour of a
// complete chain is tested on a local chain. Also observation on such providers, round after round.

import assert from 'node:assert/strict';
import { getAddress, type Hex, keccak256, pad, toHex } from 'viem';
import { openEvmNetwork } from '../../../src/adapters/networks/evm/open.ts';
import {
  type EvmLog,
  ProviderFailure,
  type Receipt,
  readReceipt,
} from '../../../src/adapters/networks/evm/rpc/answers.ts';
import { addressTopic, TRANSFER } from '../../../src/adapters/networks/evm/rpc/contracts.ts';
import type { EvmSettings } from '../../../src/adapters/networks/settings/settings.ts';
import type { Network } from '../../../src/ports/networks/network.ts';
import type { DepositAddresses, DepositObservation } from '../../../src/ports/networks/network-observer.ts';
import type { Payment } from '../../../src/ports/networks/network-payer.ts';
import type { Signer } from '../../../src/ports/signer.ts';
import { clientOf, type FakeProvider, hashAt, START_MS, TREASURY } from './evm-fake-provider.ts';
import { memorySigner } from './memory-signer.ts';

export const TOKEN: Hex = `0x${'70'.repeat(20)}`;
export const DISPERSE: Hex = `0x${'d1'.repeat(20)}`;
export const FACTORY: Hex = `0x${'fa'.repeat(20)}`;
export const WALLETS: readonly Hex[] = [1, 2, 3, 4, 5, 6].map((n) => `0x${`a${n}`.repeat(20)}` as Hex);

const SETTINGS: EvmSettings = {
  family: 'evm',
  name: 'Polygon',
  mode: 'test',
  rpc: ['https://one.example/secret-one', 'https://two.example/secret-two', 'https://three.example/secret'],
  assetCode: 'NGNC',
  decimals: 6,
  native: { asset: 'POL', decimals: 18 },
  key: 'treasury',
  confirmations: 10,
  finalAfterMs: 5_000,
  explorerTxUrl: null,
  agreeFromMinor: 1_000_000n,
  marks: { tokenMinor: 0n, nativeMinor: 0n },
  batch: 10,
  chainId: 137,
  token: TOKEN,
  disperse: DISPERSE,
  forwarderFactory: FACTORY,
  firstBlock: 90n,
  logBlocks: 5,
  stuckAfterMs: 60_000,
  maxFeePerGas: 500n * 10n ** 9n,
};

export interface FakeStage {
  readonly network: Network;
  readonly troubles: { readonly message: string; readonly detail: Readonly<Record<string, unknown>> }[];
  pass(ms: number): void;
}

export async function openOn(
  providers: readonly FakeProvider[],
  { settings = {}, signer = memorySigner() }: { settings?: Partial<EvmSettings>; signer?: Signer } = {},
): Promise<FakeStage> {
  const troubles: FakeStage['troubles'] = [];
  let nowMs = START_MS;
  const rpc = SETTINGS.rpc.slice(0, providers.length);
  const network = await openEvmNetwork(
    { ...SETTINGS, rpc, ...settings },
    {
      clock: { now: () => nowMs },
      signer,
      onTrouble: (message, detail) => void troubles.push({ message, detail }),
    },
    (url) => clientOf(providers[rpc.indexOf(url)]!),
  );
  for (const each of providers) each.asked.length = 0;
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { network, troubles, pass };
}

export function payOne(to: Hex, amountMinor: bigint, changes: Partial<Payment> = {}): Payment {
  return {
    orderId: `mov_${to}_${amountMinor}`,
    about: null,
    to,
    amountMinor,
    alone: false,
    opensAccount: true,
    from: null,
    ...changes,
  };
}

export const NO_TURN = { lastSequence: null, live: 0, inFlightMinor: 0n };

export function transferLog(
  { from = TREASURY, to, amountMinor }: { from?: Hex; to: Hex; amountMinor: bigint },
  changes: Partial<EvmLog> = {},
): EvmLog {
  return {
    address: TOKEN,
    topics: [TRANSFER, addressTopic(from), addressTopic(to)],
    data: pad(toHex(amountMinor)),
    block: 95n,
    blockHash: hashAt('main', 95n),
    txHash: keccak256(toHex('a transaction')),
    index: 0,
    ...changes,
  };
}

export function receiptOf(hash: string, logs: readonly EvmLog[], changes: Partial<Receipt> = {}): Receipt {
  return {
    hash: hash as Hex,
    block: 95n,
    blockHash: hashAt('main', 95n),
    success: true,
    gasUsed: 50_000n,
    gasPrice: 3n,
    logs,
    ...changes,
  };
}

export const [OURS, STRANGER, SENDER] = WALLETS as [Hex, Hex, Hex];
export const watching = (...addresses: readonly Hex[]): DepositAddresses => {
  const ours = new Set(addresses.map((each) => getAddress(each) as string));
  return {
    recent: async () => [...ours],
    ours: async (asked) => new Set(asked.filter((each) => ours.has(each))),
  };
};
export const txOf = (name: string) => keccak256(toHex(name));

export function happens(
  provider: FakeProvider,
  name: string,
  block: bigint,
  logs: readonly Partial<EvmLog>[],
  { firstIndex = 0, nonce = 1 } = {},
): Hex {
  const hash = txOf(name);
  const blockHash = hashAt(provider.fork, block);
  const written = logs.map((log, at) => ({
    ...transferLog({ from: SENDER, to: OURS, amountMinor: 100n }),
    ...log,
    block,
    blockHash,
    txHash: hash,
    index: firstIndex + at,
  }));
  provider.logs.push(...written);
  provider.receipts.set(hash, receiptOf(hash, written, { block, blockHash }));
  provider.transactions.set(hash, { from: SENDER, nonce });
  return hash;
}

export function forget(provider: FakeProvider, hash: Hex): void {
  provider.logs.splice(0, provider.logs.length, ...provider.logs.filter(({ txHash }) => txHash !== hash));
  provider.receipts.delete(hash);
  provider.transactions.delete(hash);
}

// Observes deposits on fake EVM providers, round after round, for the tests of scans and of missing receipts.

export const WATCH = watching(OURS);
export const hashesOf = ({ sightings }: DepositObservation) => sightings.map(({ txHash }) => txHash);

export function senseless(): Error {
  try {
    readReceipt({});
  } catch (error) {
    return error as Error;
  }
  throw new Error('it was read');
}

/** Observes again and again, and returns the last result; undefined if every round failed. */
export async function rounds(
  { network, pass }: FakeStage,
  count: number,
  everyMs: number,
  position: string | null = null,
) {
  for (let round = 0; round < count; round++) {
    if (round > 0) pass(everyMs);
    const observed = await network.observe(position, WATCH).catch((error) => {
      assert.ok(error instanceof ProviderFailure);
    });
    if (observed !== undefined) return observed;
  }
  return undefined;
}
