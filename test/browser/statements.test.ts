// Tests a statement in a real browser. A reviewer imports a file and reads the findings, reconciles the account, and opens the
// day by its row and by its URL. From there the reviewer reaches the case of the difference.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastWholeDay } from '../../src/app/reconciliation/reconcile-account.ts';
import { WITHOUT_CHROMIUM } from '../support/browser/chromium.ts';
import { clean, openStage } from '../support/browser/stage.ts';

const skip = WITHOUT_CHROMIUM;
const stage = skip ? (undefined as never) : await openStage();
const AT = '/app/operator/test';

test('a file is imported, and its difference is shown by day, at its own address and as a case', {
  skip,
}, async () => {
  const { foundation } = stage.service;
  const day = lastWholeDay(foundation.clock.now());
  const vendor = (await foundation.backOffice.listVendors()).find(({ mode }) => mode === 'test')!;
  const window = await stage.open({ operator: 'reviewer' });
  const { page } = window;
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${AT}/statements`);
  await page.getByText('No test statements yet').waitFor();
  await page.getByPlaceholder('Account of this statement').click();
  await page.getByRole('option', { name: vendor.name }).click();
  const give = async (name: string, text: string) => {
    await page
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
    await page.getByRole('button', { name: 'Import statement' }).click();
  };
  await give('report.pdf', '%PDF-1.7');
  await page.getByText('Nothing in this file was credited.').waitFor();
  const head = `Account Number,${vendor.number}\nDate,Description,Debit,Credit,Balance\n`;
  await give('november.csv', `${head}${day},SMS FEE,4.00,,96.00\n31/31/2026,BAD,,1.00,97.00\n`);
  await page.getByText('1 new row, 0 known, 1 unreadable.').waitFor();
  await page.getByText('Open file').click();
  await page.getByRole('heading', { name: 'november.csv' }).waitFor();

  const totals =
    'Tran Date,Value Date,Narration,Debit,Credit,Balance\n03/12/2025,03/12/2025,NIP ONE,,25.00,25.00\n';
  await page.goto(`${AT}/statements`);
  await page.getByPlaceholder('Account of this statement').click();
  await page.getByRole('option', { name: vendor.name }).click();
  await page.getByRole('combobox', { name: 'Column profile' }).click();
  await page.getByRole('option', { name: 'UBA', exact: true }).click();
  await page.getByLabel('The bank changed its format; use this profile').check();
  await give('uba.csv', totals);
  await page.getByText('Compare totals').click();
  await page.getByRole('button', { name: 'Confirm totals' }).click();
  await page.getByRole('dialog').getByText('₦25.00').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm totals' }).click();
  await page.getByText('Confirmed. Import the file again.').waitFor();

  await page.goto(`${AT}/reconciliation`);
  await page.getByRole('button', { name: 'Reconcile now' }).click();
  await page.getByText('1 day reconciled.').waitFor();
  await page.getByRole('cell').getByRole('link').first().click();
  await page.getByText(`A charge of ₦4.00 on the statement of ${day} is not in the books.`).waitFor();
  assert.ok(page.url().endsWith(`/reconciliation/${vendor.bankCode}:${vendor.number}/${day}`), page.url());
  await page.reload();
  await page
    .getByRole('row', { name: /A charge of ₦4.00/ })
    .getByText('Open case')
    .click();
  await page.getByText('Nothing is booked; the reason is kept with the decision.').waitFor();
  await page.getByText('Open reconciled day').click();
  await page.getByRole('heading', { name: 'Balances' }).waitFor();
  await clean(window);
});
