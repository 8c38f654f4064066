// Tests a returned payout in a real browser. One person opens the case, enters the corrected account, sees the planned postings
// and proposes them. Another person approves with a second factor, and a second payout completes the sell.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newCustomer, sell } from '../e2e/calls.ts';
import { settled } from '../e2e/settled.ts';
import { WITHOUT_CHROMIUM } from '../support/browser/chromium.ts';
import { fillCode } from '../support/browser/people.ts';
import { clean, openStage, type Window } from '../support/browser/stage.ts';

const skip = WITHOUT_CHROMIUM;
const stage = skip ? (undefined as never) : await openStage();
const AT = '/app/operator/test';

async function returned() {
  const order = await sell(stage.service, newCustomer(), { headers: { 'svc-scenario': 'payout_returned' } });
  await settled(stage.service, order.transaction_id, { states: ['on_hold'] });
  return order;
}

async function toCase({ page }: Window): Promise<void> {
  await page.goto(AT);
  await page.getByText('Open cases').click();
  await page.getByRole('heading', { name: 'Returned payouts' }).waitFor();
  await page.getByRole('cell').getByRole('link').first().click();
  await page.getByRole('heading', { name: /^Returned payout, ₦/ }).waitFor();
}

test('threat 83: two people repeat a returned payout to a corrected account, and the sell completes', {
  skip,
}, async () => {
  const order = await returned();
  const maker = await stage.open({ operator: 'reviewer' });
  await toCase(maker);
  // The operator owes the returned naira to the customer, so the operator cannot keep it.
  await maker.page.getByText('Not available now').waitFor();
  await maker.page.getByRole('button', { name: 'Pay again' }).click();
  const dialog = maker.page.getByRole('dialog');
  await dialog.getByPlaceholder('Type a name').fill('Zenith');
  await maker.page.getByRole('option', { name: 'Zenith Bank' }).click();
  await dialog.getByLabel('Account number').fill('2080000017');
  await dialog.getByLabel('Account name').fill(order.account_name);
  await dialog.getByText('The sell goes from on hold to paying out').waitFor();
  await dialog.getByText('Returned payout due').waitFor();
  await dialog.getByRole('button', { name: /^Propose to pay ₦.* again$/ }).click();
  await maker.page.getByText('Another person must decide.').waitFor();

  const checker = await stage.open({ operator: 'approver' });
  const credentials = await stage.withSecondFactor(checker);
  await toCase(checker);
  await checker.page.getByText('The case is closed: paid again').waitFor();
  await checker.page.getByRole('button', { name: 'Approve proposal' }).click();
  await checker.page.getByRole('textbox', { name: 'Reason' }).fill('the customer named this account');
  await checker.page.getByRole('button', { name: 'Continue to second factor' }).click();
  await fillCode(checker.page, credentials.code);
  await checker.page.getByRole('button', { name: 'Confirm with code' }).click();
  await checker.page.getByText('Approved and carried out').waitFor();
  await settled(stage.service, order.transaction_id, { states: ['completed'] });

  await checker.page.getByRole('heading', { name: 'Returned payout due' }).waitFor();
  await checker.page.goto(`${AT}/cases?state=closed`);
  await checker.page.getByText('Paid again').waitFor();
  const movements = await stage.service.foundation.store.movementsOf([order.transaction_id]);
  const payouts = movements.filter(({ kind }) => kind === 'payout').map(({ state }) => state);
  assert.deepEqual(payouts.toSorted(), ['done', 'returned']);
  await clean(maker);
  await clean(checker);
});
