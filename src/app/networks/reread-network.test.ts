// Tests the reading of a network again from a given block. No process may read the network at the same time. Unread blocks are
// skipped only if the operator confirms it, and the log names the operator.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openRig } from '../../../test/support/settlement.ts';
import { BLOCK_POSITIONS } from '../../adapters/networks/evm/observe/position.ts';
import { makeLedgerAudit } from '../../adapters/postgres/ledger/audit.ts';
import { networkFeedName } from '../settlement/observe-deposits.ts';
import { rereadNetwork } from './reread-network.ts';

const rig = await openRig();
const deps = {
  store: rig.deps.store,
  ledgerAudit: makeLedgerAudit(rig.database),
  clock: rig.deps.clock,
  actor: 'cli:ada',
};
const FEED = networkFeedName('test', 'Polygon');
const reread = (from: bigint, skip = false) =>
  rereadNetwork(deps, { mode: 'test', network: 'Polygon', from, skip, blocks: BLOCK_POSITIONS });
async function read(next: bigint) {
  const hold = (await rig.deps.store.holdFeed(FEED, 'a process', rig.now(), 15_000))!;
  await rig.deps.store.commit([], { hold, position: BLOCK_POSITIONS.positionAt(next) });
}
async function position() {
  const [row] = await rig.rows<{ position: string }>('select position from feeds where name = $1', FEED);
  return row!.position;
}

test('a network is read again from the block that an operator names, and the audit log names the operator', async () => {
  assert.match(JSON.stringify(await reread(5n)), /has not been read yet/);
  rig.pass(16_000);
  await read(100n);
  assert.match(JSON.stringify(await reread(40n)), /A process is reading.*SETTLE_LEASE_MS/);
  assert.equal(BLOCK_POSITIONS.nextOf(await position()), 100n);
  rig.pass(16_000);
  assert.match(JSON.stringify(await reread(110n)), /Blocks 100 to 109 were never read/);
  rig.pass(16_000);
  assert.deepEqual(await reread(40n), { ok: true, value: { before: 100n } });
  assert.deepEqual(JSON.parse(await position()), { block: '39', hash: null, open: [] });
  rig.pass(16_000);
  assert.ok((await reread(60n, true)).ok);
  const free = await rig.deps.store.holdFeed(FEED, 'a process that starts', rig.now(), 0);
  assert.ok(free !== undefined, 'no process has to wait after it');
  assert.equal(BLOCK_POSITIONS.nextOf(await position()), 60n);
  const lines = await rig.rows<{ actor: string }>(
    "select actor from audit_log where action = 'network_reread' order by 1",
  );
  assert.deepEqual(lines, [{ actor: 'cli:ada' }, { actor: 'cli:ada' }]);
});
