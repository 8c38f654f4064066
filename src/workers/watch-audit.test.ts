// Tests the audit log while processes run: one daily head for all processes, digests of key activity, and the detection of
// altered entries.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acceptedBuys, paying } from '../../test/http/settlement-fixtures.ts';
import { databaseWithKeys, NOW } from '../../test/http/store-fixtures.ts';
import { auditEntry } from '../../test/support/audit-stage.ts';
import { commitAll } from '../../test/support/database.ts';
import { until } from '../../test/support/patience.ts';
import { makeAuditLog } from '../adapters/postgres/audit/audit-log.ts';
import { makePostgresStore } from '../adapters/postgres/store.ts';
import { makeGuards } from '../app/treasury/guards.ts';
import { startAuditWatch } from './watch-audit.ts';

const { database } = await databaseWithKeys();
const audit = makeAuditLog(database);

function start(nowMs = NOW) {
  const heads: unknown[] = [];
  const troubles: unknown[] = [];
  const gauges = new Map<string, number>();
  const gauge = (name: string) => (series: readonly { readonly value: number }[]) => {
    gauges.set(name, series[0]!.value);
  };
  const loop = startAuditWatch({
    ...{ audit, clock: { now: () => nowMs }, digestEveryMs: 20, verifyEveryMs: 20 },
    guards: makeGuards({ clock: { now: () => nowMs } }),
    instruments: { gauge, totals: gauge, counter: () => () => undefined } as never,
    onHead: (head) => heads.push(head),
    onTrouble: (_, detail) => troubles.push(detail),
    onError: (error) => troubles.push(error),
  });
  return { heads, troubles, gauges, stop: () => loop.stop() };
}

test('the head is published once a day, no matter which process is first', async () => {
  const { no, hash } = await audit.head();
  const both = [start(), start()];
  await until('both have verified', () =>
    both.every(({ gauges }) => gauges.get('sliproad_audit_verified_entries') === no),
  );
  const nextDay = start(NOW + 86_400_000);
  await until('the next day has its own', () => nextDay.heads.length === 1);
  for (const each of [...both, nextDay]) await each.stop();
  assert.deepEqual([...both[0]!.heads, ...both[1]!.heads], [{ no, hash }]);
  assert.deepEqual(
    [...both, nextDay].flatMap(({ troubles }) => troubles),
    [],
  );
});

test('threat 84: digests of activity are added to the audit log, and if its end is deleted while a process runs, this is reported once', async () => {
  const watch = start();
  const [buy] = await acceptedBuys(database, 1);
  await commitAll(makePostgresStore(database), [{ atMs: NOW, transactions: [paying(buy!)] }]);
  await until(
    'a digest is made',
    async () => (await audit.list({ action: 'activity.digest', limit: 1 })).length === 1,
  );
  for (let index = 0; index < 5; index++) await audit.record(auditEntry());
  const { no } = await audit.head();
  await until('it is verified', () => watch.gauges.get('sliproad_audit_verified_entries') === no);
  assert.equal(watch.gauges.get('sliproad_audit_broken'), 0);
  await database.transaction(async (client) => {
    await client.query('alter table audit_log disable trigger user');
    await client.query('delete from audit_log where no > $1', [no - 2]);
    await client.query('update audit_head set (no, hash) = (select no, hash from audit_log where no = $1)', [
      no - 2,
    ]);
    await client.query('alter table audit_log enable trigger user');
  });
  await until('it is found', () => watch.gauges.get('sliproad_audit_broken') === 1);
  const turns = watch.troubles.length;
  await audit.record(auditEntry());
  await watch.stop();
  assert.deepEqual(watch.troubles.slice(0, turns), [
    { no, text: `entry ${no} was verified before and is now missing` },
  ]);
});
