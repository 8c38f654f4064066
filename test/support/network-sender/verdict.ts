// Checks the outcome of every buy after its senders were killed. It reads the outcome from the chains themselves and compares
// it with the service's tables.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalNetwork } from '../../../local-networks/local-network.ts';
import { readTreasuries } from '../../../src/app/treasury/read-treasuries.ts';
import { query } from '../accounted.ts';
import { stretchedTime } from '../patience.ts';
import type { World } from './world.ts';

const LOOK_EVERY_MS = 250;
/**
 * The time without progress, on an idle machine, after which the test gives up. It is long because the service postpones failed
 * queries for some minutes.
 */
const PATIENCE_MS = 8 * 60_000;

export interface Envelope {
  readonly network: string;
  readonly reference: string;
  readonly sequence: string | null;
  readonly state: string;
  readonly orders: number;
  readonly versions: number;
}

/** Waits for this time, or until every buy is completed and every movement is done. */
export async function settledWithin(world: World, ms: number): Promise<void> {
  const endsAt = performance.now() + ms;
  while (performance.now() < endsAt && !isSettled(world, await progressOf(world))) await sleep(LOOK_EVERY_MS);
}

const isSettled = ({ buys }: World, { completed, open }: Progress) => completed === buys.length && open === 0;

/** Waits until every buy is completed and every movement is done, or until nothing changes any more. */
export async function untilSettled(world: World, onLook: (completed: number) => void): Promise<void> {
  const { buys } = world;
  let best = -1;
  let time = stretchedTime(PATIENCE_MS);
  for (;;) {
    const progress = await progressOf(world);
    const { completed, open } = progress;
    onLook(completed);
    if (isSettled(world, progress)) return;
    if (completed - open !== best) [best, time] = [completed - open, stretchedTime(PATIENCE_MS)];
    if (time.isUp())
      assert.fail(
        `${completed} of ${buys.length} completed, and nothing goes on:\n${await stragglers(world)}`,
      );
    await sleep(LOOK_EVERY_MS);
  }
}

interface Progress {
  readonly completed: number;
  readonly open: number;
}

async function progressOf({ foundation }: World): Promise<Progress> {
  const [row] = await query<{ completed: number; open: number }>(
    foundation.connection,
    `select (select count(*)::int from transaction_states where state = 'completed') as completed,
        (select count(*)::int from movements where state <> 'done') as open`,
  );
  return row!;
}

/** The longest postponement of a payment in progress, in seconds. */
export async function longestWait({ foundation }: World): Promise<number> {
  const [row] = await query<{ seconds: number }>(
    foundation.connection,
    `select coalesce(greatest(0, max(extract(epoch from due_at - now()))), 0)::int as seconds
      from movements where state <> 'done'`,
  );
  return row!.seconds;
}

async function stragglers({ foundation }: World): Promise<string> {
  const rows = await query(
    foundation.connection,
    `select t.transaction_id, t.network, t.state, t.exception, t.due_at, t.tries, m.id as movement, m.state as movement_state, m.reason,
        m.due_at as movement_due_at, a.no, a.state as attempt_state, a.reference, a.sequence, a.envelope_index as place, a.evidence
      from transaction_states t left join movements m on m.transaction_id = t.transaction_id
      left join movement_attempts a on a.movement_id = m.id
      where t.state <> 'completed' or m.state <> 'done' order by t.transaction_id, a.no limit 20`,
  );
  return rows.map((row) => JSON.stringify(row)).join('\n');
}

export async function readEnvelopes({ foundation }: World): Promise<readonly Envelope[]> {
  return query<{ [Key in keyof Envelope]: Envelope[Key] }>(
    foundation.connection,
    `select a.network, a.reference, a.sequence, a.state, coalesce(jsonb_array_length(a.orders), 1) as orders,
        1 + (select count(*)::int from attempt_replacements r where r.network = a.network and r.reference = a.reference)
          as versions
      from movement_attempts a where a.envelope_index = 0 and a.network is not null order by a.at`,
  );
}

/** Every wallet must have exactly the tokens that a customer bought for it. */
export async function assertPaidOnce({ buys }: World): Promise<void> {
  const wrong: string[] = [];
  for (const { network, transaction, tokensMinor } of buys) {
    const { address } = transaction.wallet!;
    const holds = await network.received(address);
    if (holds !== tokensMinor)
      wrong.push(`${network.name} ${transaction.id} ${address} holds ${holds}, bought ${tokensMinor}`);
  }
  assert.deepEqual(wrong, []);
}

export async function assertCompleted({ buys, foundation }: World): Promise<void> {
  const stored = await foundation.store.transactionsById(buys.map(({ transaction }) => transaction.id));
  const states = buys.map(({ transaction: { id } }) => stored.get(id)?.state);
  assert.deepEqual([...new Set(states)], ['completed']);
  const hashes = [...stored.values()].filter(({ txHash }) => txHash === null);
  assert.deepEqual(hashes, []);
}

/** Each buy must have one movement with one landed attempt, and no attempt may have an unknown outcome. */
export async function assertNothingLive({ buys, foundation: { connection } }: World): Promise<void> {
  const odd = await query(
    connection,
    `select m.id, m.state, array_agg(a.state order by a.no) as attempts
      from movements m join movement_attempts a on a.movement_id = m.id
      group by m.id having m.state <> 'done' or count(*) filter (where a.state = 'landed') <> 1
        or bool_or(a.state in ('prepared', 'accepted', 'unknown'))`,
  );
  assert.deepEqual(odd, []);
  const movements = await query(connection, 'select transaction_id from movements');
  assert.equal(new Set(movements.map((row) => row.transaction_id)).size, buys.length);
  assert.equal(movements.length, buys.length);
}

/** The next nonce or sequence number of the treasury on the chain; undefined if the family has none. */
export async function nextPlace({ family, urls, treasury }: LocalNetwork): Promise<bigint | undefined> {
  switch (family) {
    case 'solana':
      return undefined;
    case 'stellar': {
      const answer = await fetch(`${urls[0]}/accounts/${treasury}`);
      return BigInt(((await answer.json()) as { sequence: string }).sequence) + 1n;
    }
    case 'evm': {
      const call = { jsonrpc: '2.0', id: 1, method: 'eth_getTransactionCount', params: [treasury, 'latest'] };
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(urls[0], { method: 'POST', headers, body: JSON.stringify(call) });
      return BigInt(((await answer.json()) as { result: string }).result);
    }
  }
}

/**
 * Bytes of the service must have used every nonce from the first to the last exactly once, and the chain must count the same
 * number.
 */
export async function assertPlaces(
  { networks }: World,
  envelopes: readonly Envelope[],
  first: ReadonlyMap<string, bigint | undefined>,
): Promise<void> {
  for (const network of networks) {
    const from = first.get(network.name);
    const next = await nextPlace(network);
    if (from === undefined || next === undefined) continue;
    const used = envelopes
      .filter((each) => each.network === network.name && ['landed', 'failed'].includes(each.state))
      .map(({ sequence }) => BigInt(sequence!))
      .toSorted((a, b) => (a < b ? -1 : 1));
    const all = Array.from({ length: Number(next - from) }, (_, index) => from + BigInt(index));
    assert.deepEqual(used, all, `${network.name}: nonces used by what landed`);
  }
}

/**
 * Every asset must add up to zero, every balance must be the sum of its postings, and the books must match each treasury's
 * balance.
 */
export async function assertBooks({ networks, foundation }: World): Promise<void> {
  const { connection } = foundation;
  const sums = await query(
    connection,
    'select mode, asset, sum(balance) from accounts group by 1, 2 having sum(balance) <> 0',
  );
  assert.deepEqual(sums, []);
  const accounts = await query(
    connection,
    `select a.key from accounts a left join postings p on p.account_id = a.id
      group by a.id having a.balance <> coalesce(sum(p.amount_minor), 0)`,
  );
  assert.deepEqual(accounts, []);
  const names = networks.map(({ name }) => name);
  const readings = (await readTreasuries(foundation)).filter(({ network }) => names.includes(network));
  const found = readings.map((each) =>
    'problem' in each
      ? each
      : [each.network, each.unexplainedMinor, each.books.reservedMinor, each.books.inFlightMinor],
  );
  assert.deepEqual(
    new Set(
      found.map((each) =>
        JSON.stringify(each, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
      ),
    ),
    new Set(names.map((name) => JSON.stringify([name, '0', '0', '0']))),
  );
}
