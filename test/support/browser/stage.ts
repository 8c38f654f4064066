// A browser before a test service: each person has a window of their own, already signed in. What a page logs as an error, and
// every violation of its content policy, is remembered; a test ends with `clean()`.
import assert from 'node:assert/strict';
import { after } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { addConsolePerson, SESSION_COOKIE, signedIn } from '../../http/console/browser.ts';
import { startTestService, type TestService } from '../service.ts';
import { launchChromium } from './chromium.ts';

/** The simulated bank and networks are fast; a page loads many files at once. */
const SETTINGS = {
  SANDBOX_PACE_MS: '40',
  PUBLIC_RATE_LIMIT_PER_SECOND: '2000',
  PUBLIC_RATE_LIMIT_BURST: '2000',
};

export interface Window {
  readonly page: Page;
  readonly email: string;
  readonly personId: string;
  /** The problems that the pages of this window had. */
  readonly problems: string[];
}

export interface Stage {
  readonly service: TestService;
  readonly browser: Browser;
  /** Whoever has these roles, in a window of their own. */
  open(...roles: Parameters<typeof addConsolePerson>[1][]): Promise<Window>;
  /** A window without a session. */
  openEmpty(options?: BrowserContextOptions): Promise<Window>;
}

export async function openStage(settings: Record<string, string> = {}): Promise<Stage> {
  const service = await startTestService({ ...SETTINGS, ...settings });
  const browser = await launchChromium();
  after(() => browser.close());
  const openEmpty = async (options: BrowserContextOptions = {}): Promise<Window> => {
    const context = await browser.newContext({ baseURL: service.baseUrl, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    return { page, email: '', personId: '', problems: watch(page) };
  };
  return {
    service,
    browser,
    openEmpty,
    open: async (...roles) => {
      const person = await addConsolePerson(service, ...roles);
      const token = (await signedIn(service, person)).cookies.get(SESSION_COOKIE)!;
      const window = await openEmpty();
      const { hostname } = new URL(service.baseUrl);
      await window.page.context().addCookies([
        {
          ...{ name: SESSION_COOKIE, value: token, domain: hostname, path: '/' },
          ...{ secure: true, httpOnly: true, sameSite: 'Strict' as const },
        },
      ]);
      return { ...window, email: person.email, personId: person.id };
    },
  };
}

/** Refusals that a page expects are logged by the browser, too: only scripts that fail and policies that are broken count. */
export function watch(page: Page): string[] {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(`${page.url()}: ${error.message}`));
  page.on('console', (message) => {
    const text = message.text();
    if (message.type() !== 'error' || /Failed to load resource/.test(text)) return;
    problems.push(`${page.url()}: ${text}`);
  });
  return problems;
}

export function clean({ problems }: Pick<Window, 'problems'>): void {
  assert.deepEqual(problems, []);
}
