// Takes screenshots of pages of a running service: npm run screenshots -- --data DIR --as member --out DIR PATH... In a path,
// :business is replaced by the sandbox business. Each page is shown at both widths and in both themes. With --docs and without
// a path, it creates the documentation's screenshots in docs/pictures. Fill the sandbox first (npm run populate).
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { CHROMIUM, launchChromium, WITHOUT_CHROMIUM } from '../test/support/browser/chromium.ts';
import { type Credentials, signInByApi } from '../test/support/browser/sign-in.ts';

const SIZES = [
  { name: 'phone', width: 390, height: 844 },
  { name: 'desktop', width: 1440, height: 900 },
] as const;
const THEMES = ['light', 'dark'] as const;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: 'string', default: process.env.DATA_DIR ?? 'data' },
    as: { type: 'string', default: 'member' },
    out: { type: 'string', default: 'screenshots' },
    sizes: { type: 'string', default: 'phone,desktop' },
    themes: { type: 'string', default: 'light,dark' },
    /** Takes the whole page instead of the visible part. */
    full: { type: 'boolean', default: false },
    docs: { type: 'boolean', default: false },
  },
});

interface Sandbox {
  readonly base_url: string;
  readonly business_id: string;
  readonly operator: Credentials;
  readonly approver: Credentials;
  readonly member: Credentials;
}

type Who = 'operator' | 'approver' | 'member';

/** With `row`, the screenshot shows the first record of the list. */
interface Picture {
  readonly name: string;
  readonly as: Who;
  readonly path: string;
  readonly row?: RegExp;
  readonly size?: { readonly width: number; readonly height: number };
  readonly theme?: 'light' | 'dark';
}

const PHONE = { width: 390, height: 780 };
const PICTURES: readonly Picture[] = [
  { name: 'overview', as: 'member', path: '/app/b/:business/test' },
  { name: 'transaction', as: 'member', path: '/app/b/:business/test/transactions?state=completed', row: /./ },
  {
    name: 'transactions-phone',
    as: 'member',
    path: '/app/b/:business/test/transactions',
    size: PHONE,
    theme: 'dark',
  },
  { name: 'keys', as: 'member', path: '/app/b/:business/test/keys' },
  { name: 'attention', as: 'operator', path: '/app/operator/test' },
  { name: 'review', as: 'operator', path: '/app/operator/test/review', row: /STRANGER/ },
  { name: 'ledger', as: 'operator', path: '/app/operator/test/ledger' },
  { name: 'treasury', as: 'operator', path: '/app/operator/test/treasury', theme: 'dark' },
  ...['start', 'rates', 'webhooks', 'requests', 'wallets', 'team'].map((page) => ({
    name: `business-${page}`,
    as: 'member' as const,
    path: `/app/b/:business/test/${page}`,
  })),
  ...[
    ...[
      'proposals',
      'cases',
      'payouts',
      'rails',
      'reconciliation',
      'vendors',
      'statements',
      'rates',
      'stops',
    ],
    ...['businesses', 'people', 'audit', 'privacy'],
  ].map((page) => ({
    name: `operator-${page}`,
    as: 'operator' as const,
    path: `/app/operator/test/${page}`,
  })),
];

if (CHROMIUM === undefined) throw new Error(String(WITHOUT_CHROMIUM));
const sandbox = JSON.parse(readFileSync(path.join(values.data, 'sandbox.json'), 'utf8')) as Sandbox;
const browser = await launchChromium();
try {
  if (values.docs) await takePictures(path.join(import.meta.dirname, '..', 'docs', 'pictures'));
  else await takePages(values.out);
} finally {
  await browser.close();
}

async function openAs(who: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  page.on('pageerror', (error) => console.error(`page: ${error.message}`));
  if (who === 'none') return page;
  const person = sandbox[who as Who];
  if (person === undefined) throw new Error('--as must be operator, approver, member or none');
  await signInByApi(page, sandbox.base_url, person);
  return page;
}

/** Streams stay open, so the network is never idle. Therefore a page counts as ready when it shows no placeholder. */
async function waitUntilSettled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
  await page.waitForTimeout(800);
}

async function openPath(page: Page, given: string): Promise<void> {
  await page.goto(sandbox.base_url + given.replaceAll(':business', sandbox.business_id));
  await waitUntilSettled(page);
}

async function takePicture(page: Page, file: string, fullPage: boolean): Promise<void> {
  await page.screenshot({ path: file, fullPage });
  console.log(file);
}

async function takePages(out: string): Promise<void> {
  mkdirSync(out, { recursive: true });
  const page = await openAs(values.as);
  for (const given of positionals) {
    for (const size of SIZES.filter(({ name }) => values.sizes.includes(name))) {
      await page.setViewportSize(size);
      for (const colorScheme of THEMES.filter((each) => values.themes.includes(each))) {
        await page.emulateMedia({ colorScheme });
        await openPath(page, given);
        const name = given.replaceAll(/[^a-z0-9]+/gi, '-').replaceAll(/^-|-$/g, '');
        await takePicture(page, path.join(out, `${name}-${size.name}-${colorScheme}.png`), values.full);
      }
    }
  }
}

async function takePictures(out: string): Promise<void> {
  mkdirSync(out, { recursive: true });
  const opened = new Map<Who, Page>();
  for (const { name, as, path: given, row, size, theme } of PICTURES) {
    const page = opened.get(as) ?? (await openAs(as));
    opened.set(as, page);
    await page.setViewportSize(size ?? { width: 1200, height: 760 });
    await page.emulateMedia({ colorScheme: theme ?? 'light' });
    await openPath(page, given);
    if (row !== undefined) {
      await page.locator('[data-row]').filter({ hasText: row }).first().click();
      await waitUntilSettled(page);
    }
    await takePicture(page, path.join(out, `${name}.png`), false);
  }
}
