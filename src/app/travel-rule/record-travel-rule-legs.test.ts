// Tests Travel-Rule records. Every transfer of tokens at or above the threshold has one. A record is written once from
// committed records, is sealed and never changes. The export is safe in a spreadsheet.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { readableLog } from '../../../test/support/horizon.ts';
import { openRig, PAYER, POLYGON_WALLET } from '../../../test/support/settlement.ts';
import { makeLogReaders } from '../../adapters/postgres/events/event-log.ts';
import { makeSealedTravelRule, makeTravelRuleStore } from '../../adapters/postgres/travel-rule.ts';
import { makeSecretBox } from '../../adapters/secrets/secret-box.ts';
import { resealSecrets } from '../people/reseal-secrets.ts';
import {
  listTravelRuleRecords,
  streamTravelRuleRecords,
  TRAVEL_RULE_CSV_HEAD,
  travelRuleCsvRow,
} from './list-travel-rule-records.ts';
import {
  type RecordTravelRuleLegsDeps,
  recordTravelRuleLegs,
  travelRulePurpose,
} from './record-travel-rule-legs.ts';

const rig = await openRig();
const MINIMUM = 2_000_000n;
const [oldKey, newKey] = ['old', 'new'].map((id) => ({ id, bytes: randomBytes(32) }));
const fingerprintKey = randomBytes(32);
const box = makeSecretBox({ keys: [oldKey!], fingerprintKey });
const travelRule = makeTravelRuleStore(rig.database);
const deps: RecordTravelRuleLegsDeps = {
  ...{ store: rig.deps.store, travelRule, box, minimumMinor: MINIMUM },
  eventLog: readableLog(rig.database),
  logReaders: makeLogReaders(rig.database),
};
const recordsOf = async (id: string) =>
  (await listTravelRuleRecords({ travelRule, box }, { limit: 100 })).filter(
    ({ transactionId }) => transactionId === id,
  );

async function boughtFor(amountMinor: bigint) {
  const buy = await rig.buy({ amountMinor, accountName: PAYER.name, accountNumber: PAYER.account });
  await rig.payIn({ amountMinor });
  await rig.until(buy.id, 'completed');
  return rig.find(buy.id);
}

test('the send of a buy is recorded with payer, wallet owner and hash; below the threshold nothing is recorded', async () => {
  const buy = await boughtFor(2_500_000n);
  const small = await boughtFor(1_999_999n);
  assert.equal(await recordTravelRuleLegs(deps), 1);
  assert.deepEqual(await recordsOf(small.id), []);
  const [record, ...rest] = await recordsOf(buy.id);
  assert.deepEqual(rest, []);
  assert.match(record!.leg, /^mov_/);
  assert.deepEqual(
    [record!.kind, record!.mode, record!.network, record!.txHash, record!.nairaMinor],
    ['send', 'test', 'Polygon', buy.txHash, 2_500_000n],
  );
  assert.equal(record!.amountMinor, 25_000_000_000n);
  assert.deepEqual(record!.originator, {
    ...{ name: PAYER.name, bankName: 'GTBank', accountNumber: PAYER.account, wallet: null },
    business: { id: buy.businessId, name: 'Fixture' },
  });
  assert.deepEqual(record!.beneficiary, {
    ...{
      name: PAYER.name,
      bankName: null,
      accountNumber: null,
      wallet: POLYGON_WALLET.address,
      business: null,
    },
  });
});

test('each deposit of a sell has a record if all of them together reach the threshold', async () => {
  const sell = await rig.sell({ wallet: POLYGON_WALLET });
  await rig.depositFor(sell, 1_500_000n);
  await rig.depositFor(sell, 1_000_000n);
  await rig.until(sell.id, 'completed');
  await recordTravelRuleLegs(deps);
  const records = await recordsOf(sell.id);
  assert.deepEqual(records.map(({ kind, nairaMinor }) => [kind, nairaMinor]).toSorted(), [
    ['deposit', 1_000_000n],
    ['deposit', 1_500_000n],
  ]);
  const [{ originator, beneficiary, txHash } = assert.fail()] = records;
  assert.deepEqual([originator.name, originator.business?.id], ['Fixture', sell.businessId]);
  assert.deepEqual([beneficiary.name, beneficiary.accountNumber], [PAYER.name, sell.accountNumber]);
  const hashes = await rig.rows<{ tx_hash: string }>(
    'select tx_hash from deposits where transaction_id = $1',
    sell.id,
  );
  assert.ok(hashes.some((each) => each.tx_hash === txHash));
});

test('a second run writes nothing again, and two processes write each record only once', async () => {
  const buy = await boughtFor(3_000_000n);
  await rig.rows("delete from log_readers where name = 'travel_rule'");
  const written = await Promise.all([recordTravelRuleLegs(deps), recordTravelRuleLegs(deps)]);
  assert.equal(written[0]! + written[1]!, 1);
  await rig.rows("update log_readers set position = '' where name = 'travel_rule'");
  assert.equal(await recordTravelRuleLegs(deps), 0);
  assert.equal((await recordsOf(buy.id)).length, 1);
});

test('the database refuses to change or delete a record and stores no name; after resealing, a new key file opens the records', async () => {
  await assert.rejects(rig.rows("update travel_rule_records set tx_hash = '0x'"), /append-only|append_only/i);
  await assert.rejects(rig.rows('delete from travel_rule_records'), /append-only|append_only/i);
  const stored = JSON.stringify(await rig.rows('select * from travel_rule_records'));
  assert.doesNotMatch(stored, /Adaeze|0123456785|0x5aAeb/i);
  const rolled = makeSecretBox({ keys: [newKey!, oldKey!], fingerprintKey });
  const table = makeSealedTravelRule(rig.database, travelRulePurpose);
  const [result] = await resealSecrets({ box: rolled, tables: [table] });
  assert.ok(result!.resealed > 0 && result!.resealed === result!.seen);
  const only = makeSecretBox({ keys: [newKey!], fingerprintKey });
  const opened = await listTravelRuleRecords({ travelRule, box: only }, { limit: 100 });
  assert.equal(opened.length, result!.seen);
  const all = [];
  for await (const record of streamTravelRuleRecords({ travelRule, box: only }, { mode: 'test' }))
    all.push(record);
  assert.deepEqual(all, opened);
  assert.deepEqual(await listTravelRuleRecords({ travelRule, box: only }, { mode: 'live', limit: 100 }), []);
});

test('threat 79: a cell of the export that a spreadsheet would execute is neutralised', async () => {
  const rolled = makeSecretBox({ keys: [newKey!], fingerprintKey });
  const [record = assert.fail()] = await listTravelRuleRecords({ travelRule, box: rolled }, { limit: 1 });
  const row = travelRuleCsvRow({ ...record, originator: { ...record.originator, name: '=cmd|calc' } });
  assert.match(row, /,'=cmd\|calc,/);
  assert.equal(row.split(',').length, TRAVEL_RULE_CSV_HEAD.split(',').length);
  const atMs = Date.parse('2026-11-30T23:30:05Z');
  assert.match(travelRuleCsvRow({ ...record, atMs }), /,2026-12-01 00:30:05$/);
});
