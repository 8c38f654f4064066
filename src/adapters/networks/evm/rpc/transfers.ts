// Reads transfers of tokens out of logs. Anybody can write a log that looks like one, so everything about it is checked, and
// which token it is about is told by the contract that wrote it.
import type { Hex } from 'viem';
import type { Log } from './answers.ts';
import { TRANSFER } from './contracts.ts';

export interface Transfer {
  readonly from: Hex;
  readonly to: Hex;
  readonly amountMinor: bigint;
}

/** More than this no book has room for, and no token has. */
const MOST_MINOR = 10n ** 38n;
const WORD = /^0x[0-9a-f]{64}$/;
const ADDRESS_WORD = /^0x0{24}[0-9a-f]{40}$/;

export function isTransfer(log: Log): boolean {
  return log.topics[0] === TRANSFER;
}

/** Whom it is for, where that can be read, whatever else is wrong with it. */
export function recipientOf({ topics }: Log): Hex | undefined {
  const [, , to] = topics;
  return to !== undefined && ADDRESS_WORD.test(to) ? addressIn(to) : undefined;
}

/** A text says why it is none. */
export function readTransfer({ topics, data }: Log): Transfer | string {
  const [, from, to] = topics;
  if (topics.length !== 3) return `a transfer has 3 topics, this has ${topics.length}`;
  if (!ADDRESS_WORD.test(from!) || !ADDRESS_WORD.test(to!)) return 'its addresses are none';
  if (!WORD.test(data)) return 'its amount is none';
  const amountMinor = BigInt(data);
  if (amountMinor >= MOST_MINOR) return 'its amount is beyond all measure';
  return { from: addressIn(from!), to: addressIn(to!), amountMinor };
}

function addressIn(word: Hex): Hex {
  return `0x${word.slice(26)}`;
}
