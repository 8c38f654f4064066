// Tests the erasure of one customer in a real browser: find the customer, read the plan, confirm with a word, and see that nothing
// is left; and that an auditor can export and cannot erase.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buy, newCustomer } from '../e2e/calls.ts';
import { WITHOUT_CHROMIUM } from '../support/browser/chromium.ts';
import { clean, openStage } from '../support/browser/stage.ts';

const skip = WITHOUT_CHROMIUM;
const stage = skip ? (undefined as never) : await openStage();
const AT = '/app/operator/test/privacy';

test('a customer is found, the plan says what is erased, and after the confirmation it is erased', {
  skip,
}, async () => {
  const { account_number: account, amount } = newCustomer();
  const bought = await buy(stage.service, { account_number: account, amount, account_name: 'Ngozi Eze' });
  const cancelled = await stage.service.post(`/transactions/v1/${bought.transaction_id}/cancel`, {});
  assert.equal(cancelled.status, 200, cancelled.text);
  const window = await stage.open({ operator: 'admin' });
  const { page } = window;
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(AT);
  await page.getByText('No request waits in test mode').waitFor();
  await page.getByLabel('Account number').fill('12');
  await page.getByRole('button', { name: 'Show plan' }).click();
  await page.getByText('The account number must be 10 digits.').waitFor();
  await page.getByLabel('Account number').fill('0000000000');
  await page.getByRole('button', { name: 'Show plan' }).click();
  await page.getByText('Nothing is stored about this account in test mode').waitFor();
  await page.getByLabel('Account number').fill(account);
  await page.getByRole('button', { name: 'Show plan' }).click();
  await page.getByRole('row', { name: /API requests/ }).waitFor();
  await page.getByRole('row', { name: /Open records/ }).waitFor();
  await page.getByRole('button', { name: 'Erase', exact: true }).click();
  const dialog = page.getByRole('dialog');
  const confirm = dialog.getByRole('button', { name: 'Erase', exact: true });
  assert.ok(await confirm.isDisabled(), 'not without the word');
  await dialog.getByLabel(/to confirm/).fill('erase');
  await confirm.click();
  await page.getByText('Erased. Records that must be kept are erased later').waitFor();
  await page.getByRole('row', { name: /customer_/ }).waitFor();
  await clean(window);
});

test('an auditor exports the data of a customer and cannot erase it', { skip }, async () => {
  const window = await stage.open({ operator: 'auditor' });
  const { page } = window;
  await page.goto(AT);
  await page.getByLabel('Account number').fill('0123456785');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  assert.equal((await download).suggestedFilename(), 'person-test.json');
  assert.equal(await page.getByRole('button', { name: 'Show plan' }).count(), 0);
  await clean(window);
});
