// Fake Solana providers, each with its own view of the chain: which blocks it has, how far it lags, and what it returns about
// one payment. The tests of proofs about sends use these providers.
import { type Address, address } from '@solana/kit';
import { makeProviders } from '../../../src/adapters/networks/providers/providers.ts';
import type { SolanaSettings } from '../../../src/adapters/networks/settings/settings.ts';
import { makeConfirm } from '../../../src/adapters/networks/solana/observe/confirm.ts';
import { makeBroadcastAndAsk } from '../../../src/adapters/networks/solana/pay/broadcast-and-ask.ts';
import type { SolanaChain } from '../../../src/adapters/networks/solana/rpc/chain.ts';
import type {
  ChainAccount,
  SignatureStatus,
  SolanaClient,
} from '../../../src/adapters/networks/solana/rpc/client.ts';
import {
  type Mint,
  TOKEN_PROGRAMS,
  tokenAccountOf,
} from '../../../src/adapters/networks/solana/rpc/token-account.ts';
import type { SignedTransaction } from '../../../src/ports/networks/network-payer.ts';

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
/** Slots and block heights are different numbers, because some past slots had no block. */
export const SLOTS_AHEAD = 4_110n;
/** Signed bytes may still land one block after the bound, so this height is two blocks after it. */
export const PAST = BOUND + 2n;

function preparedOf(amount: bigint): SignedTransaction {
  const payments = [{ account: RECIPIENT, change: `${amount}`, opens: true }];
  const payload = JSON.stringify({ wire: 'bytes', blockhash: 'blockhash', slot: `${SIGNED_AT}`, payments });
  return { hash: 'hash', source: 'treasury', sequence: null, payload, bound: `${BOUND}`, signedAtMs: 0 };
}

/** A provider's view of the chain. A test may change each part. */
export interface View {
  statuses: (SignatureStatus | null)[];
  /** The height of the newest final block. */
  height: bigint;
  usable: boolean;
  /** `unlisted`: slots of blocks that are missing from the provider's list. `unread`: slots of blocks that cannot be read. */
  unlisted: (slot: bigint) => boolean;
  unread: (slot: bigint) => boolean;
  content: (slot: bigint) => readonly string[];
  /** The provider is on another chain from this slot on. */
  forkFrom: bigint | null;
  /** The amount that the recipient got according to the transaction; null if the provider does not show it. */
  shown: bigint | null;
  /** The token of the payment, and the account that received it. */
  mint: string;
  recipient: string;
  away: boolean;
  /** The time since the provider's last block became final. */
  stillMs: number;
  readonly calls: string[];
}

export const landed = (changes: Partial<SignatureStatus> = {}): SignatureStatus => ({
  slot: SLOT,
  final: true,
  confirmations: 0,
  failure: null,
  ...changes,
});

export function viewOf(changes: Partial<View> = {}): View {
  const none = () => false;
  const past = { height: PAST, usable: false, unlisted: none, unread: none, forkFrom: null };
  const content = () => ['vote', 'other'];
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
        return { slot: view.height + SLOTS_AHEAD + 20n, found: signatures.map(() => ours) };
      }),
    finalized: () => asked('height', () => ({ height: view.height, slot: view.height + SLOTS_AHEAD })),
    isUsable: () => asked('usable', () => view.usable),
    blocksFrom: (slot, limit) => asked('blocks', () => blocksOf(view, slot, limit)),
    block: (slot) => asked('block', () => (view.unread(slot) ? undefined : blockOf(view, slot))),
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

export const SIGNED_AT = SLOT - 40n;

function blockOf({ content, forkFrom }: View, slot: bigint) {
  const hashOf = (of: bigint) =>
    of === SIGNED_AT ? 'blockhash' : `${of}${forkFrom !== null && of >= forkFrom ? ' fork' : ''}`;
  return {
    height: slot - SLOTS_AHEAD,
    hash: hashOf(slot),
    parentHash: hashOf(slot - 1n),
    parentSlot: slot - 1n,
    signatures: content(slot),
  };
}

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
      err: statuses.findLast((each) => each !== null)?.failure ?? null,
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
  const { ask, broadcast, shows } = makeBroadcastAndAsk(chain, { expired: () => undefined });
  return {
    troubles,
    broadcast: () => broadcast(preparedOf(100n)),
    ask: (amount = 100n) => ask({ versions: [preparedOf(amount)], orderIds: ['order'] }),
    shows: () => shows({ versions: [preparedOf(100n)], orderIds: ['order'] }),
    confirm: (amountMinor: bigint) =>
      makeConfirm(chain)({ txHash: 'hash', txIndex: 1, address: OWNER, memo: null, amountMinor }),
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

// The account in which a Solana chain stores its time, as a provider returns it.

export const CLOCK_ADDRESS = 'SysvarC1ock11111111111111111111111111111111';

export function clockAccount(atMs: number): ChainAccount {
  const data = Buffer.alloc(40);
  data.writeBigInt64LE(BigInt(Math.floor(atMs / 1_000)), 32);
  return {
    program: 'Sysvar1111111111111111111111111111111111111' as Address,
    executable: false,
    lamports: 1_169_280n,
    data: new Uint8Array(data),
  };
}
