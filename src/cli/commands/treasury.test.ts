// Cancels one of several sends in one envelope. The operator sees which other sends this also cancels, and must confirm with
// --yes. A treasury that cannot be read is shown as unreadable.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openScriptedRig } from '../../../test/support/networks/scripted-network.ts';
import { makeAuditLog } from '../../adapters/postgres/audit/audit-log.ts';
import type { SendStatus } from '../../ports/networks/network-payer.ts';
import type { Terminal } from '../command.ts';
import { CommandError } from '../terminal/command-error.ts';
import { treasuryCommands } from './treasury.ts';

const { paidBuys, rig, scripted, untilAll } = await openScriptedRig();
const command = treasuryCommands.find(({ name }) => name === 'sends cancel')!;

const ledgerAudit = {
  unswept: async () => new Map(),
  idle: async () => new Map(),
  listHalts: async () => [],
};
const treasuryDesk = { lastWithdrawals: async () => [] };

const replacements = () => rig.rows('select from attempt_replacements');

async function stuckBuys(count: number) {
  const ids = await paidBuys(count);
  const ofStatus = (versions: number): SendStatus =>
    versions > 1 ? { kind: 'failed', reason: 'cancelled', cost: null } : { kind: 'pending' };
  const { process, sent } = scripted({
    statusOf: ({ versions }) => ofStatus(versions.length),
    more: {
      cancel: async ({ versions: [first] }) => ({
        ...first!,
        hash: `${first!.hash}instead`,
        payload: 'replacement',
      }),
    },
  });
  await untilAll(process, ids, 'confirming');
  const movements = (await rig.deps.store.movementsOf(ids)).map(({ id }) => id);
  const run = async (...args: readonly string[]) => {
    const printed: string[] = [];
    const print = (line: string) => void printed.push(line);
    const withNetworks = (work: (foundation: never) => unknown) =>
      work({ ...process.deps, audit: makeAuditLog(rig.database), actor: 'os:ada' } as never);
    const failure = await command.run({ print, withNetworks } as unknown as Terminal, args).then(
      () => undefined,
      (error) => {
        assert.ok(error instanceof CommandError);
        return error.message;
      },
    );
    return { text: printed.join('\n'), failure };
  };
  return { ids, movements, process, sent, run };
}

test('sends in one envelope are cancelled together: the command lists them first, and cancels them only with --yes', async () => {
  const { ids, movements, process, sent, run } = await stuckBuys(3);
  const [first, ...others] = movements as [string, ...string[]];
  const before = sent.length;
  const asked = await run(first);
  assert.match(asked.failure!, /Nothing was cancelled.*--yes/);
  for (const id of others)
    assert.match(asked.text, new RegExp(`^${id} +send +txn_\\w+ +₦25,000\\.\\d\\d +sending$`, 'm'));
  assert.deepEqual([sent.length, await replacements()], [before, []]);

  assert.equal((await run(first, '--yes')).failure, undefined);
  assert.equal((await replacements()).length, 1);
  const [entry] = await makeAuditLog(rig.database).list({ action: 'send.cancel', limit: 1 });
  assert.deepEqual([entry!.actor, entry!.subject], ['os:ada', first]);
  await untilAll(process, ids, 'on_hold');
});

test('cancelling the only send of an envelope needs no --yes', async () => {
  const before = (await replacements()).length;
  const { ids, movements, process, run } = await stuckBuys(1);
  const { text, failure } = await run(movements[0]!);
  assert.equal(failure, undefined);
  assert.match(text, /^Signed and broadcast: 0xhash\d+instead/);
  assert.equal((await replacements()).length, before + 1);
  await untilAll(process, ids, 'on_hold');
});

test('a network whose providers do not respond is shown as unreadable, not as missing', async () => {
  const show = treasuryCommands.find(({ name }) => name === 'treasury')!;
  const printed: string[] = [];
  const problem = 'Polygon: its providers did not answer in time.';
  const { deps } = scripted().process;
  const networks = {
    ...deps.networks,
    enabled: () => [],
    disabled: (mode: string) =>
      mode === 'live' ? [{ mode, name: 'Polygon', problem, described: null }] : [],
  };
  const withNetworks = (work: (foundation: never) => unknown) =>
    work({ ...deps, networks, ledgerAudit, treasuryDesk } as never);
  const print = (line: string) => void printed.push(line);
  const answer = await show.run({ print, withNetworks } as unknown as Terminal, []);
  assert.deepEqual(printed, [`live Polygon cannot be read: ${problem}`]);
  assert.deepEqual(answer, {
    ...{ treasuries: [], withdrawals: [] },
    disabled: [{ mode: 'live', network: 'Polygon', problem }],
  });
});
