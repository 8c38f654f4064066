// People's actions on a page: signing in, opening the link of a mail, and an authenticator that answers automatically.
import assert from 'node:assert/strict';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { until } from '../patience.ts';
import type { TestService } from '../service.ts';

let clients = 0;

/** Browsers bind passkeys to a host name, and each window is a separate client: TRUST_PROXY is set. */
export function ownWindow(port: number): BrowserContextOptions {
  const address = `198.51.100.${++clients}`;
  return { baseURL: `http://localhost:${port}`, extraHTTPHeaders: { 'x-forwarded-for': address } };
}

export async function givePassword(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** A code is valid for half a minute or more: it is read when its field is shown. */
export async function fillCode(page: Page, code: () => string): Promise<void> {
  const field = page.getByLabel('Code from your authenticator');
  await field.waitFor();
  await field.fill(code());
}

export async function giveCode(page: Page, code: () => string): Promise<void> {
  await fillCode(page, code);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** A second factor inside the browser, which the person always confirms. */
export async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** The path in the newest mail to an address, with its token. */
export async function linkFor({ foundation }: TestService, email: string): Promise<string> {
  let link: string | undefined;
  await until(`there is a mail to ${email}`, async () => {
    const { rows } = await foundation.database.query<{ body: string }>({
      text: 'select body from mails where recipient = $1 and body is not null order by id desc limit 1',
      values: [email],
    });
    link = /(\/app\/[\w-]+#token=[\w-]{43})$/m.exec(rows[0]?.body ?? '')?.[1];
    return link !== undefined;
  });
  return link!;
}

/** No page has a token in its address, and the browser stores it nowhere. */
export async function assertForgotten(page: Page, link: string): Promise<void> {
  const token = link.split('=')[1]!;
  assert.ok(!page.url().includes(token), page.url());
  const kept = await page.evaluate<string>(
    `JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, history.state])`,
  );
  assert.ok(!kept.includes(token), kept);
}
