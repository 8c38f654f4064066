// One network of `npm run networks`. It has wallets that can receive and a customer who sends on request. It reads the real
// balance of a wallet from the chain itself.
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
  readonly chain: string;
  readonly token: string;
  readonly treasury: string;
  readonly settings: Readonly<Record<string, unknown>>;
  wallet(): Promise<string>;
  received(wallet: string): Promise<bigint>;
  /** The customer sends tokens and the call returns the hash. A second call with the same id is the same transfer. */
  deposit(id: string, arriving: TokensToSend): Promise<string>;
  /** Present if the owner of a wallet must take a step before the wallet can receive. Returns a wallet without that step. */
  unready?(): Promise<{ readonly wallet: string; makeReady(): Promise<void> }>;
  readonly troubles: readonly Trouble[];
  close(): Promise<void>;
}

export interface LocalNetworkOptions {
  readonly name: string;
  readonly decimals: number;
  /** The secret key of the treasury, 32 bytes. */
  readonly treasuryKey: Buffer;
  readonly ports: readonly [number, number];
  /** The approximate time between blocks in milliseconds. The exact time differs by network. */
  readonly paceMs: number;
}

/** A trillion tokens in minor units, if the network can store that many. */
export const TREASURY_TOKENS = 10n ** 12n;
export const CUSTOMER_TOKENS = 10n ** 11n;

/** Sends once for each id. A failed transfer was not sent, so the caller may retry it. */
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
