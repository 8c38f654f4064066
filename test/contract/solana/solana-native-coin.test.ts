// Tests that every unit of a treasury's native coin is explained. The test makes payments, failures, closed accounts and a
// set-up on Solana. Afterwards, the chain's balance has changed by exactly the amount that the ledger posted.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openRig } from '../../support/settlement.ts';
import { openCompany, payAndFail, setUpInterrupted, sweep } from '../network/native-coin.ts';
import { makeSolanaHarness, openSolanaServer } from './solana-network.ts';

const RENT = 2_039_280n;
const rig = await openRig();
const server = await openSolanaServer();
after(() => server.close());

test('threat 39: Solana: a set-up, accounts opened for recipients, failures, and deposit accounts that are swept and closed', async () => {
  const harness = await makeSolanaHarness(server);
  const company = await openCompany(rig, harness);
  await setUpInterrupted(company);
  assert.deepEqual(await company.posted(), { network_fee_paid: 1, treasury_account_opened: 1 });
  await payAndFail(company, harness);
  await sweep(company);
  const { coin } = await company.assertExplained();
  assert.equal(coin.gainedMinor, 2n * RENT, 'what the depositors had locked');
  const { recipient_account_opened: opened, deposit_account_closed: closed } = await company.posted();
  assert.deepEqual([opened, closed], [5, 2]);
});
