// Tests that sends of an asset resume after a finding. The finding is accepted once, with the decision of two people.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COMMITTED, STALE } from '../../../../test/http/settlement-fixtures.ts';
import { databaseWithKeys, NOW } from '../../../../test/http/store-fixtures.ts';
import { CHECKER, giveStepUp, MAKER } from '../../../../test/support/people/reviewers.ts';
import type { Change } from '../../../domain/records/change.ts';
import { makePostgresStore } from '../store.ts';

const { database } = await databaseWithKeys();
const store = makePostgresStore(database);
const ASSET = 'NGNC@Polygon';
const rows = async (text: string) => (await database.query<Record<string, unknown>>({ text })).rows;
const halts = async () => (await rows('select asset from halts')).length;

async function stopped(...txHashes: readonly string[]): Promise<void> {
  for (const hash of txHashes)
    await database.query({
      text: `insert into outflow_findings (mode, network, tx_hash, asset, problem, amount_minor, movement_ids, at)
        values ('test', 'Polygon', $1, $2, 'not_ours', 5, '[]', now())`,
      values: [hash, ASSET],
    });
  await database.query({
    text: `insert into halts (mode, asset, reason, at) values ('test', $1, 'found', now()) on conflict do nothing`,
    values: [ASSET],
  });
}

async function resuming(proposalId: string, ...txHashes: readonly string[]): Promise<Change> {
  await database.query({
    text: `insert into proposals (id, mode, action, subject_id, detail, proposed_by, proposed_at)
      values ($1, 'test', 'resume', $2, '{}', $3, now())`,
    values: [proposalId, ASSET, MAKER],
  });
  const stepUp = await giveStepUp(database, { personId: CHECKER, subjectId: proposalId, atMs: NOW });
  const people = { proposedBy: MAKER, decidedBy: CHECKER, approved: true, reason: 'looked at' };
  const accepted = txHashes.map((txHash) => ({ network: 'Polygon', txHash }));
  return {
    ...{ atMs: NOW, decision: { proposalId, ...people, stepUp } },
    resume: { mode: 'test', asset: ASSET, accepted },
  };
}

test('an accepted finding stores the decision that accepted it, and sends resume once every finding is accepted', async () => {
  await stopped('0x1', '0x2');
  assert.deepEqual(await store.commit([await resuming('prp_1', '0x1')]), [COMMITTED]);
  assert.equal(await halts(), 1, 'the second finding is open');
  assert.deepEqual(await store.commit([await resuming('prp_2', '0x2')]), [COMMITTED]);
  assert.equal(await halts(), 0);
  assert.deepEqual(
    await rows(
      `select mode, network, tx_hash, proposal_id, (extract(epoch from at) * 1000)::float8 as at_ms
        from outflow_acceptances order by tx_hash`,
    ),
    [1, 2].map((no) => ({
      ...{ mode: 'test', network: 'Polygon', tx_hash: `0x${no}`, proposal_id: `prp_${no}`, at_ms: NOW },
    })),
  );
});

test('a second acceptance of a finding is stale, and its decision is not stored', async () => {
  await stopped('0x3');
  assert.deepEqual(await store.commit([await resuming('prp_3', '0x1', '0x3')]), [STALE]);
  assert.equal(await halts(), 1);
  assert.deepEqual(await rows(`select from proposal_decisions where proposal_id = 'prp_3'`), []);
});

test('a rail stays in doubt from its first broken promise on, and the newest broken promise is stored', async () => {
  const doubt = (movementId: string, atMs: number): Change => ({
    ...{ atMs, doubt: { mode: 'test', rail: 'a-rail', movementId, atMs } },
  });
  const stored = () =>
    rows(`select movement_id, (extract(epoch from since) * 1000)::float8 as at_ms from rail_doubts`);
  await store.commit([doubt('mov_1', NOW)]);
  assert.deepEqual(await stored(), [{ movement_id: 'mov_1', at_ms: NOW }]);
  await store.commit([doubt('mov_3', NOW + 2), doubt('mov_2', NOW + 1)]);
  assert.deepEqual(await stored(), [{ movement_id: 'mov_3', at_ms: NOW }]);
});
