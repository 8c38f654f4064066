// Tests the sandbox that `npm start` creates. A business that signs up is approved at once, and its owner continues without a
// mail. The operator sees the mails on a page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { borrowChromium, WITHOUT_CHROMIUM } from '../support/browser/chromium.ts';
import { fillCode, ownWindow } from '../support/browser/people.ts';
import { signInByApi, totpCode } from '../support/browser/sign-in.ts';
import { clean, openWindow } from '../support/browser/stage.ts';
import { makeUsedHome } from '../support/embedded/used-home.ts';
import { startProcess } from '../support/process.ts';

test('a person signs up, sets up the first factor and signs in', { skip: WITHOUT_CHROMIUM }, async (t) => {
  const service = await startProcess(t, { home: await makeUsedHome(t) });
  const browser = await borrowChromium();
  const options = ownWindow(service.home.port);
  const window = await openWindow(browser, options);
  t.after(() => window.page.context().close());
  const { page } = window;
  await page.goto('/app/sign-up');
  await page.getByText('In the sandbox, a business is approved immediately.').waitFor();
  await page.getByLabel('Business name').fill('Kola Trade');
  await page.getByLabel('Owner’s e-mail address').fill('kola@example.com');
  await page.getByRole('button', { name: 'Sign up business' }).click();
  await page.getByRole('button', { name: 'Set up your sign-in' }).click();
  await page.getByLabel('Your name').fill('Kola Ojo');
  await page.getByRole('textbox', { name: 'Password' }).fill('nine blue kites over town');
  await page.getByRole('button', { name: 'Accept invitation' }).click();
  const secret = (await page.locator('code').first().innerText()).replaceAll(' ', '');
  await fillCode(page, () => totpCode(secret));
  await page.getByRole('button', { name: 'Confirm code' }).click();
  await page.getByRole('button', { name: 'I have stored them' }).click();
  await page.waitForURL(/\/app\/b\/[^/]+\/test$/, { waitUntil: 'commit' });
  await page.getByText('Kola Trade').first().waitFor();
  await clean(window);

  const { page: other } = await openWindow(browser, options);
  t.after(() => other.context().close());
  await signInByApi(other, options.baseURL!, service.sandbox().operator);
  const signedUp = await other.request.post('/console/v1/sign-ups', {
    headers: { origin: options.baseURL! },
    data: { business_name: 'Bola Foods', link_tag: 'bola-foods', email: 'bola@example.com' },
  });
  assert.ok(signedUp.ok(), await signedUp.text());
  await other.goto('/app/operator/live/people');
  await other.getByRole('link', { name: 'Open sandbox e-mails' }).click();
  await other.getByRole('heading', { name: 'Invitation to Bola Foods' }).waitFor();
  const link = other.getByRole('link', { name: /\/app\/invitation#token=/ });
  assert.match((await link.first().getAttribute('href')) ?? '', /^\/app\/invitation#token=[\w-]{43}$/);
});
