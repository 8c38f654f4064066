// A browser with a test service: each person has a separate window, already signed in. Logged page errors, violations of the
// content security policy and undocumented responses are recorded. A test ends with `clean()`, which closes the window.
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

/** Makes the simulated bank and networks fast, and raises the limits because a page loads many files at once. */
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
  /** Opens a separate window for a person with these roles. */
  open(...roles: Parameters<typeof addConsolePerson>[1][]): Promise<Window>;
  /** Gives the person of this window a second factor. New credentials end existing sessions, so the person gets a new one. */
  withSecondFactor(window: Window): Promise<Credentials>;
  /** A window without a session. */
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

/** Uses reduced motion, because otherwise the browser computes each frame of a blinking placeholder or a moving bar. */
export async function openWindow(browser: Browser, options: BrowserContextOptions): Promise<Window> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(limitMs('page'));
  await context.addInitScript(STILL);
  const page = await context.newPage();
  return { page, email: '', personId: '', problems: watch(page) };
}

/**
 * For packages that ignore the reduced-motion setting: every change is immediate, so a measured colour is the final colour. It is
 * a separate stylesheet, so the page's policy needs no entry for it.
 */
const STILL = `
  const still = new CSSStyleSheet();
  still.replaceSync('*, ::before, ::after { animation-duration: 1ms !important; animation-iteration-count: 1 !important; transition: none !important; }');
  document.adoptedStyleSheets.push(still);`;

/** The browser also logs expected refusals: only failed scripts, policy violations and undocumented responses count. */
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
    // The body of a response can no longer be read after its page was left.
    const body: unknown = await response.json().catch(() => undefined);
    const status = response.status();
    const problem = undocumented(response.request().method(), pathname, { status, body });
    if (problem !== undefined) problems.push(problem);
  });
  return problems;
}

/** Closes the page: an open page follows its stream and uses resources that the next test needs. */
export async function clean({ problems, page }: Pick<Window, 'problems' | 'page'>): Promise<void> {
  assert.deepEqual(problems, []);
  await page.context().close();
}
