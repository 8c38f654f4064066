// Reads the tokens that arrived at one token account since a mark. The mark moves from old to new, only past final
// transactions, and never past a transaction that could not be fetched. The balance before each transaction must equal the
// balance after the previous one. Otherwise transactions are missing in the list, and only this check can find that.

import type { Sighting } from '../../../../ports/networks/network-observer.ts';
import { jsonTextOf, type SolanaChain } from '../rpc/chain.ts';
import type { HistoryEntry, SolanaClient } from '../rpc/client.ts';
import { listHistoryFrom } from '../rpc/history-calls.ts';
import {
  type LandedTransaction,
  readLandedTransaction,
  senderOf,
  UnreadableTransaction,
} from '../rpc/landed-transaction.ts';
import type { BalanceMark, HistoryMark, ObserverPosition } from './position.ts';

/** The maximum number of transactions that one turn fetches. The next turn fetches the remaining ones. */
const AT_ONCE = 200;
const RAW_LENGTH = 4_000;
const GAP = 'tokens came to a deposit address or left it by transactions that the provider does not list';

export interface TokenArrival {
  readonly txHash: string;
  readonly txIndex: number;
  readonly mint: string;
  readonly sender: string | null;
  readonly amountMinor: bigint;
  readonly final: boolean;
  readonly chainAtMs: number | null;
}

export interface AccountHistory {
  readonly mark: HistoryMark;
  readonly arrivals: readonly TokenArrival[];
  readonly unreadable: readonly { readonly reason: string; readonly raw: string }[];
  /** Whether the history had transactions after the mark. */
  readonly news: boolean;
  readonly more: boolean;
  /** A listed transaction that could not be fetched. Null if all were fetched. */
  readonly missing: string | null;
  /**
   * A transaction whose starting balance differs from the balance after the previous one, because some transactions are not
   * listed.
   */
  readonly gap: string | null;
  /** The balance of the account after the last transaction read. Null means that it is not known. */
  readonly heldMinor: bigint | null;
  readonly passedFailed: boolean;
}

export interface HistoryOptions {
  readonly isOwn?: (signature: string) => boolean;
  /**
   * How to handle a history in which transactions are missing. The history of a server may have a gap, temporarily or
   * permanently.
   */
  readonly gaps?: 'ignore' | 'wait' | 'pass';
  /** Whether to fetch transactions that are listed as failed, because the list may be wrong. */
  readonly doubtsFailed?: boolean;
}

export async function readHistory(
  client: SolanaClient,
  account: string,
  mark: HistoryMark,
  { isOwn = () => false, gaps = 'ignore', doubtsFailed = false }: HistoryOptions = {},
): Promise<AccountHistory> {
  const listed = await listHistoryFrom(client, account, { last: mark.last, slot: BigInt(mark.slot) });
  const arrivals: TokenArrival[] = [];
  const unreadable: { reason: string; raw: string }[] = [];
  const reported = new Map(mark.seen.map((each, index) => [each, parseHeldAmount(mark.seenAfter?.[index])]));
  let { last, slot, after = null } = mark;
  let changed: BalanceMark = mark.changed ?? { last, slot, after };
  let held: BalanceSoFar = { minor: parseHeldAmount(after), slot: BigInt(slot) };
  const seen: string[] = [];
  const seenAfter: (string | null)[] = [];
  let missing: string | null = null;
  let gap: string | null = null;
  for (const entry of listed.slice(0, AT_ONCE)) {
    const { signature, final, failed } = entry;
    let { minor } = held;
    if (reported.has(signature)) minor = reported.get(signature)!;
    else if (isOwn(signature)) minor = null;
    else if (!failed || doubtsFailed) {
      const raw = await client.transaction(signature, 'confirmed');
      if (raw === null) {
        missing = signature;
        break;
      }
      const one = readHistoryEntry(raw, account, entry, held);
      if (one.gap !== null && gaps !== 'ignore') {
        gap = signature;
        if (gaps === 'wait') break;
        unreadable.push(one.gap);
      }
      arrivals.push(...one.arrivals);
      unreadable.push(...one.unreadable);
      minor = one.minor;
    }
    const text = minor === null ? null : `${minor}`;
    if (final && seen.length === 0) {
      last = signature;
      slot = `${entry.slot}`;
      after = text;
      if (minor !== held.minor) changed = { last, slot, after };
    } else {
      seen.push(signature);
      seenAfter.push(text);
    }
    held = { minor, slot: entry.slot };
  }
  const news = listed.length > 0;
  const passedFailed = !doubtsFailed && listed.some(({ failed }) => failed);
  const more = listed.length > AT_ONCE;
  // The missing transaction comes after the last known change, so the mark moves back to that change.
  const passed =
    gap !== null && gaps === 'wait'
      ? { ...changed, seen: [], seenAfter: [] }
      : { last, slot, after, seen, seenAfter };
  const known = { news, more, missing, gap, heldMinor: held.minor, passedFailed };
  return { mark: { ...passed, changed }, arrivals, unreadable, ...known };
}

/**
 * The balance of an account after the transactions read so far, and the slot of the last of them. Null means that it is not
 * known.
 */
interface BalanceSoFar {
  readonly minor: bigint | null;
  readonly slot: bigint;
}

function readHistoryEntry(raw: unknown, account: string, entry: HistoryEntry, held: BalanceSoFar) {
  const { signature } = entry;
  try {
    const landed = readLandedTransaction(raw);
    const change = landed.tokens.find((each) => each.account === account);
    if (landed.failed && change !== undefined && change.afterMinor !== change.beforeMinor)
      throw new Error('the provider lists a transaction as failed although it changed a balance');
    // Some servers list the transactions of one slot in a different order from the block.
    const known = held.minor !== null && held.slot !== entry.slot;
    const fits = change === undefined || !known || change.beforeMinor === held.minor;
    const facts = { account, signature, held: held.minor, found: change?.beforeMinor };
    return {
      arrivals: arrivalsIn(landed, account, entry),
      unreadable: [],
      minor: change === undefined ? held.minor : change.afterMinor,
      gap: fits ? null : { reason: GAP, raw: jsonTextOf(facts) },
    };
  } catch (error) {
    if (!(error instanceof UnreadableTransaction)) throw error;
    const text = `${signature} ${jsonTextOf(raw)}`.slice(0, RAW_LENGTH);
    return { arrivals: [], unreadable: [{ reason: error.message, raw: text }], minor: null, gap: null };
  }
}

function parseHeldAmount(text: string | null | undefined): bigint | null {
  return text == null ? null : BigInt(text);
}

function arrivalsIn(
  landed: LandedTransaction,
  account: string,
  { signature, final, blockTimeMs }: HistoryEntry,
): readonly TokenArrival[] {
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
      chainAtMs: blockTimeMs,
    }));
}

// The results of one observation over all accounts, as values of the network port.

export interface Observation {
  readonly position: ObserverPosition;
  readonly sightings: Sighting[];
  readonly unreadable: { readonly reason: string; readonly raw: string }[];
}

export function gatherArrivals(
  { onTrouble }: SolanaChain,
  harvest: Observation,
  address: string,
  read: AccountHistory,
  ourToken: (arrival: AccountHistory['arrivals'][number]) => boolean,
): void {
  for (const arrival of read.arrivals) {
    const { mint, ...seen } = arrival;
    harvest.sightings.push({ ...seen, address, memo: null, ourToken: ourToken(arrival) });
  }
  harvest.unreadable.push(...read.unreadable);
  if (read.missing !== null)
    onTrouble('a transaction that is listed cannot be fetched', { hash: read.missing, address });
}
