// One network of `npm run networks` for a person who tries it out: wallets that can receive, a customer who
// sends what he is asked to send, and what a wallet really holds, read from the chain itself.
import type { Trouble } from './trouble.ts';

export interface TokensToSend {
  readonly address: string;
  readonly memo: string | null;
  readonly amountMinor: bigint;
}

export interface LocalNetwork {
  readonly name: string;
  readonly family: 'evm' | 'solana' | 'stellar';
  readonly decimals: number;
  readonly urls: readonly [string, string];
  /** What tells this chain from others of its kind, for people. */
  readonly chain: string;
  readonly token: string;
  readonly treasury: string;
  /** What the networks file says of it besides what all have. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** A new one that can receive. */
  wallet(): Promise<string>;
  /** The wallet's tokens, as far as they are in a block. */
  received(wallet: string): Promise<bigint>;
  /** The customer sends tokens. Asked again under the same id it is the same transfer. Answers its hash. */
  deposit(id: string, arriving: TokensToSend): Promise<string>;
  /** Where receiving takes something of the wallet's owner: a wallet of one who has not done it yet. */
  unready?(): Promise<{ readonly wallet: string; makeReady(): Promise<void> }>;
  /** What can be made to go wrong on it. */
  readonly troubles: readonly Trouble[];
  close(): Promise<void>;
}

export interface LocalNetworkOptions {
  readonly name: string;
  readonly decimals: number;
  /** The 32 secret bytes of the treasury. */
  readonly treasuryKey: Buffer;
  readonly ports: readonly [number, number];
  /** From one block to the next, roughly: each network has its own measure. */
  readonly paceMs: number;
}

/** A trillion, where a network can hold so many. */
export const TREASURY_TOKENS = 10n ** 12n;
export const CUSTOMER_TOKENS = 10n ** 11n;

/** Each id sends once. What failed was not sent and may be tried again. */
export function sendOncePerId(
  send: (arriving: TokensToSend, id: string) => Promise<string>,
): (id: string, arriving: TokensToSend) => Promise<string> {
  const sent = new Map<string, Promise<string>>();
  return (id, arriving) => {
    const known = sent.get(id);
    if (known !== undefined) return known;
    const sending = send(arriving, id);
    sent.set(id, sending);
    sending.catch(() => sent.delete(id));
    return sending;
  };
}
