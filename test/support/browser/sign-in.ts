// Signs a person in through the session API in a browser, for tests and screenshots that start after the sign-in.
import { setTimeout as sleep } from 'node:timers/promises';
import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';

export interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly totp_secret: string;
}

const STEP_MS = 30_000;

export function totpCode(secret: string, atMs = Date.now()): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: atMs });
}

/**
 * The service accepts a code only once. It also accepts the code of the next time step, so only a third sign-in within a minute
 * has to wait.
 */
export async function signInByApi(page: Page, baseUrl: string, person: Credentials): Promise<void> {
  await page.goto(`${baseUrl}/app/sign-in`);
  for (let tries = 0; tries < 3; tries++) {
    if (await signInWith(page, person, Date.now())) return;
    if (await signInWith(page, person, Date.now() + STEP_MS)) return;
    await sleep(STEP_MS);
  }
  throw new Error(`${person.email} cannot sign in`);
}

function signInWith(page: Page, person: Credentials, atMs: number): Promise<boolean> {
  const { email, password, totp_secret } = person;
  return page.evaluate(
    async ({ credentials, code }) => {
      const post = (path: string, body: object) =>
        fetch(`/console/v1${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
      const first = await post('/sign-in', credentials);
      if (!first.ok) return false;
      const { pending } = (await first.json()) as { pending: string };
      const factor = { kind: 'totp', code };
      return (await post('/sign-in/second-factor', { pending, factor })).ok;
    },
    { credentials: { email, password }, code: totpCode(totp_secret, atMs) },
  );
}
