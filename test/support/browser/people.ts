// What people do on a page: they sign in, open the link in a mail, and use an authenticator that responds automatically.
import assert from 'node:assert/strict';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { until } from '../patience.ts';
import type { TestService } from '../service.ts';

let clients = 0;

/**
 * The address uses a host name, because browsers bind passkeys to one. Each window gets a separate client address in a header;
 * the service reads the header because TRUST_PROXY is set.
 */
export function ownWindow(port: number): BrowserContextOptions {
  const address = `198.51.100.${++clients}`;
  return { baseURL: `http://localhost:${port}`, extraHTTPHeaders: { 'x-forwarded-for': address } };
}

export async function givePassword(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** A code is valid for at least half a minute, so it is generated only when its field is shown. */
export async function fillCode(page: Page, code: () => string): Promise<void> {
  const field = page.getByLabel('Code from your authenticator');
  await field.waitFor();
  await field.fill(code());
}

export async function giveCode(page: Page, code: () => string): Promise<void> {
  await fillCode(page, code);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

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

/** Returns the path in the newest mail to an address. The path contains the token. */
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

/** Checks that the page's address no longer contains the token, and that the browser does not store the token anywhere. */
export async function assertForgotten(page: Page, link: string): Promise<void> {
  const token = link.split('=')[1]!;
  assert.ok(!page.url().includes(token), page.url());
  const kept = await page.evaluate<string>(
    `JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, history.state])`,
  );
  assert.ok(!kept.includes(token), kept);
}
