// Tests rails in a real browser. A rail paid a payout that it had refused; then people trust the rail again, with the keyboard
// only. In test mode one person does this, in live mode two.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WITHOUT_CHROMIUM } from '../support/browser/chromium.ts';
import { fillCode } from '../support/browser/people.ts';
import { clean, openStage, type Window } from '../support/browser/stage.ts';

const skip = WITHOUT_CHROMIUM;
const stage = skip ? (undefined as never) : await openStage();
const at = (mode: string) => `/app/operator/${mode}/rails`;

const card = ({ page }: Window, rail: string) => page.getByRole('article', { name: `Rail ${rail}` });
const trust = (window: Window, rail: string) =>
  card(window, rail).getByRole('button', { name: `Trust rail ${rail}`, exact: true });
const warning = (window: Window, rail: string) => card(window, rail).getByText('after refusing it');

async function doubt(mode: 'live' | 'test', rail: string): Promise<void> {
  await stage.service.foundation.database.query({
    text: `insert into rail_doubts (mode, rail, movement_id, since) values ($1, $2, 'mov_doubted', now())`,
    values: [mode, rail],
  });
}

async function trustedElsewhere(mode: 'live' | 'test', rail: string): Promise<void> {
  await stage.service.foundation.database.query({
    text: 'delete from rail_doubts where mode = $1 and rail = $2',
    values: [mode, rail],
  });
}

async function trustByKeyboard(window: Window, rail: string, reason: string): Promise<void> {
  const { keyboard } = window.page;
  await trust(window, rail).focus();
  await keyboard.press('Enter');
  const dialog = window.page.getByRole('dialog', { name: `Trust ${rail} again` });
  await dialog.locator('textarea:focus').waitFor();
  await keyboard.type(reason);
  await keyboard.press('Tab');
  await keyboard.press('Tab');
  await keyboard.press('Enter');
}

test('in test mode one person can trust a rail again at once; a change by another person in the meantime is reported', {
  skip,
}, async () => {
  const window = await stage.open({ operator: 'reviewer' });
  const { page } = window;
  await page.goto(at('test'));
  await card(window, 'simulated').waitFor();
  assert.equal(await trust(window, 'simulated').count(), 0, 'nothing is to be trusted again');
  await doubt('test', 'simulated');
  await page.reload();
  await card(window, 'simulated').getByText('until a person trusts it again.').waitFor();

  await trust(window, 'simulated').focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('It takes effect immediately.').waitFor();
  assert.ok(await dialog.getByRole('button', { name: 'Trust rail', exact: true }).isDisabled());
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  await trustByKeyboard(window, 'simulated', 'The bank explained it');
  await page.getByText('Done. Its refusals count again within a second.').waitFor();
  await warning(window, 'simulated').waitFor({ state: 'detached' });
  await trust(window, 'simulated').waitFor({ state: 'detached' });
  assert.deepEqual((await stage.service.foundation.railDesk.settings()).doubts, []);

  await doubt('test', 'simulated');
  await page.reload();
  await trust(window, 'simulated').click();
  await dialog.getByLabel('Reason').fill('The bank explained it');
  await trustedElsewhere('test', 'simulated');
  await dialog.getByRole('button', { name: 'Trust rail', exact: true }).click();
  await dialog.getByRole('alert').getByText('already trusted').waitFor();
  await clean(window);
});

test('threat 83: in live mode two people are needed to trust a rail again, and the first person’s page updates', {
  skip,
}, async () => {
  const { foundation } = stage.service;
  const rail = { mode: 'live', rail: 'first', account: '058:0123456789', place: 0 } as const;
  await foundation.railDesk.register([rail], foundation.clock.now());
  await doubt('live', 'first');
  const maker = await stage.open({ operator: 'reviewer' });
  await maker.page.goto(at('live'));
  await card(maker, 'first').getByText('until two people trust it again.').waitFor();
  await trustByKeyboard(maker, 'first', 'The bank explained it');
  await card(maker, 'first').getByText('another person must decide').waitFor();
  assert.equal(await trust(maker, 'first').count(), 0, 'it is not proposed twice');
  assert.equal((await foundation.railDesk.settings()).doubts.length, 1, 'nothing changed by one person');

  const checker = await stage.open({ operator: 'approver' });
  const credentials = await stage.withSecondFactor(checker);
  const { page } = checker;
  await page.goto(at('live'));
  await card(checker, 'first').waitFor();
  assert.equal(await trust(checker, 'first').count(), 0, 'an approver proposes nothing');
  await card(checker, 'first').getByRole('link', { name: 'proposed it' }).click();
  await page.getByText('trust the refusals of the live rail first again').first().waitFor();
  await page.getByRole('button', { name: 'Approve proposal' }).click();
  await page.getByRole('textbox', { name: 'Reason' }).fill('I have read the letter of the bank');
  await page.getByRole('button', { name: 'Continue to second factor' }).click();
  await fillCode(page, credentials.code);
  await page.getByRole('button', { name: 'Confirm with code' }).click();
  await page.getByText('Approved and carried out').waitFor();
  await warning(maker, 'first').waitFor({ state: 'detached' });
  assert.deepEqual((await foundation.railDesk.settings()).doubts, []);
  await clean(maker);
  await clean(checker);
});
