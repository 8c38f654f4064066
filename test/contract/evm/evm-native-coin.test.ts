// Tests that every unit of a treasury's native coin is explained. The test makes payments, failures, replacements, sweeps and a
// set-up on EVM. Afterwards, the chain's balance has changed by exactly the amount that the ledger posted.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { cancelSend } from '../../../src/app/movements/sends/cancel-send.ts';
import type { Network } from '../../../src/ports/networks/network.ts';
import { openRig } from '../../support/settlement.ts';
import {
  buysFor,
  openCompany,
  payAndFail,
  setUpInterrupted,
  sweep,
  walletsOf,
} from '../network/native-coin.ts';
import { makeEvmHarness, stopEvmChain } from './evm-network.ts';

const rig = await openRig();
after(stopEvmChain);

test('EVM: a set-up, payments, failures, a replacement, a cancelled send, a refused wallet and sweeps', async () => {
  const harness = await makeEvmHarness();
  // This simulates a token that refuses a wallet only after the service signed the payment to it.
  const blind: Network = { ...harness.network, recipientReady: async () => 'ready' };
  const company = await openCompany(rig, harness, blind);
  await setUpInterrupted(company);
  company.handOver();
  const rest = await company.setUp();
  assert.ok(rest.ok, rest.ok ? '' : rest.error);
  assert.deepEqual(await company.posted(), { network_fee_paid: 3 }, 'factory, disperse and approval');
  await payAndFail(company, harness);

  company.ahead.push('stuck');
  await company.untilAll(await buysFor(company, await walletsOf(harness, 1)), 'completed');
  assert.ok((await rig.rows('select from attempt_replacements')).length > 0, 'it was signed again');

  company.ahead.push('dropped');
  const [given] = await buysFor(company, await walletsOf(harness, 1));
  await company.untilAll([given!], 'confirming');
  const [movement] = await rig.rows<{ id: string }>(
    'select id from movements where transaction_id = $1',
    given,
  );
  const cancelled = await cancelSend(company.process.deps, { movementId: movement!.id, othersToo: false });
  assert.ok(cancelled.ok, cancelled.ok ? '' : cancelled.error);
  await company.untilAll([given!], 'on_hold');

  const [refused, ...paid] = await buysFor(company, [
    await harness.refusing!(),
    ...(await walletsOf(harness, 2)),
  ]);
  await company.untilAll(paid, 'completed');
  await company.untilAll([refused!], 'on_hold');
  const tries = await rig.rows<{ reason: string }>(
    `select distinct a.evidence->>'reason' as reason from movement_attempts a join movements m on m.id = a.movement_id
      where m.transaction_id = $1 order by 1`,
    refused,
  );
  assert.deepEqual(
    tries.map(({ reason }) => reason),
    ['reverted', 'the token refused it'],
    'alone, and among others that were paid',
  );
  await sweep(company);
  const { coin } = await company.assertExplained();
  assert.equal(coin.gainedMinor, 0n);
});
