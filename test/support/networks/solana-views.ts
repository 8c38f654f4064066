// Solana providers made by hand, each with its own view of the chain: what it has, how far it is behind and what it answers
// about one payment. For the proofs of the sending tests.
import { address } from '@solana/kit';
import { makeProviders } from '../../../src/adapters/networks/providers/providers.ts';
import type { SolanaSettings } from '../../../src/adapters/networks/settings/settings.ts';
import { makeConfirm } from '../../../src/adapters/networks/solana/observe/confirm.ts';
import { makeSending } from '../../../src/adapters/networks/solana/pay/sending.ts';
import type { SolanaChain } from '../../../src/adapters/networks/solana/rpc/chain.ts';
import type { SolanaClient, Status } from '../../../src/adapters/networks/solana/rpc/client.ts';
import {
  type Mint,
  TOKEN_PROGRAMS,
  tokenAccountOf,
} from '../../../src/adapters/networks/solana/rpc/token-account.ts';
import type { Prepared } from '../../../src/ports/network/pays.ts';
import { clockAccount } from './solana-clock.ts';

const MINT = { address: address('So11111111111111111111111111111111111111112'), program: TOKEN_PROGRAMS[0]! };
export const OTHER_MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
export const OWNER = address('Vote111111111111111111111111111111111111111');
export const TREASURY_ACCOUNT = await tokenAccountOf(
  MINT as Mint,
  address('Stake11111111111111111111111111111111111111'),
);
const RECIPIENT = await tokenAccountOf(MINT as Mint, OWNER);

export const BOUND = 1_000n;
export const SLOT = 5_000n;
export const LARGE = 500n;
/** Slots and heights are different numbers: some slots of the past had no block. */
export const SLOTS_AHEAD = 4_110n;
/** Bytes may land in one block more than the bound says. */
export const PAST = BOUND + 2n;

function preparedOf(amount: bigint): Prepared {
  const payments = [{ account: RECIPIENT, change: `${amount}`, opens: true }];
  const payload = JSON.stringify({ wire: 'bytes', blockhash: 'blockhash', slot: `${SLOT - 40n}`, payments });
  return { hash: 'hash', source: 'treasury', sequence: null, payload, bound: `${BOUND}`, signedAtMs: 0 };
}

/** A provider's view, each part of which a test may change. */
export interface View {
  statuses: (Status | null)[];
  /** Of the newest final block. */
  height: bigint;
  /** The slot that answers about statuses name; null: the newest one. */
  statusSlot: bigint | null;
  usable: boolean;
  /** Blocks that the server that lists blocks, and the one that has statuses, know nothing of, by slot. */
  unlisted: (slot: bigint) => boolean;
  unknown: (slot: bigint) => boolean;
  /** What is in a block. */
  content: readonly ((slot: bigint) => string)[];
  /** What the recipient got, by the transaction itself; null: it is not shown. */
  shown: bigint | null;
  /** Which token it was, and which account got it. */
  mint: string;
  recipient: string;
  away: boolean;
  /** For how long no block has become final there. */
  stillMs: number;
  readonly calls: string[];
}

export const landed = (changes: Partial<Status> = {}): Status => ({
  slot: SLOT,
  final: true,
  confirmations: 0,
  failure: null,
  ...changes,
});

export function viewOf(changes: Partial<View> = {}): View {
  const none = () => false;
  const past = { height: PAST, statusSlot: null, usable: false, unlisted: none, unknown: none };
  const content = [vote, vote, other, vote];
  const what = { content, shown: null, mint: MINT.address, recipient: RECIPIENT };
  return { statuses: [null], ...past, ...what, away: false, stillMs: 0, calls: [], ...changes };
}

function clientOf(view: View, nowMs: () => number): SolanaClient {
  const asked = <Answer>(name: string, answer: () => Answer) => {
    view.calls.push(name);
    return view.away ? Promise.reject(new Error('away')) : Promise.resolve(answer());
  };
  return {
    statuses: (signatures) =>
      asked('status', () => {
        const ours = view.statuses.length > 1 ? view.statuses.shift()! : view.statuses[0]!;
        const votes = signatures.slice(1).map((each) => voteStatus(view, each));
        return { slot: view.statusSlot ?? view.height + SLOTS_AHEAD + 20n, found: [ours, ...votes] };
      }),
    finalized: () => asked('height', () => ({ height: view.height, slot: view.height + SLOTS_AHEAD })),
    isUsable: () => asked('usable', () => view.usable),
    blocksFrom: (slot, limit) => asked('blocks', () => blocksOf(view, slot, limit)),
    block: (slot) =>
      asked('block', () => ({
        height: slot - SLOTS_AHEAD,
        signatures: view.content.map((each) => each(slot)),
      })),
    send: () => asked('send', () => 'hash'),
    accounts: () => asked('clock', () => [clockAccount(nowMs() - view.stillMs)]),
    transaction: () => asked('transaction', () => transactionOf(view)),
  } as Partial<SolanaClient> as SolanaClient;
}

function blocksOf({ height, unlisted }: View, from: bigint, limit: number): readonly bigint[] {
  const slots: bigint[] = [];
  for (let slot = from; slot <= height + SLOTS_AHEAD && slots.length < limit; slot++)
    if (!unlisted(slot)) slots.push(slot);
  return slots;
}

/** Votes are not kept; other transactions are named by their slot. */
function voteStatus({ unknown }: View, signature: string): Status | null {
  if (signature.startsWith('vote')) return null;
  const slot = BigInt(signature);
  return unknown(slot) ? null : landed({ slot });
}

export const vote = (slot: bigint) => `vote ${slot}`;
export const other = (slot: bigint) => `${slot}`;

function transactionOf({ shown, mint, recipient, statuses }: View) {
  if (shown === null) return null;
  const balance = (accountIndex: number, amount: bigint) => ({
    accountIndex,
    mint,
    uiTokenAmount: { amount: `${amount}` },
  });
  return {
    slot: SLOT,
    meta: {
      err: statuses[0]?.failure ?? null,
      fee: 5_000n,
      preBalances: [9n, 0n],
      postBalances: [9n, 2_039_280n],
      preTokenBalances: [balance(0, 10_000n)],
      postTokenBalances: [balance(0, 10_000n - shown), balance(1, shown)],
    },
    transaction: { message: { accountKeys: [TREASURY_ACCOUNT, recipient] } },
  };
}

export function stage(...views: View[]) {
  let nowMs = 1_000_000;
  const troubles: string[] = [];
  const clock = { now: () => nowMs };
  const urls = views.map((_, index) => `http://provider-${index}`);
  const chain = {
    settings: { agreeFromMinor: LARGE, native: { asset: 'SOL', decimals: 9 } } as SolanaSettings,
    providers: makeProviders(urls, (url) => clientOf(views[urls.indexOf(url)]!, clock.now), {
      clock,
      onTrouble: () => undefined,
    }),
    mint: MINT,
    treasuryAccount: TREASURY_ACCOUNT,
    clock,
    onTrouble: (message: string) => void troubles.push(message),
  } as unknown as SolanaChain;
  const { ask, broadcast } = makeSending(chain, { expired: () => undefined });
  return {
    troubles,
    broadcast: () => broadcast(preparedOf(100n)),
    ask: (amount = 100n) => ask({ versions: [preparedOf(amount)], orderIds: ['order'] }),
    confirm: (amountMinor: bigint) =>
      makeConfirm(chain)({ txHash: 'hash', txIndex: 1, address: OWNER, memo: null, amountMinor }),
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}
