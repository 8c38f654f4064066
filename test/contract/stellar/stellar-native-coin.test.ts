// Tests that every unit of a treasury's native coin is explained. The test makes payments, failures, locked reserves and a
// set-up on Stellar. Afterwards, the chain's balance has changed by exactly the amount that the ledger posted.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openRig } from '../../support/settlement.ts';
import { buysFor, openCompany, payAndFail, setUpInterrupted, walletsOf } from '../network/native-coin.ts';
import { makeStellarHarness, openStellarServer } from './stellar-network.ts';

const RESERVE = 5_000_000n;
const rig = await openRig();
const server = await openStellarServer();
after(() => server.close());

test('Stellar: a set-up, payments, failures, transactions that no ledger included, and a claimable balance', async () => {
  const harness = await makeStellarHarness(server);
  const laysDown = await harness.open({ withoutTrustline: 'claimable_balance' });
  const company = await openCompany(rig, harness, laysDown);
  const { lockedMinor } = (await company.read()).chain.native;
  await setUpInterrupted(company);
  await payAndFail(company, harness);
  company.ahead.push('dropped');
  await company.untilAll(await buysFor(company, await walletsOf(harness, 1)), 'completed');
  const { wallet } = await harness.unready!();
  await company.untilAll([await company.buyFor(wallet)], 'completed');
  const now = await company.assertExplained();
  // The reserves for a trustline and two claimants are locked, but the coin still belongs to the treasury.
  assert.equal(now.chain.native.lockedMinor - lockedMinor, 3n * RESERVE);
});
