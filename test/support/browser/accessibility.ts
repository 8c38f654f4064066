// Accessibility problems of a page for keyboard or screen reader users, as axe-core finds them.
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** Rules of axe-core whose faults are never serious: they take a quarter of its time, and their findings are ignored. */
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

/** Only serious ones, by all rules unless some are named. */
export async function seriousFaults(page: Page, rules?: readonly string[]): Promise<readonly object[]> {
  // A megabyte of script: a document keeps it while links are followed.
  const isThere = await page.evaluate<boolean>(`'axe' in window`);
  const axe = new AxeBuilder({ page, ...(isThere && { axeSource: 'undefined' }) });
  // Passed checks are counted and not described: describing them takes longer than finding them.
  axe.setLegacyMode(true).options({ resultTypes: ['violations'] });
  if (rules === undefined) axe.disableRules(NEVER_SERIOUS);
  else axe.withRules([...rules]);
  const { violations } = await axe.analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => ({ id, where: nodes.map(({ target }) => target.join(' ')) }));
}
