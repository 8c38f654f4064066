// A browser with a test service, in which each person has a separate window and is already signed in. The stage records logged
// page errors, violations of the content security policy and undocumented responses. A test ends with `clean()`, which closes
// the window.
import assert from 'node:assert/strict';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import {
  addConsolePerson,
  type Credentials,
  giveCredentials,
  SESSION_COOKIE,
  signedIn,
} from '../../http/console/browser.ts';
import { undocumented } from '../client/documented.ts';
import { limitMs } from '../patience.ts';
import { startTestService, type TestService } from '../service.ts';
import { afterFile } from '../sharing/file-group.ts';
import { borrowChromium } from './chromium.ts';

/**
 * These settings make the simulated bank and networks fast. They also raise the limits, because a page loads many files at
 * once.
 */
const SETTINGS = {
  SANDBOX_PACE_MS: '40',
  PUBLIC_RATE_LIMIT_PER_SECOND: '2000',
  PUBLIC_RATE_LIMIT_BURST: '2000',
};

export interface Window {
  readonly page: Page;
  readonly email: string;
  readonly personId: string;
  readonly problems: string[];
}

export interface Stage {
  readonly service: TestService;
  open(...roles: Parameters<typeof addConsolePerson>[1][]): Promise<Window>;
  /**
   * Gives the person of this window a second factor. New credentials end existing sessions, so the person gets a new session.
   */
  withSecondFactor(window: Window): Promise<Credentials>;
  openEmpty(options?: BrowserContextOptions): Promise<Window>;
}

export async function openStage(settings: Record<string, string> = {}): Promise<Stage> {
  const service = await startTestService({ ...SETTINGS, ...settings });
  const browser = await borrowChromium();
  const contexts: BrowserContext[] = [];
  afterFile(() => Promise.all(contexts.map((context) => context.close())));
  const openEmpty = async (options: BrowserContextOptions = {}): Promise<Window> => {
    const window = await openWindow(browser, { baseURL: service.baseUrl, ...options });
    contexts.push(window.page.context());
    return window;
  };
  return {
    service,
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
    withSecondFactor: async ({ page, personId: id, email }) => {
      const credentials = await giveCredentials(service, { id, email });
      const value = (await signedIn(service, { id, email })).cookies.get(SESSION_COOKIE)!;
      const context = page.context();
      const [cookie] = await context.cookies();
      await context.addCookies([{ ...cookie!, value }]);
      return credentials;
    },
  };
}

/** The window uses reduced motion. Otherwise the browser computes each frame of a blinking placeholder or a moving bar. */
export async function openWindow(browser: Browser, options: BrowserContextOptions): Promise<Window> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(limitMs('page'));
  await context.addInitScript(STILL);
  const page = await context.newPage();
  return { page, email: '', personId: '', problems: watch(page) };
}

/**
 * Makes every change immediate, so that a measured colour is the final colour. It is for packages that ignore the setting for
 * reduced motion. A separate stylesheet needs no entry in the page's security policy.
 */
const STILL = `
  const still = new CSSStyleSheet();
  still.replaceSync('*, ::before, ::after { animation-duration: 1ms !important; animation-iteration-count: 1 !important; transition: none !important; }');
  document.adoptedStyleSheets.push(still);`;

/**
 * The browser also logs expected refusals. So only failed scripts, policy violations and undocumented responses count as
 * problems.
 */
function watch(page: Page): string[] {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(`${page.url()}: ${error.message}`));
  page.on('console', (message) => {
    const text = message.text();
    if (message.type() !== 'error' || /Failed to load resource/.test(text)) return;
    problems.push(`${page.url()}: ${text}`);
  });
  page.on('response', async (response) => {
    const { pathname } = new URL(response.url());
    if (!response.headers()['content-type']?.startsWith('application/json')) return;
    // The test can no longer read the body of a response after it has left the page.
    const body: unknown = await response.json().catch(() => undefined);
    const status = response.status();
    const problem = undocumented(response.request().method(), pathname, { status, body });
    if (problem !== undefined) problems.push(problem);
  });
  return problems;
}

/** Closes the page, because an open page follows its event stream and uses resources that the next test needs. */
export async function clean({ problems, page }: Pick<Window, 'problems' | 'page'>): Promise<void> {
  assert.deepEqual(problems, []);
  await page.context().close();
}
