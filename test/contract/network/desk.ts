// Plays the service that stores payments. It keeps the wallet's turn, stores signed bytes before it broadcasts them, and
// queries with all versions that it has signed. It signs stuck payments again.
import assert from 'node:assert/strict';
import type { Network } from '../../../src/ports/networks/network.ts';
import type {
  BroadcastOutcome,
  Obstacle,
  Payment,
  SendStatus,
  SignedTransaction,
} from '../../../src/ports/networks/network-payer.ts';
import type { ContractHarness } from './case.ts';

type Kind = SendStatus['kind'];

export interface Stored {
  readonly versions: SignedTransaction[];
  readonly orderIds: readonly string[];
  readonly payments: readonly Payment[];
  broadcast: BroadcastOutcome['kind'] | undefined;
  readonly trail: Kind[];
  /** Its outcome. */
  end: SendStatus | undefined;
}

interface Waiting {
  readonly payment: Payment;
  readonly obstacle: Obstacle;
}

export interface Desk {
  /** Signs and stores the payments, but broadcasts nothing yet. */
  sign(payments: readonly Payment[], on?: Network): Promise<{ stored: Stored[]; waiting: Waiting[] }>;
  broadcast(stored: Stored, on?: Network): Promise<BroadcastOutcome>;
  replaceBy(stored: Stored, version: SignedTransaction, on?: Network): Promise<BroadcastOutcome>;
  /** Queries the payment and reacts to its status as a service does. */
  ask(stored: Stored, on?: Network): Promise<SendStatus>;
}

const ENDS: readonly Kind[] = ['final', 'failed', 'dead', 'held'];

/** Returns the transaction as if it was read from a database: with the same data and nothing else. */
export function readBack(prepared: SignedTransaction): SignedTransaction {
  const { hash, source, sequence, payload, bound, signedAtMs } = prepared;
  return JSON.parse(
    JSON.stringify({ hash, source, sequence, payload, bound, signedAtMs }),
  ) as SignedTransaction;
}

export function makeDesk({ network }: ContractHarness): Desk {
  const books: Stored[] = [];

  const sign: Desk['sign'] = async (payments, on = network) => {
    const turn = turnOf(books);
    const byId = new Map(payments.map((each) => [each.orderId, each]));
    const { envelopes, waiting } = await on.prepare(payments, turn);
    const answered = [...envelopes.flatMap(({ orderIds }) => orderIds), ...waiting.map((w) => w.orderId)];
    assert.deepEqual(answered.toSorted(), [...byId.keys()].toSorted(), 'every order has one answer');
    const stored = envelopes.map(({ orderIds, ...prepared }): Stored => {
      checkPrepared(on, prepared, books);
      const of = orderIds.map((id) => byId.get(id)!);
      if (of.some(({ alone }) => alone)) assert.equal(of.length, 1, 'it asked to go alone');
      const versions = [readBack(prepared)];
      const made = { versions, orderIds, payments: of, broadcast: undefined, trail: [], end: undefined };
      books.push(made);
      return made;
    });
    return {
      stored,
      waiting: waiting.map(({ orderId, obstacle }) => ({ payment: byId.get(orderId)!, obstacle })),
    };
  };

  const broadcast: Desk['broadcast'] = async (stored, on = network) => {
    const outcome = await on.broadcast(stored.versions.at(-1)!);
    stored.broadcast = outcome.kind;
    return outcome;
  };

  const replaceBy: Desk['replaceBy'] = async (stored, version, on = network) => {
    checkVersion(stored.versions, version);
    stored.versions.push(readBack(version));
    return broadcast(stored, on);
  };

  const ask: Desk['ask'] = async (stored, on = network) => {
    const { versions, orderIds } = stored;
    const status = await on.ask({ versions: [...versions], orderIds });
    const before = stored.trail.at(-1);
    if (status.kind !== before) stored.trail.push(status.kind);
    if (ENDS.includes(status.kind)) stored.end = checkEnd(stored, status);
    if (status.kind === 'stuck') {
      const next = await on.replace({ versions: [...versions], orderIds });
      const isKnown = versions.some(({ hash }) => hash === next?.hash);
      if (isKnown) await broadcast(stored, on);
      else if (next !== undefined) await replaceBy(stored, next, on);
    }
    // A payment that was seen in a block and is no longer there has lost its block.
    const back = stored.trail.includes('included');
    if (status.kind === 'pending' && (stored.broadcast === 'unknown' || back)) await broadcast(stored, on);
    return status;
  };

  return { sign, broadcast, replaceBy, ask };
}

/** Checks what the rules of the database would refuse, and what these rules cannot check. */
function checkPrepared(network: Network, prepared: SignedTransaction, books: readonly Stored[]): void {
  assert.ok(prepared.hash !== '' && prepared.payload !== '');
  assert.deepEqual(readBack(prepared), prepared, 'it can be stored');
  assert.ok(Number.isSafeInteger(prepared.signedAtMs));
  const hashes = books.flatMap(({ versions }) => versions.map(({ hash }) => hash));
  assert.ok(!hashes.includes(prepared.hash), 'new bytes have a new hash');
  if (network.orderedBy === null) {
    assert.equal(prepared.sequence, null);
    return;
  }
  assert.equal(prepared.source, network.orderedBy);
  assert.match(prepared.sequence ?? '', /^\d+$/);
  const taken = books.filter(({ end }) => end?.kind !== 'dead').map(({ versions }) => versions[0]!.sequence);
  assert.ok(!taken.includes(prepared.sequence), 'threat 43: a sequence number is used once');
}

function checkVersion(versions: readonly SignedTransaction[], next: SignedTransaction): void {
  const [first] = versions;
  assert.deepEqual(
    [next.source, next.sequence],
    [first!.source, first!.sequence],
    'with the same sequence number',
  );
  assert.ok(!versions.some(({ hash }) => hash === next.hash));
}

function checkEnd({ versions, orderIds, end }: Stored, status: SendStatus): SendStatus {
  if (end !== undefined) assert.equal(status.kind, end.kind, 'an end stands');
  if (status.kind !== 'final') return status;
  assert.ok(
    versions.some(({ hash }) => hash === status.hash),
    'the hash of a version of ours',
  );
  for (const { index } of status.unpaid) assert.ok(index >= 0 && index < orderIds.length);
  return status;
}

function turnOf(books: readonly Stored[]) {
  const sequences = books
    .filter(({ end }) => end?.kind !== 'dead')
    .flatMap(({ versions }) => (versions[0]!.sequence === null ? [] : [BigInt(versions[0]!.sequence)]));
  const live = books.filter(({ end }) => end === undefined);
  const highest = sequences.reduce((a, b) => (a > b ? a : b), -1n);
  return {
    lastSequence: highest < 0n ? null : `${highest}`,
    live: live.length,
    inFlightMinor: live
      .flatMap(({ payments }) => payments)
      .reduce((sum, { from, amountMinor }) => (from === null ? sum + amountMinor : sum), 0n),
  };
}
