// Tests signing in with a real browser: password and code, the errors for wrong ones, a passkey, and the allowed redirects.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { addConsolePerson, giveCredentials } from '../http/console/browser.ts';
import { WITHOUT_CHROMIUM } from '../support/browser/chromium.ts';
import { addAuthenticator, fillCode, giveCode, givePassword, ownWindow } from '../support/browser/people.ts';
import { clean, openStage } from '../support/browser/stage.ts';
import { freePort } from '../support/home.ts';

const skip = WITHOUT_CHROMIUM;
const port = await freePort();
const stage = skip ? (undefined as never) : await openStage({ PORT: String(port), TRUST_PROXY: 'loopback' });

async function owner() {
  const { service } = stage;
  const business = service.business.businessId;
  const person = await addConsolePerson(service, { business, role: 'owner' });
  return { ...person, credentials: await giveCredentials(service, person), home: `/app/b/${business}/test` };
}

const arrived = (page: Page, path: string) =>
  page.waitForURL((url) => url.pathname === path, { waitUntil: 'commit' });

test('a correct password and code lead to the requested page; wrong ones are reported and give no access', {
  skip,
}, async () => {
  const { email, credentials, home } = await owner();
  const window = await stage.openEmpty(ownWindow(port));
  const { page } = window;
  await page.goto(`${home}/team`);
  await arrived(page, '/app/sign-in');
  await givePassword(page, email, 'not the password of anyone');
  await page.getByRole('alert').getByText('is wrong').waitFor();
  await givePassword(page, email, credentials.password);
  await giveCode(page, () => '000000');
  await page.getByRole('alert').getByText('is wrong').waitFor();
  assert.equal((await page.context().cookies()).length, 0, 'no session');
  await giveCode(page, () => credentials.code().replace(/(...)/, '$1 '));
  await arrived(page, `${home}/team`);
  await page.getByText(email).waitFor();
  await clean(window);
});

test('threat 82: after five wrong codes the sign-in starts again with the password', { skip }, async () => {
  const { email, credentials } = await owner();
  const window = await stage.openEmpty(ownWindow(port));
  const { page } = window;
  await page.goto('/app/sign-in');
  await givePassword(page, email, credentials.password);
  await page.getByLabel('Code from your authenticator').waitFor();
  const judged = async (code: string): Promise<string> => {
    const answered = page.waitForResponse((response) => response.url().endsWith('/second-factor'));
    await giveCode(page, () => code);
    return (await (await answered).json()).code;
  };
  let tries = 0;
  while (tries < 6 && (await judged(`00000${tries}`)) === 'sign_in_failed') tries++;
  await page.getByLabel('E-mail address').waitFor();
  await page.getByRole('alert').waitFor();
  await clean(window);
});

test('a passkey is added with a second factor and can sign in', { skip }, async () => {
  const { email, credentials, home } = await owner();
  const window = await stage.openEmpty(ownWindow(port));
  const { page } = window;
  await addAuthenticator(page);
  await page.goto('/app/sign-in?next=/app/account');
  await givePassword(page, email, credentials.password);
  await giveCode(page, credentials.code);
  await arrived(page, '/app/account');
  await page.getByRole('button', { name: 'Add passkey' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add passkey' });
  await dialog.getByLabel('Passkey name').fill('Work laptop');
  await dialog.getByRole('button', { name: 'Add passkey' }).click();
  await fillCode(page, () => credentials.code(1));
  await page.getByRole('button', { name: 'Confirm with code' }).click();
  await page.getByRole('list', { name: 'Your passkeys' }).getByText('Work laptop').waitFor();

  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await arrived(page, '/app/sign-in');
  await givePassword(page, email, credentials.password);
  await page.getByText('Passkey', { exact: true }).click();
  await page.getByRole('button', { name: 'Sign in with passkey' }).click();
  await arrived(page, home);
  await clean(window);
});

test('threat 80: the next parameter of the sign-in page cannot redirect to another site', {
  skip,
}, async () => {
  const { businessId } = stage.service.business;
  const window = await stage.open({ business: businessId, role: 'viewer' });
  const { page } = window;
  for (const next of [
    'https://evil.example/app/',
    '//evil.example/app/x',
    '/app/../console',
    '/app/\\\\evil',
    'x',
  ]) {
    await page.goto(`/app/sign-in?next=${encodeURIComponent(next)}`);
    await arrived(page, `/app/b/${businessId}/test`);
    assert.equal(new URL(page.url()).origin, stage.service.baseUrl, next);
  }
  await page.goto(`/app/sign-in?next=${encodeURIComponent('/app/account')}`);
  await arrived(page, '/app/account');
  await clean(window);
});

test('the parameters that the identity provider returns are removed from the address at once', {
  skip,
}, async () => {
  const window = await stage.openEmpty(ownWindow(port));
  const { page } = window;
  await page.goto('/app/sign-in#problem=provider_unavailable');
  await page.getByText('The identity provider does not answer.').waitFor();
  assert.equal(new URL(page.url()).hash, '');
  // Only the fragment after the # differs, so the browser does not load the page again.
  await page.goto('/app/sign-in#pending=of-the-provider');
  await page.getByLabel('Code from your authenticator').waitFor();
  assert.equal(new URL(page.url()).hash, '');
  await giveCode(page, () => '123456');
  await page.getByLabel('E-mail address').waitFor();
  await page.getByRole('alert').waitFor();
  await clean(window);
});
