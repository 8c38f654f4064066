// Reads token transfers from logs. Any contract can write a log that looks like a transfer, so every field is checked. The
// token is the address of the contract that wrote the log.
import type { Hex } from 'viem';
import type { EvmLog } from './answers.ts';
import { TRANSFER } from './contracts.ts';

export interface Erc20Transfer {
  readonly from: Hex;
  readonly to: Hex;
  readonly amountMinor: bigint;
}

/** The ledger cannot store more than this, and no token has such an amount. */
const MOST_MINOR = 10n ** 38n;
const WORD = /^0x[0-9a-f]{64}$/;
const ADDRESS_WORD = /^0x0{24}[0-9a-f]{40}$/;

export function isTransfer(log: EvmLog): boolean {
  return log.topics[0] === TRANSFER;
}

/** The recipient if it can be read, even if other parts of the log are invalid. */
export function recipientOf({ topics }: EvmLog): Hex | undefined {
  const [, , to] = topics;
  return to !== undefined && ADDRESS_WORD.test(to) ? addressIn(to) : undefined;
}

/** Returns the reason as text if the log is not a valid transfer. */
export function readTransfer({ topics, data }: EvmLog): Erc20Transfer | string {
  const [, from, to] = topics;
  if (topics.length !== 3) return `a transfer has 3 topics, but this one has ${topics.length}`;
  if (!ADDRESS_WORD.test(from!) || !ADDRESS_WORD.test(to!)) return 'its addresses are invalid';
  if (!WORD.test(data)) return 'its amount is invalid';
  const amountMinor = BigInt(data);
  if (amountMinor >= MOST_MINOR) return 'its amount is too large';
  return { from: addressIn(from!), to: addressIn(to!), amountMinor };
}

function addressIn(word: Hex): Hex {
  return `0x${word.slice(26)}`;
}
