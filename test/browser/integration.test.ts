// Tests what an integrator does on the pages, in a real browser. They create a key, which the page shows once, and then use,
// replace and revoke it. They add a webhook, test it and send it again; they find a request and set a default wallet.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { WITHOUT_CHROMIUM } from '../support/browser/chromium.ts';
import { clean, openStage } from '../support/browser/stage.ts';
import { until } from '../support/patience.ts';
import { buyBody } from '../support/service.ts';

const skip = WITHOUT_CHROMIUM;
const stage = skip ? (undefined as never) : await openStage();
const { service } = stage ?? {};
const base = skip ? '' : `/app/b/${service.business.businessId}/test`;

async function opened(role: 'owner' | 'developer' | 'viewer') {
  return stage.open({ business: service.business.businessId, role });
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function secretOf(page: Page): Promise<string> {
  const secret = (await page.getByRole('dialog').locator('pre').textContent())!;
  // Neither Escape nor a click outside closes a dialog whose content cannot be shown again.
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 400);
  await button(page, 'I have stored it').click();
  await button(page, 'I have stored it').waitFor({ state: 'detached' });
  assert.ok(!(await page.content()).includes(secret), 'the secret is gone from the page');
  return secret;
}

test('a key is created with a name and a scope, shown once, rolled and revoked', { skip }, async () => {
  const window = await opened('owner');
  const { page } = window;
  await page.goto(`${base}/keys`);
  await button(page, 'Create test key').click();
  await page.getByLabel('Name').fill('Reports <b>now</b>');
  await page.getByLabel('Read only').check();
  await button(page, 'Create key').click();
  const key = await secretOf(page);
  assert.equal((await service.get('/transactions/v1', { key })).status, 200);
  const refused = await service.post('/transactions/v1/onramp', buyBody(service.business), { key });
  assert.equal(refused.body.code, 'key_scope');
  const row = page.getByRole('row', { name: /Reports <b>now<\/b>/ });
  await row.getByText('Read only').waitFor();
  await row.getByRole('button').click();
  await page.getByRole('menuitem', { name: 'Roll key' }).click();
  await page.getByLabel('Keep the old key for').selectOption('0');
  await button(page, 'Roll key').click();
  const rolled = await secretOf(page);
  assert.equal((await service.get('/transactions/v1', { key })).status, 401);
  assert.equal((await service.get('/transactions/v1', { key: rolled })).status, 200);
  await row.first().getByRole('button').click();
  await page.getByRole('menuitem', { name: 'Revoke key' }).click();
  await button(page, 'Revoke key').click();
  await until('no row is left', async () => (await row.count()) === 0, { kind: 'page' });
  assert.equal((await service.get('/transactions/v1', { key: rolled })).status, 401);
  await clean(window);
});

test('only owners manage live keys, and a viewer sees no keys at all', { skip }, async () => {
  const developer = await opened('developer');
  await developer.page.goto(`${base.replace(/test$/, 'live')}/keys`);
  await developer.page.getByText('Only owners can create and change live keys.').waitFor();
  assert.equal(await developer.page.getByRole('button', { name: /Create live key/ }).count(), 0);
  const viewer = await opened('viewer');
  await viewer.page.goto(`${base}/webhooks`);
  await viewer.page.getByRole('heading', { name: 'Webhooks' }).waitFor();
  assert.equal(await viewer.page.getByRole('link', { name: 'Keys' }).count(), 0);
  assert.equal(await button(viewer.page, 'Add endpoint').count(), 0);
  await clean(developer);
  await clean(viewer);
});

test('a webhook is added and tested, and its delivery is viewed and sent again', { skip }, async () => {
  const window = await opened('developer');
  const { page } = window;
  await page.goto(`${base}/webhooks`);
  await button(page, 'Add endpoint').first().click();
  await page.getByLabel('URL').fill('https://hooks.invalid/shop');
  await page.getByRole('dialog').getByRole('button', { name: 'Add endpoint' }).click();
  assert.match(await secretOf(page), /^whsec_/);
  await page.getByRole('heading', { name: /hooks\.invalid\/shop/ }).waitFor();
  await button(page, 'Send test event').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send test event' }).click();
  await page.getByRole('link', { name: 'webhook.test' }).click();
  // The host name of the endpoint does not resolve, so every attempt fails. The page shows the attempt without a click.
  await page.getByText('Attempt 1').waitFor();
  await page.getByText('The endpoint’s host name does not resolve.').first().waitFor();
  await button(page, 'Resend delivery').click();
  await page.getByText('Attempt 2').waitFor();
  await clean(window);
});

test('a request is found by its path and opens next to the list; a wallet is checked and then saved', {
  skip,
}, async () => {
  const window = await opened('owner');
  const { page } = window;
  await service.post('/transactions/v1/onramp', buyBody(service.business, { amount: 1 }));
  await page.goto(`${base}/requests`);
  await page.getByLabel('Path contains').fill('onramp');
  await page.getByRole('button', { name: 'POST /transactions/v1/onramp' }).first().click();
  await page
    .getByRole('complementary', { name: 'Request details' })
    .getByText('amount_below_minimum')
    .waitFor();
  await page.goto(`${base}/wallets`);
  await button(page, 'Set test wallet').click();
  await page.getByLabel('Network').selectOption('Polygon');
  await page.getByLabel('Address').fill('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD');
  await button(page, 'Save wallet').click();
  await page
    .getByRole('dialog')
    .getByText(/not a valid|checksum/i)
    .waitFor();
  await page.getByLabel('Address').fill('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed');
  await button(page, 'Save wallet').click();
  await button(page, 'Change test wallet').waitFor();
  await clean(window);
});
