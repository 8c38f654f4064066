// What came in since a position. Blocks that stay are read once and moved past; those above them are read again until they
// stay, and told of once; what no provider can place is set aside in the end and stops nothing. A chain that no longer has
// the block that was read last is not followed: somebody must look.
import type { Hex } from 'viem';
import type { Network, Observed, Sighting, Watch } from '../../../ports/network.ts';
import { answeredBadly, type Block, ProviderFailure } from './answers.ts';
import type { EvmClient } from './client.ts';
import { headersAfter, type Read } from './complete-logs.ts';
import type { EvmContext } from './context.ts';
import { MOST_OPEN, type Origin, type Position, readPosition, writePosition } from './position.ts';
import { headsOf, requireFresh } from './proof.ts';
import { type Range, scan, type Unplaced, type Watched } from './scan.ts';

/** So many questions about blocks that stay, and about those above, in one go. */
const MOST_RANGES = 10;
/** So many blocks that stay in one go: each has its header read. Fewer where a provider does not allow that. */
const MOST_BLOCKS = 1_000;
const MOST_TOLD = 10_000;

/** So often, and for so long, all providers are asked for what they cannot place; longer while one of them is away. */
const PATIENT_ROUNDS = 5;
const PATIENT_MS = 60_000;
const PATIENT_WITH_ABSENT_MS = 10 * 60_000;

/** Who sent what was seen and is not final, for proofs that it is gone. */
export type Origins = Map<string, Origin>;

interface Reading extends Pick<Observed, 'unreadable'> {
  readonly final: readonly Sighting[];
  readonly early: readonly Sighting[];
  readonly last: Read;
  readonly givenUp: readonly Unplaced[];
  /** By the hash of the transaction; null where the provider has forgotten it already. */
  readonly senders: readonly (readonly [string, Origin | null])[];
}

/** One go at a reading, on one provider after another. */
interface Round {
  readonly givenUp: ReadonlySet<string>;
  /** No block above is read, where there is something to wait for. */
  readonly upTo: bigint | null;
  /** How many blocks that stay are read. */
  readonly pace: number;
  /** What kept providers from reading on, with how many of them. */
  readonly missed: Missed;
}

type Missed = Map<string, { readonly block: bigint; readonly providers: number }>;

/** Our own store failed, which says nothing about the provider. */
class WatchFailed extends Error {
  override readonly name = 'WatchFailed';
}

export function makeObserve(context: EvmContext, origins: Origins): Network['observe'] {
  const { settings, parts, providers } = context;
  /** With the amount that was told. */
  const told = new Map<string, bigint>();
  const patience = makePatience(context);

  let pace = MOST_BLOCKS;

  const read = async (start: Position, watched: Watched, limits: Omit<Round, 'pace'>): Promise<Reading> => {
    const round = { ...limits, pace };
    try {
      const reading = await providers.one((client) =>
        readOn(context, client, { start, watched, round, origins }).catch(onlyWatch),
      );
      if (reading instanceof WatchFailed) throw reading.cause;
      pace = Math.min(MOST_BLOCKS, pace * 2);
      return reading;
    } catch (error) {
      // It may have been too much at once. What is waited for is not a matter of how much.
      if (limits.missed.size === 0) pace = Math.max(1, Math.floor(pace / 2));
      throw error;
    }
  };

  /** Only when all of them failed just now is anything given up: one that came back may have it. */
  const readPatiently = async (start: Position, watched: Watched): Promise<Reading> => {
    const missed: Missed = new Map();
    try {
      return await read(start, watched, { givenUp: new Set(), upTo: null, missed });
    } catch (error) {
      const { givenUp, upTo } = patience.failed(missed);
      if (givenUp.size === 0 || (upTo !== null && upTo <= start.block)) throw error;
      return read(start, watched, { givenUp, upTo, missed: new Map() });
    }
  };

  /** Keeps in mind what was told, and what is not final yet. */
  const remember = ({ final, early, senders }: Reading): readonly Sighting[] => {
    for (const [tx, origin] of senders) if (origin !== null) origins.set(tx, origin);
    for (const sighting of final) {
      origins.delete(sighting.txHash);
      told.delete(identityOf(sighting));
    }
    for (const tx of [...origins.keys()].slice(0, -MOST_OPEN)) origins.delete(tx);
    if (told.size > MOST_TOLD) told.clear();
    // In another block the same transfer may be of another amount.
    const unheard = early.filter((each) => told.get(identityOf(each)) !== each.amountMinor);
    for (const sighting of unheard) told.set(identityOf(sighting), sighting.amountMinor);
    return [...final, ...unheard];
  };

  return async (position, watch): Promise<Observed> => {
    const start = position === null ? beginning(settings.firstBlock) : readPosition(position);
    for (const [tx, origin] of start.open) if (!origins.has(tx)) origins.set(tx, origin);
    const reading = await readPatiently(start, await watchedBy(watch));
    patience.passed(reading.last.block);
    for (const { txHash, reason } of reading.givenUp) {
      const detail = { network: settings.name, hash: txHash, reason };
      parts.onTrouble('no provider can place a transfer: it was set aside', detail);
    }
    const sightings = remember(reading);
    return {
      sightings,
      unreadable: reading.unreadable,
      position: writePosition({ ...reading.last, open: origins }),
    };
  };
}

interface Wait {
  readonly block: bigint;
  readonly sinceMs: number;
  rounds: number;
  /** Those in which every provider was asked. */
  wholeRounds: number;
}

/** How often reading failed over the same thing, and since when. */
function makePatience({ parts: { clock }, providers }: EvmContext) {
  const waits = new Map<string, Wait>();
  const isOver = ({ rounds, wholeRounds, sinceMs }: Wait): boolean => {
    const waitedMs = clock.now() - sinceMs;
    if (wholeRounds >= PATIENT_ROUNDS && waitedMs >= PATIENT_MS) return true;
    return rounds >= PATIENT_ROUNDS && waitedMs >= PATIENT_WITH_ABSENT_MS;
  };
  return {
    /** What is waited for no longer. Up to the next thing to wait for: else there could always be a next one. */
    failed(missed: Missed): Pick<Round, 'givenUp' | 'upTo'> {
      const givenUp = new Set<string>();
      let upTo: bigint | null = null;
      for (const [key, { block, providers: count }] of missed) {
        const wait = waits.get(key) ?? { block, sinceMs: clock.now(), rounds: 0, wholeRounds: 0 };
        waits.set(key, wait);
        wait.rounds++;
        if (count >= providers.count) wait.wholeRounds++;
        if (isOver(wait)) givenUp.add(key);
        else if (upTo === null || block <= upTo) upTo = block - 1n;
      }
      return { givenUp, upTo };
    },
    passed(last: bigint): void {
      for (const [key, { block }] of waits) if (block <= last) waits.delete(key);
    },
  };
}

interface Task {
  readonly start: Position;
  readonly watched: Watched;
  readonly round: Round;
  readonly origins: Origins;
}

async function readOn(
  context: EvmContext,
  client: EvmClient,
  { start, watched, round, origins }: Task,
): Promise<Reading> {
  const { settings, parts } = context;
  const { finalized, latest } = await headsOf(client);
  requireFresh(latest, parts.clock.now());
  await requireSame(settings.name, client, start);
  const found = await readFinal(context, client, { start, watched, round }, finalized);
  const { last, unplaced } = found;
  // After all ranges: what cannot be placed in several of them is waited for together.
  requirePlaced(unplaced, round);
  const unreadable = [...found.unreadable, ...unplaced.map(setAside)];
  const early: Sighting[] = [];
  if (last.block >= finalized.number) {
    for (const range of rangesOf(last.block + 1n, latest.number, settings.logBlocks)) {
      // What cannot be read or placed there is told of when it stays, and so are other tokens: they are only shown.
      const { sightings } = await scan(context, client, { ...watched, recent: [] }, range);
      early.push(...sightings.map((each) => ({ ...each, final: false })));
    }
  }
  const senders = await sendersOf(client, early, origins);
  return { final: found.final, early, unreadable, last, senders, givenUp: unplaced };
}

/** The blocks that stay, range by range; where a later one fails, what came before it counts. */
async function readFinal(
  context: EvmContext,
  client: EvmClient,
  { start, watched, round }: Omit<Task, 'origins'>,
  finalized: Block,
) {
  const limits = [finalized.number, start.block + BigInt(round.pace), round.upTo ?? finalized.number];
  const to = limits.reduce((a, b) => (b < a ? b : a));
  const final: Sighting[] = [];
  const unreadable: Observed['unreadable'][number][] = [];
  const unplaced: Unplaced[] = [];
  let last: Read = start;
  for (const range of rangesOf(start.block + 1n, to, context.settings.logBlocks)) {
    try {
      const headers = await headersAfter(client, last, range.to);
      const { number, hash } = headers.at(-1)!;
      if (number === finalized.number && hash !== finalized.hash)
        throw new ProviderFailure('its blocks are not of the chain that is final', true);
      const found = await scan(context, client, watched, range, headers);
      final.push(...found.sightings.map((each) => ({ ...each, final: true })));
      unreadable.push(...found.unreadable);
      unplaced.push(...found.unplaced);
      last = { block: number, hash };
    } catch (error) {
      if (!answeredBadly(error) || last === start) throw error;
      break;
    }
  }
  return { final, unreadable, unplaced, last };
}

/** Another provider is asked, unless all of them were asked often enough. */
function requirePlaced(unplaced: readonly Unplaced[], { givenUp, missed }: Round): void {
  const waiting = unplaced.filter((each) => !givenUp.has(keyOf(each)));
  for (const [key, { block }] of new Map(waiting.map((each) => [keyOf(each), each])))
    missed.set(key, { block, providers: (missed.get(key)?.providers ?? 0) + 1 });
  const [first] = waiting;
  if (first !== undefined) throw new ProviderFailure(`${first.reason} (${first.txHash})`, true);
}

function setAside({ reason, raw }: Unplaced): Observed['unreadable'][number] {
  return { reason: `no provider can place this transfer: ${reason}`, raw };
}

function keyOf({ txHash, index }: Unplaced): string {
  return `${txHash} ${index}`;
}

function sendersOf(
  client: EvmClient,
  early: readonly Sighting[],
  origins: Origins,
): Promise<Reading['senders']> {
  const unknown = new Set(early.map(({ txHash }) => txHash).filter((tx) => !origins.has(tx)));
  return Promise.all(
    [...unknown].map(async (tx) => {
      const origin = await client.transaction(tx as Hex).catch((error) => {
        // One that cannot be read must not keep the others from being told of.
        if (answeredBadly(error)) return null;
        throw error;
      });
      return [tx, origin] as const;
    }),
  );
}

function beginning(firstBlock: bigint): Position {
  return { block: firstBlock - 1n, hash: null, open: new Map() };
}

async function watchedBy(watch: Watch): Promise<Watched> {
  return {
    recent: await watch.recent(),
    ours: (addresses) =>
      watch.ours(addresses).catch((cause) => {
        throw new WatchFailed('the addresses cannot be told', { cause });
      }),
  };
}

function onlyWatch(error: unknown): WatchFailed {
  if (error instanceof WatchFailed) return error;
  throw error;
}

async function requireSame(network: string, client: EvmClient, { block, hash }: Position): Promise<void> {
  if (hash === null) return;
  const there = await client.block(block);
  if (there === null) throw new ProviderFailure('the provider is behind what was read already', true);
  if (there.hash !== hash)
    throw new Error(
      `${network}: block ${block} was final and is another one now. Deposits are not read any further: compare the ` +
        'providers with an explorer. To read again from a block on: bin/sliproad networks reread',
    );
}

/** Never past `to`, which the same provider has. */
function rangesOf(from: bigint, to: bigint, blocks: number): readonly Range[] {
  const ranges: Range[] = [];
  for (let next = from; next <= to && ranges.length < MOST_RANGES; next += BigInt(blocks)) {
    const end = next + BigInt(blocks) - 1n;
    ranges.push({ from: next, to: end < to ? end : to });
  }
  return ranges;
}

function identityOf({ txHash, txIndex }: Sighting): string {
  return `${txHash} ${txIndex}`;
}
