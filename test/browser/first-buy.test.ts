// Tests the first afternoon of an integrator. They create a key on the page, create a buy with the page's curl command in a
// real shell, and pay with a button. The transaction completes on the page. Then they make a sell.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { WITHOUT_CHROMIUM } from '../support/browser/chromium.ts';
import { clean, openStage } from '../support/browser/stage.ts';

const skip = WITHOUT_CHROMIUM;
const stage = skip ? (undefined as never) : await openStage();
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

async function paste(lines: string, key: string) {
  const { stdout } = await promisify(execFile)('sh', ['-c', lines], {
    env: { ...process.env, SLIPROAD_KEY: key },
  });
  return JSON.parse(stdout);
}

test('a person creates a key, makes a first buy with curl, pays it and sees it complete without a reload, then makes a sell', {
  skip,
}, async () => {
  const { businessId } = stage.service.business;
  const base = `/app/b/${businessId}/test`;
  const window = await stage.open({ business: businessId, role: 'owner' });
  const { page } = window;
  await page.goto(`${base}/keys`);
  await button(page, 'Create test key').click();
  await page.getByLabel('Name').fill('First buy');
  await button(page, 'Create key').click();
  const key = (await page.getByRole('dialog').locator('pre').textContent())!;
  await button(page, 'I have stored it').click();

  await page.getByRole('link', { name: 'First buy' }).click();
  const line = await page.locator('pre', { hasText: '/transactions/v1/onramp' }).first().textContent();
  assert.ok(line!.includes(businessId) && !line!.includes('sk_test_'), 'filled in, and without a secret');
  const list = await page.context().newPage();
  await list.goto(`${base}/transactions`);
  await list.getByRole('heading', { name: 'Transactions' }).waitFor();
  const { transaction } = await paste(line!, key);
  await list.getByText(transaction.reference).waitFor();

  await page.goto(`${base}/transactions/${transaction.transaction_id}`);
  await page.getByText('Awaiting payment').first().waitFor();
  await button(page, /^Pay/).first().click();
  await page.locator('h1').getByText('Completed').waitFor();
  await page.getByText('The tokens arrived at the wallet').first().waitFor();
  await list
    .getByRole('row', { name: new RegExp(transaction.reference) })
    .getByText('Completed')
    .waitFor();

  await list.getByRole('button', { name: 'Create test transaction' }).click();
  await list.getByText('Sell: tokens to naira').click();
  await list.getByRole('button', { name: 'Create test sell' }).click();
  await list.getByText('Awaiting deposit').first().waitFor();
  await button(list, /^Send/).first().click();
  await list.locator('h1').getByText('Completed').waitFor();

  await page.goto(base);
  await page.getByText(/in 1 buy and 1 sell today/).waitFor();
  await clean(window);
});
