// Reads what came to one token account since a mark. The mark moves only over what is final, oldest first, and never past
// a transaction that could not be fetched.

import { textOf } from './json-text.ts';
import { type Landed, readLanded, senderOf, Unreadable } from './landed.ts';
import type { Mark } from './position.ts';
import type { HistoryEntry, SolanaClient } from './rpc.ts';
import { HISTORY_PAGE } from './rpc-history.ts';

/** Transactions fetched at one go; the rest follows in the next. */
const AT_ONCE = 200;
const RAW_LENGTH = 4_000;

export interface Arrival {
  readonly txHash: string;
  readonly txIndex: number;
  readonly mint: string;
  readonly sender: string | null;
  readonly amountMinor: bigint;
  readonly final: boolean;
}

export interface Read {
  readonly mark: Mark;
  readonly arrivals: readonly Arrival[];
  readonly unreadable: readonly { readonly reason: string; readonly raw: string }[];
  /** Whether there was anything after the mark. */
  readonly news: boolean;
  /** Not all of it was read: there is more. */
  readonly more: boolean;
  /** A transaction that is listed and was not to be had. */
  readonly missing: string | null;
}

export async function readHistory(
  client: SolanaClient,
  account: string,
  mark: Mark,
  isOwn: (signature: string) => boolean = () => false,
): Promise<Read> {
  const listed = await listSince(client, account, mark);
  const arrivals: Arrival[] = [];
  const unreadable: { reason: string; raw: string }[] = [];
  const told = new Set(mark.seen);
  let { last, slot } = mark;
  const seen: string[] = [];
  let missing: string | null = null;
  for (const entry of listed.slice(0, AT_ONCE)) {
    const { signature, final, failed } = entry;
    if (!failed && !told.has(signature) && !isOwn(signature)) {
      const raw = await client.transaction(signature, 'confirmed');
      if (raw === null) {
        missing = signature;
        break;
      }
      try {
        arrivals.push(...arrivalsIn(readLanded(raw), account, entry));
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        unreadable.push({ reason: error.message, raw: `${signature} ${textOf(raw)}`.slice(0, RAW_LENGTH) });
      }
    }
    if (final && seen.length === 0) {
      last = signature;
      slot = `${entry.slot}`;
    } else seen.push(signature);
  }
  return {
    mark: { last, slot, seen },
    arrivals,
    unreadable,
    news: listed.length > 0,
    more: listed.length > AT_ONCE,
    missing,
  };
}

/** The oldest first. */
async function listSince(
  client: SolanaClient,
  account: string,
  { last, slot }: Mark,
): Promise<readonly HistoryEntry[]> {
  const listed: HistoryEntry[] = [];
  for (let before: string | null = null; ; before = listed.at(-1)!.signature) {
    const page = await client.history(account, { until: last, before });
    listed.push(...page);
    if (page.length < HISTORY_PAGE) break;
  }
  // A provider that does not know the mark yet begins at the beginning: what is older has been read.
  return listed.filter((each) => each.slot >= BigInt(slot) && each.signature !== last).toReversed();
}

function arrivalsIn(landed: Landed, account: string, { signature, final }: HistoryEntry): readonly Arrival[] {
  if (landed.failed) return [];
  return landed.tokens
    .filter((each) => each.account === account && each.afterMinor > each.beforeMinor)
    .map(({ index, mint, beforeMinor, afterMinor }) => ({
      txHash: signature,
      txIndex: index,
      mint,
      sender: senderOf(landed, mint),
      amountMinor: afterMinor - beforeMinor,
      final,
    }));
}
