// Tests people and their roles on the pages: the team of a business, the people of the operator, and a person's own sessions
// and recovery codes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addConsolePerson, giveCredentials } from '../http/console/browser.ts';
import { WITHOUT_CHROMIUM } from '../support/browser/chromium.ts';
import { fillCode, giveCode, givePassword, ownWindow } from '../support/browser/people.ts';
import { clean, openStage } from '../support/browser/stage.ts';
import { freePort } from '../support/home.ts';

const skip = WITHOUT_CHROMIUM;
const port = await freePort();
const stage = skip ? (undefined as never) : await openStage({ PORT: String(port), TRUST_PROXY: 'loopback' });

test('an owner changes the role of a member and removes them; the last owner cannot leave', {
  skip,
}, async () => {
  const { businessId } = await stage.service.addBusiness('team');
  const member = await addConsolePerson(stage.service, { business: businessId, role: 'viewer' });
  const window = await stage.open({ business: businessId, role: 'owner' });
  const { page } = window;
  await page.goto(`/app/b/${businessId}/test/team`);
  const row = page.getByRole('row').filter({ hasText: member.email });
  await row.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Change role' }).click();
  await page.getByRole('dialog').getByLabel('Developer').check();
  await page.getByRole('dialog').getByRole('button', { name: 'Change role' }).click();
  await row.getByText('Developer').waitFor();
  await row.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Remove member' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove member' }).click();
  await row.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Leave business' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave business' }).click();
  await page.getByRole('alert').getByText('owner').waitFor();
  await clean(window);
});

test('a viewer can leave a business', { skip }, async () => {
  const { businessId } = stage.service.business;
  const window = await stage.open({ business: businessId, role: 'viewer' });
  const { page } = window;
  await page.goto(`/app/b/${businessId}/test/team`);
  await page.getByRole('button', { name: 'Leave business' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave business' }).click();
  await page.waitForURL('**/app/account', { waitUntil: 'commit' });
  await clean(window);
});

test('an admin disables a person and revokes an invitation; an auditor cannot change anything', {
  skip,
}, async () => {
  const reviewer = await addConsolePerson(stage.service, { operator: 'reviewer' });
  const window = await stage.open({ operator: 'admin' });
  const { page } = window;
  await page.goto('/app/operator/live/people');
  const row = page.getByRole('row').filter({ hasText: reviewer.email });
  await row.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Disable person' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disable person' }).click();
  await row.getByText('Disabled').waitFor();
  await page.getByRole('button', { name: 'Invite person' }).click();
  await page.getByRole('dialog').getByLabel('E-mail address').fill('new@example.com');
  await page.getByRole('dialog').getByRole('button', { name: 'Invite person' }).click();
  const invited = page.getByRole('row').filter({ hasText: 'new@example.com' });
  await invited.getByRole('button', { name: 'Withdraw' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw invitation' }).click();
  await page.getByText('No open invitation').waitFor();
  await clean(window);

  const auditor = await stage.open({ operator: 'auditor' });
  await auditor.page.goto('/app/operator/live/people');
  await auditor.page.getByText(reviewer.email).waitFor();
  assert.equal(await auditor.page.getByRole('button', { name: /Invite|Actions|Approve/ }).count(), 0);
  await clean(auditor);
});

test('new recovery codes are shown once, after a second factor; ending all sessions signs the person out', {
  skip,
}, async () => {
  const { businessId } = stage.service.business;
  const person = await addConsolePerson(stage.service, { business: businessId, role: 'viewer' });
  const credentials = await giveCredentials(stage.service, person);
  const window = await stage.openEmpty(ownWindow(port));
  const { page } = window;
  await page.goto('/app/sign-in?next=/app/account');
  await givePassword(page, person.email, credentials.password);
  await giveCode(page, credentials.code);
  await page.getByRole('button', { name: 'Generate new codes' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Generate new codes' }).click();
  await fillCode(page, () => credentials.code(1));
  await page.getByRole('button', { name: 'Confirm with code' }).click();
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  const first = await codes.first().innerText();
  await page.getByRole('button', { name: 'I have stored them' }).click();
  await page.getByText('10 codes left').waitFor();
  await page.getByRole('button', { name: 'End all sessions' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End all sessions' }).click();
  await page.getByLabel('E-mail address').waitFor();
  await givePassword(page, person.email, credentials.password);
  await page.getByText('Recovery code', { exact: true }).click();
  await page.getByRole('textbox', { name: 'Recovery code' }).fill(first);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(`**/app/b/${businessId}/test`, { waitUntil: 'commit' });
  await clean(window);
});
