// Tests readers of events under load, while processes are killed, PostgreSQL is stopped at once, and slow database transactions
// commit out of order. Every reader that resumes with its last event id gets every event exactly once, in order. STREAM_BLOWS
// makes the run longer.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startCrashingCluster } from '../support/chaos/cluster.ts';
import { type Fleet, startFleet } from '../support/chaos/fleet.ts';
import { openStream, type Received } from '../support/event-stream.ts';
import { makeHome } from '../support/home.ts';
import { prepareBusiness } from '../support/own-cluster.ts';
import { until } from '../support/patience.ts';
import { SECRETS_KEY } from '../support/people/secrets-key.ts';
import { buyBody, type TestBusiness } from '../support/service.ts';

/** The number of blows: the test alternates between killing a process and stopping PostgreSQL. */
const BLOWS = Number(process.env.STREAM_BLOWS ?? 1);
const PROCESSES = 2;
const READERS = 4;
const CLIENTS = 6;
const SLOW = 3;

/** Repeats one call until it gets a response. The reference makes the call safe to repeat. */
async function post(urls: readonly string[], business: TestBusiness, reference: string, scenario?: string) {
  for (let turn = 0; ; turn++) {
    const account_number = `${6_000_000_000 + Number.parseInt(reference.replaceAll(/\D/g, ''), 10)}`;
    const answer = await fetch(`${urls[turn % urls.length]}/transactions/v1/onramp`, {
      method: 'POST',
      headers: {
        'svc-sec-key': business.testKey,
        'content-type': 'application/json',
        ...(scenario !== undefined && { 'svc-scenario': scenario }),
      },
      body: JSON.stringify(buyBody(business, { reference, account_number })),
    }).catch(() => undefined);
    if (answer?.status === 200) {
      const body = await answer.json().catch(() => undefined);
      if (body !== undefined)
        return (body as { transaction: { transaction_id: string } }).transaction.transaction_id;
    } else await sleep(20);
  }
}

interface Reader {
  readonly events: Received[];
  readonly resumed: () => number;
}

/** Reads from any of the processes until it is stopped, and resumes with the last event id that it received completely. */
function startReader(t: TestContext, urls: readonly string[], key: string, from: string): Reader {
  const events: Received[] = [];
  let over = false;
  let connections = 0;
  let close: () => void = () => undefined;
  t.after(() => {
    over = true;
    close();
  });
  const read = async () => {
    while (!over) {
      const url = `${urls[connections++ % urls.length]}/events/v1/stream`;
      const lastEventId = events.at(-1)?.id ?? from;
      const onEvent = (event: Received) => void events.push(event);
      const stream = await openStream(url, { key, lastEventId, onEvent }).catch(() => undefined);
      if (stream?.status === 200) {
        close = stream.close;
        await stream.over;
      } else {
        if (stream?.status === 422) throw new Error(`${lastEventId}: ${stream.text}`);
        await sleep(50);
      }
    }
  };
  const reading = read();
  reading.catch(() => undefined);
  t.after(() => reading);
  return { events, resumed: () => connections - 1 };
}

/** Writes timeline lines that commit long after other lines that started later. */
function startSlowWriter(
  t: TestContext,
  url: string,
  businessId: string,
  id: string,
): { stop(): Promise<void> } {
  let over = false;
  const write = async () => {
    for (let version = 2; !over; ) {
      const client = new pg.Client({ connectionString: url });
      client.on('error', () => undefined);
      try {
        await client.connect();
        await client.query('begin');
        await client.query(
          `insert into timeline (transaction_id, version, at, from_state, to_state, actor, reason, business_id, mode)
            values ($1, $2, now(), 'awaiting_payment', 'awaiting_payment', 'settlement', 'paid_in_part', $3, 'test')`,
          [id, version, businessId],
        );
        await sleep(Math.random() * 200);
        await client.query('commit');
        version++;
      } catch (error) {
        // The line was committed, but the response was lost.
        if ((error as { code?: string }).code === '23505') version++;
        await sleep(20);
      }
      await client.end().catch(() => undefined);
    }
  };
  const writing = write();
  t.after(() => {
    over = true;
    return writing;
  });
  return {
    stop: () => {
      over = true;
      return writing;
    },
  };
}

async function strike(
  fleet: Fleet,
  cluster: Awaited<ReturnType<typeof startCrashingCluster>>,
): Promise<void> {
  for (let blow = 0; blow < BLOWS; blow++) {
    await sleep(400 + Math.random() * 600);
    fleet.check();
    if (blow % 2 === 0) {
      await until('a process is ready', () => fleet.places('ready').length > 0);
      const ready = fleet.places('ready');
      await fleet.kill([ready[Math.floor(Math.random() * ready.length)]!], 100);
    } else {
      await cluster.stopAtOnce();
      await sleep(Math.random() * 300);
      await cluster.start();
    }
  }
  await fleet.whole();
}

const EVERY_EVENT = `
select 'evt_' || substr(id, 5) || '_1' as id from transactions
union all select 'evt_' || substr(transaction_id, 5) || '_' || version from timeline
union all select 'evt_' || substr(transaction_id, 5) || '_' || version || 'r' from timeline
  where reason = 'refund_made' and from_state <> to_state`;

const UNFINISHED = `
select t.id from transactions t join transaction_states s on s.transaction_id = t.id
  where t.reference like 'c%' and (s.state <> 'completed' or s.exception is not null and s.refunded_minor = 0)
union all select id from movements where state <> 'done'`;

async function rowsOf(url: string, sql: string): Promise<readonly { readonly id: string }[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ id: string }>(sql);
  await client.end();
  return rows;
}

const everyEvent = async (url: string) => (await rowsOf(url, EVERY_EVENT)).map(({ id }) => id);

async function listed(url: string, key: string, from: string): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | null = from; cursor !== null; ) {
    const answer = await fetch(`${url}/events/v1?limit=100&cursor=${cursor}`, {
      headers: { 'svc-sec-key': key },
    });
    const body = (await answer.json()) as { events: { id: string }[]; next_cursor: string | null };
    ids.push(...body.events.map(({ id }) => id));
    cursor = body.next_cursor;
  }
  return ids;
}

function assertNumbered(events: readonly Received[]): void {
  const last = new Map<string, number>();
  for (const { id, data } of events) {
    const transaction = id.split('_')[1]!;
    assert.equal(data.sequence, (last.get(transaction) ?? 0) + 1, id);
    last.set(transaction, data.sequence);
  }
}

test(`no reader misses an event or gets it twice during ${BLOWS} kills and stops under load with ${READERS} readers`, async (t) => {
  const home = await makeHome(t);
  const cluster = await startCrashingCluster(t, home);
  const business = await prepareBusiness(cluster.url);
  const fleet = await startFleet(t, home, PROCESSES, {
    ...SECRETS_KEY,
    ...{ DATABASE_URL: cluster.url, SETTLE_LEASE_MS: '1500', SANDBOX_PACE_MS: '40' },
  });
  const first = await post(fleet.urls, business, 'first-0');
  const from = `evt_${first.slice(4)}_1`;
  await until(
    'the first event is there',
    async () => (await listed(fleet.urls[0]!, business.testKey, from)).length === 0,
  );
  const readers = Array.from({ length: READERS }, (_, nth) =>
    startReader(t, nth % 2 === 0 ? fleet.urls : fleet.urls.toReversed(), business.testKey, from),
  );
  const slow = await Promise.all(
    Array.from({ length: SLOW }, (_, nth) => post(fleet.urls, business, `slow-${nth}`)),
  );
  const writers = slow.map((id) => startSlowWriter(t, cluster.url, business.businessId, id));
  let striking = true;
  const customer = async (nth: number) => {
    for (let no = 0; striking; no++)
      await post(fleet.urls, business, `c${nth}-${no * CLIENTS + 10}`, no % 4 === 0 ? 'overpaid' : 'paid');
  };
  const customers = Array.from({ length: CLIENTS }, (_, nth) => customer(nth));
  await strike(fleet, cluster);
  striking = false;
  await Promise.all(customers);
  await Promise.all(writers.map((writer) => writer.stop()));

  await until('nothing more happens', async () => (await rowsOf(cluster.url, UNFINISHED)).length === 0);
  const expected = await everyEvent(cluster.url);
  await until('every reader has it', () =>
    readers.every(({ events }) => events.length >= expected.length - 1),
  );
  const wanted = expected.filter((id) => id !== from).sort();
  const inOrder = await listed(fleet.urls[0]!, business.testKey, from);
  assert.deepEqual(inOrder.toSorted(), wanted, 'the list has every event once');
  for (const { events } of readers) {
    assert.deepEqual(
      events.map(({ id }) => id),
      inOrder,
      'every event once, in the order of the list',
    );
    assertNumbered(events.filter(({ id }) => !id.includes(first.slice(4))));
  }
  t.diagnostic(
    JSON.stringify({
      events: wanted.length,
      resumed: readers.map(({ resumed }) => resumed()),
      restarts: fleet.restarts(),
    }),
  );
});
