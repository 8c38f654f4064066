// Tests a bank credit in review, in a real browser. One person compares the credit with its candidate buy, sees the postings of
// a match and proposes it. Another person sees the same page, approves with a second factor, and the buy continues.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { buy, CREDITS, creditBody, newCustomer } from '../e2e/calls.ts';
import { settled } from '../e2e/settled.ts';
import { WITHOUT_CHROMIUM } from '../support/browser/chromium.ts';
import { fillCode } from '../support/browser/people.ts';
import { clean, openStage } from '../support/browser/stage.ts';

const skip = WITHOUT_CHROMIUM;
const stage = skip ? (undefined as never) : await openStage();
const HOSTILE = '<img src=x onerror=alert(1)> Stranger';

async function held() {
  const { service } = stage;
  const claim = await buy(service, { ...newCustomer(), account_name: 'Adaeze Okafor' });
  const paid = await service.post(CREDITS, creditBody(claim, { payer_name: HOSTILE }));
  assert.equal(paid.status, 200, paid.text);
  await settled(service, claim.transaction_id, { states: ['on_hold'] });
  return claim;
}

async function toCredit(page: Page): Promise<void> {
  await page.goto('/app/operator/test');
  await page.getByText('Bank credits in review').click();
  await page.getByRole('row', { name: HOSTILE }).getByText('(1 buy)').waitFor();
  await page.getByRole('link', { name: HOSTILE }).click();
  await page.getByRole('heading', { name: 'Possible buys' }).waitFor();
}

test('threat 78, 83: one person matches a credit, and another sees the same preview and approves', {
  skip,
}, async () => {
  const claim = await held();
  const maker = await stage.open({ operator: 'reviewer' });
  await toCredit(maker.page);
  assert.equal(await maker.page.locator('main img').count(), 0);
  await maker.page.getByText('The names differ').waitFor();
  await maker.page.getByRole('button', { name: /^Match ₦.* with this buy$/ }).click();
  const dialog = maker.page.getByRole('dialog');
  await dialog.getByText('The buy goes from on hold to paid').waitFor();
  await dialog.getByText('Credit matched').waitFor();
  await dialog.getByRole('button', { name: /^Propose to match/ }).click();
  await maker.page.getByText('Another person must decide.').waitFor();
  assert.equal(await maker.page.getByRole('button', { name: 'Approve proposal' }).count(), 0);

  const checker = await stage.open({ operator: 'approver' });
  const credentials = await stage.withSecondFactor(checker);
  await toCredit(checker.page);
  await checker.page.getByText('The buy goes from on hold to paid').waitFor();
  await checker.page.getByRole('button', { name: 'Approve proposal' }).click();
  await checker.page.getByRole('textbox', { name: 'Reason' }).fill('the customer confirmed the name');
  await checker.page.getByRole('button', { name: 'Continue to second factor' }).click();
  await fillCode(checker.page, credentials.code);
  await checker.page.getByRole('button', { name: 'Confirm with code' }).click();
  await checker.page.getByText('Approved and carried out').waitFor();
  await settled(stage.service, claim.transaction_id, { states: ['completed'] });
  await maker.page.getByText('Another person must decide.').waitFor({ state: 'detached' });
  await clean(maker);
  await clean(checker);
});
