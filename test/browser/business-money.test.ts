// Tests what a business sees of its money, in a real browser. It covers a buy that appears and completes without a reload,
// steps that buttons start, and a hostile name that the page shows as text. It also covers filters in the URL and the
// spreadsheet export.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { buy, newCustomer } from '../e2e/calls.ts';
import { WITHOUT_CHROMIUM } from '../support/browser/chromium.ts';
import { clean, openStage, type Window } from '../support/browser/stage.ts';

const skip = WITHOUT_CHROMIUM;
const stage = skip ? (undefined as never) : await openStage();
const at = skip ? '' : `/app/b/${stage.service.business.businessId}/test`;
const open = () => stage.open({ business: stage.service.business.businessId, role: 'developer' });
const button = ({ page }: Window, name: string | RegExp) => page.getByRole('button', { name });
const heading = ({ page }: Window, text: RegExp) => page.getByRole('heading', { level: 1, name: text });

test('a new buy appears in the list without a reload, a button pays it, and the page shows it as completed', {
  skip,
}, async () => {
  const window = await open();
  const { page } = window;
  await page.goto(`${at}/transactions`);
  await page.getByText('No transactions yet').waitFor();
  const order = await buy(stage.service, newCustomer());
  await page.getByRole('link', { name: 'Buy', exact: true }).click();
  await heading(window, /^Buy of ₦30,0\d\d\.00 Awaiting payment$/).waitFor();
  await button(window, /^Pay ₦30,0/).dblclick();
  await heading(window, /Completed$/).waitFor();
  await page.getByText('The arrival of the tokens is final.').waitFor();
  const credits = await stage.service.foundation.store.creditsOf([order.transaction_id]);
  assert.equal(credits.length, 1);
  await clean(window);
});

test('a dialog creates a test sell, and a button sends its tokens', { skip }, async () => {
  const window = await open();
  const { page } = window;
  await page.goto(`${at}/transactions`);
  await button(window, 'Create test transaction').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Sell: tokens to naira').click();
  await dialog.getByLabel('Amount in naira').fill('12');
  await dialog.getByRole('button', { name: 'Create test sell' }).click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel('Amount in naira').fill('18000.00');
  await dialog.getByRole('button', { name: 'Create test sell' }).click();
  await heading(window, /^Sell of ₦18,000\.00 Awaiting deposit$/).waitFor();
  await button(window, 'Send ₦18,000.00 in tokens').click();
  await heading(window, /Completed$/).waitFor();
  await clean(window);
});

test('threat 78: a hostile name is shown as text; filters are part of the address, and the export has only the matching rows', {
  skip,
}, async () => {
  const name = '<img src=x onerror="document.title=1">';
  const hostile = await buy(stage.service, { ...newCustomer(), account_name: name });
  const window = await open();
  const { page } = window;
  await page.goto(`${at}/transactions?search=${hostile.transaction_id}`);
  await page.getByText(name).waitFor();
  assert.equal(await page.locator('table img').count(), 0);
  await button(window, 'Clear filters').click();
  await button(window, /^Filters/).click();
  await page.getByLabel('State').selectOption('awaiting_payment');
  await page.waitForURL(/\?state=awaiting_payment$/);
  await page.reload();
  await page.getByText(name).waitFor();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export as CSV' }).click(),
  ]);
  const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
  assert.equal(lines.length, 2);
  assert.ok(lines[1]!.includes(hostile.transaction_id));
  await clean(window);
});

test('the overview shows the numbers of today, and waiting items link to their list', { skip }, async () => {
  await buy(stage.service, { ...newCustomer(), network: undefined, wallet_address: undefined });
  const window = await open();
  const { page } = window;
  await page.goto(at);
  await page.getByText(/^₦[\d,]+\.\d\d in \d buys and 1 sell today$/).waitFor();
  await page.getByText('Show as a table').first().click();
  await page.getByRole('table', { name: 'Completed volume by day' }).waitFor();
  await page.getByRole('link', { name: /Wallet missing/ }).click();
  await page.waitForURL(/transactions\?state=awaiting_wallet$/);
  await clean(window);
});

test('the copied command for the first buy creates a buy', { skip }, async () => {
  const window = await open();
  const { page } = window;
  await page.goto(`${at}/start`);
  const code = await page.locator('pre', { hasText: '/transactions/v1/onramp' }).innerText();
  const [, url] = /curl -s '([^']+)'/.exec(code)!;
  const body = JSON.parse(/-d '(\{[\s\S]*\})'/.exec(code)![1]!);
  assert.equal(url, `${stage.service.baseUrl}/transactions/v1/onramp`);
  const made = await stage.service.post('/transactions/v1/onramp', body);
  assert.equal(made.status, 200, made.text);
  await page.getByRole('cell', { name: '₦15,000.00' }).first().waitFor();
  await clean(window);
});
