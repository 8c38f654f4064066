// Tests the history of stops: who stopped what, when and why. It also tests the audit log, which people read by time and by
// page and verify in parts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/service.ts';
import { addConsolePerson, signedIn } from './browser.ts';

const service = await startTestService({ TRUST_PROXY: 'loopback' });
const { database } = service.foundation;
const AT = '/console/v1/operator';
const admin = await addConsolePerson(service, { operator: 'admin' });
const browser = await signedIn(service, admin);

/** Finding A7: amounts are in whole tokens, never in minor units. */
const TOKENS_SHORT = 'the treasury holds 1.500000 NGNC less than the books explain';

test('the history of stops lists who, when and why, newest first, page by page', async () => {
  for (const reason of ['first look', 'second look'])
    await browser.send('POST', `${AT}/movements/pause`, { body: { reason } });
  const atMs = service.foundation.clock.now();
  const reason = 'the treasury holds 1500000 minor units less than the books explain';
  await service.foundation.ledgerAudit.halt({ mode: 'test', asset: 'NGNC@Polygon', reason, atMs });
  const { body } = await browser.send('GET', `${AT}/stops/history?limit=2`);
  const shown = (each: { action: string; reason: string; name: string; asset: string }) => [
    ...[each.action, each.reason, each.name === null ? null : 'a person', each.asset],
  ];
  assert.deepEqual(body.events.map(shown), [
    ['sends_halted', TOKENS_SHORT, null, 'NGNC@Polygon'],
    ['movements_paused', 'second look', 'a person', null],
  ]);
  assert.equal(body.events[1].actor, admin.id);
  const { halts } = (await browser.send('GET', `${AT}/halts`)).body;
  assert.deepEqual([halts.length, halts[0].reason], [1, TOKENS_SHORT]);
  const next = await browser.send('GET', `${AT}/stops/history?limit=2&cursor=${body.next_cursor}`);
  assert.deepEqual(next.body.events.map(shown)[0], ['movements_paused', 'first look', 'a person', null]);
  assert.equal(next.body.next_cursor, null);
});

test('the audit log can be filtered by actor and time, and a cursor pages through all entries once', async () => {
  const all: number[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const { body } = await browser.send('GET', `${AT}/audit?limit=3&action=movements_${query}`);
    all.push(...body.entries.map(({ no }: { no: number }) => no));
    cursor = body.next_cursor;
  }
  const { rows } = await database.query<{ no: number }>({
    text: `select no::int from audit_log where action like 'movements\\_%' order by no desc`,
  });
  assert.deepEqual(
    all,
    rows.map(({ no }) => no),
  );
  const listed = async (query: string) => (await browser.send('GET', `${AT}/audit?${query}`)).body;
  const mine = await listed(`actor=${admin.id}&action=movements_`);
  assert.deepEqual([mine.entries.length, mine.entries[0].actor_name.startsWith('Person')], [2, true]);
  assert.deepEqual((await listed('since=2100-01-01')).entries, []);
  assert.deepEqual((await listed('until=2001-01-01T00:00:00Z')).entries, []);
  assert.equal((await listed('since=yesterday')).code, 'filter_invalid');
  assert.equal((await listed('cursor=x')).code, 'cursor_invalid');
});

interface Slice {
  readonly verified_from: number;
  readonly verified_to: { readonly no: number; readonly hash: string };
  readonly head: { readonly no: number };
  readonly done: boolean;
  readonly problem: string | null;
}

async function verify(): Promise<Slice[]> {
  const slices: Slice[] = [];
  let after: Slice['verified_to'] | undefined;
  do {
    const { body, status, text } = await browser.send('POST', `${AT}/audit/verify`, { body: { after } });
    assert.equal(status, 200, text);
    slices.push(body);
    after = body.verified_to;
  } while (slices.at(-1)!.done === false);
  return slices;
}

test('the whole log is verified slice by slice, and an altered entry is found', async () => {
  const fill = `do $$ begin for i in 1..250 loop
    insert into audit_log (at, actor, action, subject, business_id, detail)
    values (now(), 'service:test', 'test.filled', null, null, '{}'); end loop; end $$`;
  for (let batch = 0; batch < 10; batch++) await database.query({ text: fill });
  const whole = await verify();
  assert.deepEqual([whole.length, whole[0]!.verified_from], [2, 1]);
  assert.equal(whole[1]!.verified_from, whole[0]!.verified_to.no + 1);
  assert.deepEqual([whole[1]!.problem, whole[1]!.verified_to.no >= 2_500], [null, true]);
  await database.transaction(async (client) => {
    await client.query('alter table audit_log disable trigger user');
    await client.query(`update audit_log set actor = 'service:other' where no = 2200`);
    await client.query('alter table audit_log enable trigger user');
  });
  const broken = await verify();
  assert.match(broken.at(-1)!.problem ?? '', /^entry 2200 was altered/);
  assert.deepEqual([broken.length, broken.at(-1)!.verified_to.no], [2, 2_199]);
});

test('a slice must start after an entry that is given with its number and its hash', async () => {
  const refused = async (after: unknown) =>
    (await browser.send('POST', `${AT}/audit/verify`, { body: { after } })).status;
  assert.deepEqual(
    [await refused({ no: 1 }), await refused({ no: 0, hash: '0'.repeat(64) }), await refused('1')],
    [422, 422, 400],
  );
});
