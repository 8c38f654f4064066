// Accessibility problems of a page for keyboard or screen reader users, as axe-core finds them.
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** Rules of axe-core whose findings are never serious: they take a quarter of its time, so they are not run. */
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

/** Returns only serious faults; checks all rules unless some are named. */
export async function seriousFaults(page: Page, rules?: readonly string[]): Promise<readonly object[]> {
  // The axe script has a megabyte. The document keeps it while links are followed, so it is loaded only if it is missing.
  const isThere = await page.evaluate<boolean>(`'axe' in window`);
  const axe = new AxeBuilder({ page, ...(isThere && { axeSource: 'undefined' }) });
  // Passed checks are not described: describing them takes longer than running them.
  axe.setLegacyMode(true).options({ resultTypes: ['violations'] });
  if (rules === undefined) axe.disableRules(NEVER_SERIOUS);
  else axe.withRules([...rules]);
  const { violations } = await axe.analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => ({ id, where: nodes.map(({ target }) => target.join(' ')) }));
}
