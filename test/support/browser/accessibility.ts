// What makes a page hard or impossible to use with a keyboard or a screen reader, as axe-core finds it.
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** Rules of axe-core whose faults are never serious: they take a quarter of its time, and what they find is not looked at. */
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
  // A megabyte of script: a document that has it keeps it while links are followed.
  const isThere = await page.evaluate<boolean>(`'axe' in window`);
  const axe = new AxeBuilder({ page, ...(isThere && { axeSource: 'undefined' }) });
  // What is in order is counted and not described: describing it takes longer than finding it.
  axe.setLegacyMode(true).options({ resultTypes: ['violations'] });
  if (rules === undefined) axe.disableRules(NEVER_SERIOUS);
  else axe.withRules([...rules]);
  const { violations } = await axe.analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => ({ id, where: nodes.map(({ target }) => target.join(' ')) }));
}
