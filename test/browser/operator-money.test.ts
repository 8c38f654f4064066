// Tests what the operator holds and runs, in a real browser. People pause movements and propose their resumption, follow a
// balance to its transaction, and propose a withdrawal. The page shows a hostile vendor name as text. People also set the
// credit source of a vendor and verify the audit log.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeBackOffice } from '../../src/adapters/postgres/back-office/back-office.ts';
import { buy, newCustomer } from '../e2e/calls.ts';
import { settled } from '../e2e/settled.ts';
import { WITHOUT_CHROMIUM } from '../support/browser/chromium.ts';
import { clean, openStage, type Window } from '../support/browser/stage.ts';

const skip = WITHOUT_CHROMIUM;
const stage = skip ? (undefined as never) : await openStage();
const AT = '/app/operator/test';
const WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

const button = ({ page }: Window, name: string) => page.getByRole('button', { name, exact: true });
const inDialog = ({ page }: Window) => page.getByRole('dialog');

test('a balance links to its postings, to the entry and to the transaction', { skip }, async () => {
  const { service } = stage;
  const order = await buy(service, newCustomer(), { headers: { 'svc-scenario': 'paid' } });
  await settled(service, order.transaction_id, { states: ['completed'] });
  const window = await stage.open({ operator: 'auditor' });
  const { page } = window;
  await page.goto(`${AT}/ledger`);
  await page.getByText('The books balance').waitFor();
  assert.equal(await page.getByText('Balanced', { exact: true }).count(), 5);
  await page.getByRole('link', { name: 'Delivered delivered' }).click();
  await page.getByRole('link', { name: 'Tokens confirmed' }).click();
  await page.getByRole('heading', { name: 'Tokens confirmed' }).waitFor();
  const link = page.getByRole('link', { name: order.transaction_id, exact: true });
  assert.equal(await link.getAttribute('href'), `${AT}/review/${order.transaction_id}`);
  await page.getByRole('link', { name: 'Credit received' }).click();
  await page.getByRole('heading', { name: 'Credit received' }).waitFor();
  await page.getByRole('link', { name: 'Suspense' }).click();
  await page.getByRole('heading', { name: 'Suspense · Naira' }).waitFor();
  await clean(window);
});

test('a token withdrawal is proposed, and no tokens move', { skip }, async () => {
  const window = await stage.open({ operator: 'reviewer' });
  const { page } = window;
  await page.goto(`${AT}/treasury`);
  await button(window, 'Withdraw tokens').click();
  const dialog = inDialog(window);
  await dialog.getByLabel('Network').click();
  await page.getByRole('option', { name: 'Polygon' }).click();
  await dialog.getByLabel('Amount in tokens').fill('250.50');
  await dialog.getByLabel('Destination address').fill('not an address');
  await dialog.getByRole('button', { name: 'Propose withdrawal' }).click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel('Destination address').fill(WALLET);
  await dialog.getByText('250.50 NGNC (₦250.50) will leave the treasury on Polygon').waitFor();
  await dialog.getByRole('button', { name: 'Propose withdrawal' }).click();
  await page.getByText('Nothing leaves the treasury until another person approves it').waitFor();
  const [open] = await stage.service.foundation.reviewDesk.listOpenProposals('test');
  assert.deepEqual(
    [open!.request.action, open!.amountMinor, open!.proposedBy],
    ['withdraw', 25_050n, window.personId],
  );
  await clean(window);
});

test('threat 78: a vendor name that is a script is shown as text', { skip }, async () => {
  const window = await stage.open({ operator: 'admin' });
  const { page } = window;
  const hostile = '<img src=x onerror="window.hit=1">';
  await page.goto(`${AT}/vendors`);
  await button(window, 'Add vendor account').click();
  const dialog = inDialog(window);
  await dialog.getByLabel('Account name').fill(hostile);
  await dialog.getByLabel('Account number').fill('9900000097');
  await dialog.getByLabel('Bank').fill('Providus Bank');
  await dialog.getByRole('button', { name: 'Add vendor account' }).click();
  await page.getByRole('cell').getByText(hostile, { exact: true }).first().waitFor();
  assert.equal(await page.evaluate('window.hit'), undefined);
  await clean(window);
});

test('a vendor’s credit source is chosen in a dialog that explains the change, and the list shows the new source', {
  skip,
}, async () => {
  const window = await stage.open({ operator: 'admin' });
  const { page } = window;
  const add = async (mode: 'live' | 'test') => {
    const id = `vnd_source_${mode}`;
    const account = { number: '9900000096', bank: 'Providus Bank', bankCode: 'providus-bank' };
    const vendor = { ...{ id, mode, active: true, name: 'Statement Vendor' }, ...account };
    const backOffice = makeBackOffice(stage.service.foundation.database);
    await backOffice.addVendor(vendor, { actor: 'test', atMs: Date.now() });
  };
  await add('test');
  await add('live');
  await page.goto(`${AT}/vendors`);
  const row = page.getByRole('row').filter({ hasText: 'Statement Vendor' });
  await row.getByText('none yet').waitFor();
  await button(window, 'Source of Statement Vendor').click();
  const dialog = inDialog(window);
  await dialog.getByText('It takes effect immediately.').waitFor();
  assert.ok(await dialog.getByRole('button', { name: 'Set source' }).isDisabled());
  await dialog.getByLabel('New source').selectOption('statements');
  await dialog.getByText('Use statements only for an account that no rail reports.').waitFor();
  await dialog.getByRole('button', { name: 'Set source' }).click();
  await page.getByText('statements credits this account from now on').waitFor();
  await row.getByRole('cell', { name: 'statements', exact: true }).waitFor();
  await page.goto('/app/operator/live/vendors');
  await button(window, 'Source of Statement Vendor').click();
  await dialog.getByText('A second person must approve it').waitFor();
  await dialog.getByLabel('New source').selectOption('statements');
  await dialog.getByRole('button', { name: 'Propose source' }).click();
  await row.getByRole('link', { name: 'Source: statements' }).waitFor();
  await row.getByText('none yet').waitFor();
  await clean(window);
});

test('the audit log is verified to its last entry, and its filters are part of the address', {
  skip,
}, async () => {
  const window = await stage.open({ operator: 'auditor' });
  const { page } = window;
  await page.goto(`${AT}/audit`);
  await button(window, 'Verify all entries').click();
  await page.getByText(/^All [\d,]+ entries are intact/).waitFor();
  await page.getByLabel('Action starts with').fill('vendor_');
  await page.waitForURL(/action=vendor_/);
  const row = page.getByRole('button', { name: 'vendor_added' }).first();
  await row.press('Enter');
  await inDialog(window).getByText('"number": "9900000').waitFor();
  await clean(window);
});

test('one person pauses all movements with a reason, and proposes to resume them', { skip }, async () => {
  const window = await stage.open({ operator: 'reviewer' });
  const { page } = window;
  const auditor = await stage.open({ operator: 'auditor' });
  await auditor.page.goto(`${AT}/stops`);
  await auditor.page.getByRole('heading', { name: 'Money is moving' }).waitFor();
  await page.goto(`${AT}/stops`);
  await page.getByRole('heading', { name: 'Money is moving' }).waitFor();
  await button(window, 'Pause all movements').click();
  await inDialog(window).getByLabel('Reason').fill('The bank reports strange credits');
  await inDialog(window).getByRole('button', { name: 'Pause all movements' }).click();
  await page.getByRole('heading', { name: 'All movements are paused' }).waitFor();
  assert.equal(await stage.service.foundation.backOffice.movementsPaused(), true);
  await page.getByRole('cell', { name: 'The bank reports strange credits' }).waitFor();
  await button(window, 'Propose to resume').click();
  await inDialog(window).getByLabel('Reason').fill('Explained by the bank');
  await inDialog(window).getByRole('button', { name: 'Propose to resume' }).click();
  await page.getByText('It takes effect when another person approves it').waitFor();
  assert.equal(await stage.service.foundation.backOffice.movementsPaused(), true);
  await auditor.page.getByRole('heading', { name: 'All movements are paused' }).waitFor();
  assert.equal(await button(auditor, 'Propose to resume').count(), 0);
  await clean(auditor);
  await clean(window);
});
