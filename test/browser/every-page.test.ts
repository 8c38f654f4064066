// Tests every page for the roles that can see it. A page must have no serious accessibility fault for users of a keyboard or
// screen reader (axe-core). It must also have no horizontal scrolling on a phone, no script error and no policy violation. With
// EVERY_PAGE=both each page is checked in both themes; otherwise the theme alternates from page to page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { lastWholeDay } from '../../src/app/reconciliation/reconcile-account.ts';
import { buy, newCustomer, sell } from '../e2e/calls.ts';
import { settled as reached } from '../e2e/settled.ts';
import { addConsolePerson, signedIn } from '../http/console/browser.ts';
import { WITHOUT_CHROMIUM } from '../support/browser/chromium.ts';
import { BUSINESS_PAGES, OPERATOR_PAGES, PUBLIC_PAGES } from '../support/browser/pages.ts';
import { clean, openStage, type Stage } from '../support/browser/stage.ts';
import { until } from '../support/patience.ts';

// Finds problems of a page for people who use a keyboard or a screen reader, with axe-core.

/** The findings of these axe-core rules are never serious, and the rules take a quarter of the time, so they do not run. */
const NEVER_SERIOUS = [
  ...['aria-allowed-role', 'aria-deprecated-role', 'empty-heading', 'empty-table-header', 'heading-order'],
  ...[
    'form-field-multiple-labels',
    'image-redundant-alt',
    'landmark-banner-is-top-level',
    'landmark-one-main',
  ],
  ...['landmark-contentinfo-is-top-level', 'landmark-main-is-top-level', 'landmark-no-duplicate-banner'],
  ...['landmark-no-duplicate-contentinfo', 'landmark-no-duplicate-main', 'landmark-unique', 'meta-viewport'],
  ...['meta-viewport-large', 'no-autoplay-audio', 'page-has-heading-one', 'presentation-role-conflict'],
  ...['region', 'scope-attr-valid', 'skip-link', 'table-duplicate-name'],
];

/** Returns only serious faults. Checks all rules unless the caller names some. */
async function seriousFaults(page: Page, rules?: readonly string[]): Promise<readonly object[]> {
  // The axe script has a size of one megabyte. The document keeps it when a person follows links, so it is loaded only if it is
  // missing.
  const isThere = await page.evaluate<boolean>(`'axe' in window`);
  const axe = new AxeBuilder({ page, ...(isThere && { axeSource: 'undefined' }) });
  // The result leaves out passed checks, because describing them takes longer than running them.
  axe.setLegacyMode(true).options({ resultTypes: ['violations'] });
  if (rules === undefined) axe.disableRules(NEVER_SERIOUS);
  else axe.withRules([...rules]);
  const { violations } = await axe.analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => ({ id, where: nodes.map(({ target }) => target.join(' ')) }));
}

const skip = WITHOUT_CHROMIUM;
const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const ids: Record<string, string> = {};
const stage = skip ? (undefined as never) : await openStage();
if (!skip) await populate(stage);

async function populate({ service }: Stage): Promise<void> {
  const order = await buy(service, newCustomer(), { headers: { 'svc-scenario': 'underpaid' } });
  const back = await sell(service, newCustomer(), { headers: { 'svc-scenario': 'payout_returned' } });
  await reached(service, back.transaction_id, { states: ['on_hold'] });
  const [opened] = (await service.foundation.reviewDesk.listQueue(1, 'test')).cases;
  ids.caseId = opened!.id;
  ids.payoutId = opened!.movementId!;
  const endpoint = await service.post('/webhooks/v1/endpoints', { url: 'https://example.com/hooks' });
  ids.transactionId = order.transaction_id;
  ids.recordId = order.transaction_id;
  ids.endpointId = endpoint.body.endpoint?.id ?? 'none';
  ids.businessId = service.business.businessId;
  await statementOf(service);
  ids.accountId = '1';
  ids.entryId = '1';
}

async function statementOf(service: Stage['service']): Promise<void> {
  const { foundation } = service;
  const vendor = (await foundation.backOffice.listVendors()).find(({ mode }) => mode === 'test')!;
  ids.day = lastWholeDay(foundation.clock.now());
  ids.bankAccount = `${vendor.bankCode}:${vendor.number}`;
  const reviewer = await signedIn(service, await addConsolePerson(service, { operator: 'reviewer' }));
  const body = `Account Number,${vendor.number}\nDate,Description,Debit,Credit,Balance\n${ids.day},SMS FEE,4.00,,96.00\nBAD,,1\n`;
  const headers = { 'content-type': 'application/octet-stream' };
  const at = '/console/v1/operator';
  const imported = await reviewer.send('POST', `${at}/statements/test?vendor_id=${vendor.id}`, {
    body,
    headers,
  });
  ids.fileId = imported.body.file.file_id;
  await reviewer.send('POST', `${at}/reconciliation/test/runs`, { body: {} });
}

/** A path parameter without a record gets an id that does not exist, and the page reports this. */
const filled = (path: string) => path.replaceAll(/\$(\w+)/g, (_, name) => ids[name] ?? `none_${name}`);

/** The first page is loaded; every later page is opened as if through a link. Each page sets its own title. */
async function open(page: Page, path: string): Promise<void> {
  if (page.url() === 'about:blank') await page.goto(path);
  else {
    await page.evaluate(`document.title = ''`);
    await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`);
    await page.evaluate(`dispatchEvent(new PopStateEvent('popstate'))`);
  }
  await until(`${path} has set its title`, async () => (await page.title()) !== '', {
    kind: 'page',
    everyMs: 50,
  });
}

async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
}

const THEMES = ['light', 'dark'] as const;
let judged = 0;
function themesInTurn(): readonly (typeof THEMES)[number][] {
  judged++;
  return process.env.EVERY_PAGE === 'both' ? THEMES : [THEMES[judged % THEMES.length]!];
}

async function judge(page: Page, path: string): Promise<void> {
  const [first, ...more] = themesInTurn();
  await page.setViewportSize(DESKTOP);
  await page.emulateMedia({ colorScheme: first! });
  await open(page, path);
  await settled(page);
  for (const colorScheme of [first!, ...more]) {
    await page.emulateMedia({ colorScheme });
    // The second theme differs only in colours, so only the contrast is checked in it.
    const rules = colorScheme === first ? undefined : ['color-contrast'];
    assert.deepEqual(await seriousFaults(page, rules), [], `${path} in the ${colorScheme} theme`);
  }
  await page.setViewportSize(PHONE);
  const wider = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  assert.ok(wider <= 0, `${path} is ${wider} px wider than a phone`);
  assert.notEqual(await page.title(), 'Sliproad', `${path} has a title of its own`);
}

test('the pages of a business open for its owner', { skip }, async (t) => {
  const { business } = stage.service;
  const window = await stage.open({ business: business.businessId, role: 'owner' });
  assert.ok(BUSINESS_PAGES.length >= 11);
  for (const path of [
    ...BUSINESS_PAGES.map((each) => `/app/b/${business.businessId}/test${each}`),
    '/app/account',
  ])
    await t.test(path.replace(business.businessId, '$business'), () => judge(window.page, filled(path)));
  await clean(window);
});

test('the pages of the operator open for an admin', { skip }, async (t) => {
  const window = await stage.open({ operator: 'admin' });
  assert.ok(OPERATOR_PAGES.length >= 22);
  for (const path of OPERATOR_PAGES)
    await t.test(path, () => judge(window.page, `/app/operator/test${filled(path)}`));
  await clean(window);
});

test('the pages before the sign-in open', { skip }, async (t) => {
  const window = await stage.openEmpty();
  assert.ok(PUBLIC_PAGES.length >= 5);
  for (const path of [...PUBLIC_PAGES, '/app/nothing-here'])
    await t.test(path, () => judge(window.page, path));
  await clean(window);
});

test('a person without a role sees no page of a business or of the operator', { skip }, async () => {
  const other = await stage.service.addBusiness('elsewhere');
  const window = await stage.open({ business: other.businessId, role: 'viewer' });
  const { page } = window;
  for (const path of [
    `/app/b/${ids.businessId}/test/transactions`,
    '/app/operator/live',
    '/app/operator/live/ledger',
  ]) {
    await page.goto(path);
    await page.getByText('Page not found').waitFor();
    assert.ok(!(await page.content()).includes(ids.transactionId!));
  }
  await clean(window);
});
