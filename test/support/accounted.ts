// Checks the results of a load. Every buy with response 200 is stored exactly once under the id in the response. If a response
// was lost, the client can send the buy again, and it is still stored only once.
import assert from 'node:assert/strict';
import pg from 'pg';
import type { ConnectionSettings } from '../../src/adapters/postgres/connection/database.ts';
import { isAccepted, type Load, type Outcome, submit } from './load.ts';
import type { TestBusiness } from './service.ts';

export interface AccountedOptions {
  readonly baseUrl: string;
  readonly business: TestBusiness;
  readonly connection: ConnectionSettings;
}

export interface Accounts {
  readonly accepted: number;
  readonly unanswered: number;
  /**
   * The number of buys that were committed although their response was lost. They were already stored when the client sent them
   * again.
   */
  readonly storedUnanswered: number;
}

const READERS = 8;

export async function assertAccounted(load: Load, options: AccountedOptions): Promise<Accounts> {
  const before = await storedIds(options);
  const accepted: [string, string][] = [];
  const unanswered: string[] = [];
  for (const [reference, outcome] of load.outcomes) {
    if (isAccepted(outcome)) accepted.push([reference, idIn(outcome)]);
    else unanswered.push(reference);
  }
  for (const [reference, id] of accepted) {
    assert.deepEqual(before.get(reference), [id], `${reference} was answered 200 and must be stored once`);
  }
  await atOnce(accepted, async ([reference, id]) => {
    assert.deepEqual(await readBack(options, reference), [id], `${reference} read back`);
  });
  let storedUnanswered = 0;
  await atOnce(unanswered, async (reference) => {
    const known = before.get(reference) ?? [];
    const first = idIn((await submit(options, reference)).outcome);
    const second = idIn((await submit(options, reference)).outcome);
    assert.equal(first, second, `${reference} asked for again twice`);
    if (known.length > 0) storedUnanswered++;
    assert.deepEqual(known.length === 0 ? [first] : known, [first], `${reference} asked for again`);
  });
  const after = await storedIds(options);
  const mine = [...after].filter(([reference]) => load.outcomes.has(reference));
  assert.equal(mine.length, load.outcomes.size, 'one stored reference for each that was sent');
  for (const [reference, ids] of mine) assert.equal(ids.length, 1, `${reference} is stored once`);
  await assertNothingHalfDone(options);
  return { accepted: accepted.length, unanswered: unanswered.length, storedUnanswered };
}

/** While the database is unreachable, a request may get only one response other than success: a 503 with a retry time. */
export function assertOnlyAcceptedOrAway(load: Load): void {
  for (const [reference, outcome] of load.outcomes) {
    if (isAccepted(outcome)) continue;
    const text = `${reference}: ${JSON.stringify(outcome)}`;
    assert.equal(outcome.kind, 'answered', text);
    if (outcome.kind !== 'answered') continue;
    assert.equal(outcome.status, 503, text);
    assert.equal(outcome.body.code, 'unavailable', text);
    assert.match(outcome.retryAfter ?? '', /^\d+$/, text);
  }
}

function idIn(outcome: Outcome): string {
  assert.ok(outcome.kind === 'answered' && outcome.status === 200, JSON.stringify(outcome));
  return outcome.body.transaction!.transaction_id;
}

async function readBack({ baseUrl, business }: AccountedOptions, reference: string): Promise<string[]> {
  const answer = await fetch(`${baseUrl}/transactions/v1?reference=${reference}`, {
    headers: { 'svc-sec-key': business.testKey },
  });
  assert.equal(answer.status, 200);
  const { transactions } = (await answer.json()) as { transactions: { transaction_id: string }[] };
  return transactions.map((each) => each.transaction_id);
}

/** Returns all stored ids of each reference. The query does not rely on the constraints that allow only one. */
async function storedIds({ business, connection }: AccountedOptions): Promise<Map<string, string[]>> {
  const rows = await query<{ reference: string; ids: string[] }>(
    connection,
    'select reference, array_agg(id) as ids from transactions where business_id = $1 group by reference',
    [business.businessId],
  );
  return new Map(rows.map(({ reference, ids }) => [reference, ids]));
}

async function assertNothingHalfDone({ connection }: AccountedOptions): Promise<void> {
  const rows = await query(
    connection,
    `select coalesce(s.transaction_id, l.transaction_id) as id, s.version, count(l.version)::int as moves
     from transaction_states s full join timeline l on l.transaction_id = s.transaction_id
     group by 1, 2 having s.version is distinct from count(l.version) + 1
     union all
     select coalesce(t.id, s.transaction_id), s.version, null
     from transactions t full join transaction_states s on s.transaction_id = t.id
     where t.id is null or s.transaction_id is null
     union all
     select k.transaction_id, null, null from idempotency_keys k
     where not exists (select from transactions t where t.id = k.transaction_id)`,
  );
  assert.deepEqual(rows, [], 'a move or a key without its transaction, or the other way round');
}

export async function query<Row extends pg.QueryResultRow>(
  connection: ConnectionSettings,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ ...connection, application_name: 'fault-test' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    // The query reads the tables without indexes, because an index that lost or kept a row would hide the error.
    await client.query(
      'set enable_indexscan = off; set enable_indexonlyscan = off; set enable_bitmapscan = off',
    );
    return (await client.query<Row>(text, [...values])).rows;
  } finally {
    await client.end();
  }
}

async function atOnce<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item);
  };
  await Promise.all(Array.from({ length: READERS }, worker));
}
