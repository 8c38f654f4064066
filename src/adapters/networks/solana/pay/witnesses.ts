// Transactions of others that show whether an answer can be believed when it does not find ours. Some are from a block before
// ours could land, some from a block after; they are asked about in the same request as ours. A server that does not know both
// blocks has not read that far, has dropped them, or has a gap in its history: its answer proves nothing.

import type { SolanaClient, Statuses } from '../rpc/client.ts';
import { remember } from './offers.ts';

/** For how many blocks after its own a blockhash is valid; bytes may land in one more. */
const BLOCKHASH_BLOCKS = 150n;
/** Slots before the signing at which to begin: another fork may have won just then. */
const SLOTS_BEFORE = 32n;
/** A block may be empty; then the next one will do. */
const TRIES = 5;
const LISTED = Number(SLOTS_BEFORE + BLOCKHASH_BLOCKS) + 3 + TRIES;

/** Picked from all over a block: some archives leave out the votes, which are most of it. */
const PICKED = 16;

interface Witness {
  /** One of them is enough. */
  readonly signatures: readonly string[];
  readonly slot: bigint;
}

export interface Witnesses {
  readonly before: Witness;
  readonly after: Witness;
}

/** The last block that the bytes can be in. */
export function lastHeight(bound: string): bigint {
  return BigInt(bound) + 1n;
}

/** By provider: the same bytes are asked about again, and others were signed with the same blockhash. */
const found = new WeakMap<SolanaClient, Map<string, Witnesses>>();

/** `behind`: its final blocks do not reach that far yet. `forgotten`: it does not have all blocks that the bytes could be in. */
export async function witnessesOf(
  client: SolanaClient,
  signedAtSlot: string,
  bound: string,
): Promise<Witnesses | 'behind' | 'forgotten'> {
  const known = found.get(client) ?? new Map<string, Witnesses>();
  found.set(client, known);
  const name = `${signedAtSlot} ${bound}`;
  const answer = known.get(name) ?? (await look(client, BigInt(signedAtSlot), BigInt(bound)));
  if (typeof answer === 'object') remember(known, name, answer);
  return answer;
}

async function look(client: SolanaClient, signedAtSlot: bigint, bound: bigint) {
  const from = signedAtSlot > SLOTS_BEFORE ? signedAtSlot - SLOTS_BEFORE : 0n;
  const slots = await client.blocksFrom(from, LISTED);
  const first = slots[0] === undefined ? undefined : await client.block(slots[0]);
  if (first === undefined) return 'forgotten';
  /** Every listed block is one higher than the one before it, unless some are missing. */
  const indexOf = (height: bigint) => Number(height - first.height);
  const lastBefore = indexOf(bound - BLOCKHASH_BLOCKS);
  if (lastBefore < 0) return 'forgotten';
  const firstAfter = indexOf(lastHeight(`${bound}`) + 1n);
  if (firstAfter >= slots.length) return 'behind';
  const pick = async (index: number): Promise<Witness | undefined> => {
    const slot = slots[index];
    if (slot === undefined) return undefined;
    const block = index === 0 ? first : await client.block(slot);
    if (block?.height !== first.height + BigInt(index) || block.signatures.length === 0) return undefined;
    return { signatures: spread(block.signatures), slot };
  };
  const before = await firstOf((nth) => pick(Math.min(nth, lastBefore)));
  const after = before && (await firstOf((nth) => pick(firstAfter + nth)));
  return before === undefined || after === undefined ? 'forgotten' : { before, after };
}

async function firstOf(pick: (nth: number) => Promise<Witness | undefined>): Promise<Witness | undefined> {
  for (let nth = 0; nth < TRIES; nth++) {
    const witness = await pick(nth);
    if (witness !== undefined) return witness;
  }
  return undefined;
}

function spread(signatures: readonly string[]): readonly string[] {
  const step = Math.max(1, signatures.length / PICKED);
  const count = Math.min(PICKED, signatures.length);
  return Array.from({ length: count }, (_, index) => signatures[Math.floor(index * step)]!);
}

/** The signatures of one request: ours first. */
export function askedWith(hash: string, { before, after }: Witnesses): readonly string[] {
  return [hash, ...before.signatures, ...after.signatures];
}

/** Whether the server of this answer knew both blocks: a transaction of each as final, in the right slot. */
export function knowsBoth({ found: [, ...others] }: Statuses, { before, after }: Witnesses): boolean {
  const knows = ({ slot }: Witness, found: Statuses['found']) =>
    found.some((status) => status?.final === true && status.slot === slot);
  const middle = before.signatures.length;
  return knows(before, others.slice(0, middle)) && knows(after, others.slice(middle));
}
