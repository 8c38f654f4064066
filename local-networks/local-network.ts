// One network of `npm run networks`: wallets that can receive, a customer who sends on request, and the real balance of a wallet,
// read from the chain itself.
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
  /** A description that distinguishes this chain from others of its kind. */
  readonly chain: string;
  readonly token: string;
  readonly treasury: string;
  /** The additional fields of this network in the networks file. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** A new wallet that can receive. */
  wallet(): Promise<string>;
  /** The tokens that the wallet has received in a block. */
  received(wallet: string): Promise<bigint>;
  /** The customer sends tokens. A second call with the same id is the same transfer. Returns its hash. */
  deposit(id: string, arriving: TokensToSend): Promise<string>;
  /** Present if a wallet's owner must take a step before it can receive: returns a wallet without that step. */
  unready?(): Promise<{ readonly wallet: string; makeReady(): Promise<void> }>;
  /** Its possible troubles. */
  readonly troubles: readonly Trouble[];
  close(): Promise<void>;
}

export interface LocalNetworkOptions {
  readonly name: string;
  readonly decimals: number;
  /** The treasury's secret key of 32 bytes. */
  readonly treasuryKey: Buffer;
  readonly ports: readonly [number, number];
  /** The approximate time between blocks; the exact time differs by network. */
  readonly paceMs: number;
}

/** A trillion tokens, if the network can store that many. */
export const TREASURY_TOKENS = 10n ** 12n;
export const CUSTOMER_TOKENS = 10n ** 11n;

/** Each id sends once. A failed transfer was not sent and may be retried. */
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
