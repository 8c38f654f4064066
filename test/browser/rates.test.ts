// Tests rates and quotes in a real browser. A price far from the last price waits for a second person and then changes the rate
// book on the first person's page. A business creates a quote, sees its remaining time, uses it with the commands on the page,
// and sees it as used.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { WITHOUT_CHROMIUM } from '../support/browser/chromium.ts';
import { fillCode } from '../support/browser/people.ts';
import { clean, openStage, type Window } from '../support/browser/stage.ts';
import { until } from '../support/patience.ts';

const skip = WITHOUT_CHROMIUM;
const stage = skip ? (undefined as never) : await openStage({ QUOTE_VALID_FOR: '10m' });
const AT = '/app/operator/test/rates';

const button = ({ page }: Window, name: string) => page.getByRole('button', { name, exact: true });
const row = ({ page }: Window, caption: string, name: RegExp) =>
  page.getByRole('table', { name: caption }).getByRole('row', { name });
const BOOK = 'Book of OTC buy';

test('threat 61: a price that is 10 % off is proposed, approved by a second person, and then used in the book', {
  skip,
}, async () => {
  const maker = await stage.open({ operator: 'reviewer' });
  const { page } = maker;
  await page.goto(AT);
  await page.getByRole('button', { name: /OTC buy Sample Available 1 USD = ₦1,375\.1150/ }).waitFor();
  await button(maker, 'Set OTC buy prices').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('USD').fill('1400');
  await dialog.getByText('+2.83 %').waitFor();
  await dialog.getByText('One person is enough').waitFor();
  await dialog.getByLabel('USD').fill('99999999999');
  await dialog.getByText(/One USD must be between/).waitFor();
  assert.ok(await dialog.getByRole('button', { name: 'Set prices' }).isDisabled());
  await dialog.getByLabel('USD').fill('1497.65');
  await dialog.getByText('+10 %').waitFor();
  await dialog.getByText('A second person must approve this.').waitFor();
  await dialog.getByRole('button', { name: 'Propose prices' }).click();
  await page.getByText('It takes effect when another person approves it').waitFor();
  await page.getByText('Awaiting approval:').waitFor();
  await row(maker, BOOK, /^USD ₦1,361\.5000/).waitFor();

  const checker = await stage.open({ operator: 'approver' });
  const credentials = await stage.withSecondFactor(checker);
  await checker.page.goto(AT);
  assert.equal(await button(checker, 'Set OTC buy prices').count(), 0);
  await checker.page.getByRole('link', { name: 'Open proposal' }).click();
  await checker.page.getByText(/1497\.65 is 10 % from 1361\.5/).waitFor();
  await button(checker, 'Approve proposal').click();
  await checker.page.getByRole('textbox', { name: 'Reason' }).fill('as agreed with the bank');
  await button(checker, 'Continue to second factor').click();
  await fillCode(checker.page, credentials.code);
  await button(checker, 'Confirm with code').click();
  await checker.page.getByText('Approved and carried out').waitFor();
  const dollar = row(maker, BOOK, /^USD ₦1,497\.6500/);
  await dollar.waitFor();
  await page.getByText('Awaiting approval:').waitFor({ state: 'detached' });
  await dollar.getByRole('button', { name: 'USD', exact: true }).click();
  await page.getByRole('listitem').filter({ hasText: 'desk' }).getByText('Used').waitFor();
  await row(maker, 'Desk prices', /^USD ₦1,497\.6500 Person \d+, approved by Person \d+/).waitFor();
  await clean(maker);
  await clean(checker);
});

test('ending a price removes the product and shows the reason, and a sample price is never live', {
  skip,
}, async () => {
  const window = await stage.open({ operator: 'admin' });
  const { page } = window;
  await page.goto(`${AT}?product=usdc_ngnc`);
  await button(window, 'End KES price').click();
  await page.getByRole('dialog').getByRole('button', { name: 'End KES price' }).click();
  await page.getByText('The API returns 503. KES: ').waitFor();
  await row(window, 'Book of USDC to NGNC', /^KES/).getByText('Not quoted').waitFor();
  await page.getByText('8 of 9', { exact: true }).first().waitFor();
  await page.goto('/app/operator/live/rates');
  await page.getByText('The API returns 503. All currencies: ').first().waitFor();
  assert.equal(await page.getByText('Sample', { exact: true }).count(), 0);
  await clean(window);
});

test('a business creates a quote, sees its remaining time, uses it with curl and sees it as used', {
  skip,
}, async () => {
  const { service } = stage;
  const { businessId, testKey } = service.business;
  const base = `/app/b/${businessId}/test`;
  const window = await stage.open({ business: businessId, role: 'developer' });
  const { page } = window;
  await page.goto(`${base}/rates`);
  await page.getByText('naira per 1 USD', { exact: true }).waitFor();
  await page.getByLabel('Amount').fill('100.50');
  await page.getByLabel('Currency', { exact: true }).selectOption('GBP');
  await page.getByLabel('Network').selectOption('Polygon');
  await button(window, 'Create quote').click();
  const expires = page.getByText(/^Expires in 9 min/);
  await expires.waitFor();
  const first = await expires.textContent();
  await page.getByText('1 GBP = ₦1,844.7650').waitFor();
  await page.getByText('₦185,398.89').first().waitFor();
  await until('time has run', async () => (await expires.textContent()) !== first, { kind: 'page' });
  const line = await page.locator('pre', { hasText: '/transactions/v1/onramp' }).textContent();
  const { stdout } = await promisify(execFile)('sh', ['-c', line!], {
    env: { ...process.env, SLIPROAD_KEY: testKey },
  });
  const { transaction, message } = JSON.parse(stdout);
  assert.ok(transaction, message);
  // The event stream reports the change, so the page changes without a reload.
  await page.getByRole('link', { name: 'this transaction' }).waitFor();
  await row(window, 'Your quotes', /^Buy 100\.50 GBP Used/).waitFor();
  await page.getByRole('link', { name: 'this transaction' }).click();
  await page.waitForURL(`**${base}/transactions/${transaction.transaction_id}`);
  await page.getByText('1 GBP = ₦1,844.7650').waitFor();
  await page.getByRole('link', { name: 'Open quote' }).click();
  await page.getByText('A quote is used once.').waitFor();
  await clean(window);
});

test('a viewer can read rates and quotes but cannot create quotes; missing live rates are explained', {
  skip,
}, async () => {
  const { businessId } = stage.service.business;
  const window = await stage.open({ business: businessId, role: 'viewer' });
  const { page } = window;
  await page.goto(`/app/b/${businessId}/test/rates`);
  await page.getByText('Only owners and developers can create quotes.').waitFor();
  assert.equal(await button(window, 'Create quote').count(), 0);
  await page.goto(`/app/b/${businessId}/live/rates`);
  await page.getByText('These rates are currently unavailable.').waitFor();
  await page.getByText('No quotes yet').waitFor();
  await clean(window);
});
