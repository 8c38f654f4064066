// Tests that one bank account is one ledger account, however a rail writes the bank. An account is never both a vendor's
// account and a payout account.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openRig } from '../../../test/support/settlement.ts';
import { loadBankDirectory } from '../../adapters/catalogue/bank-directory.ts';
import type { Rail } from '../../ports/rails/rail.ts';
import { planNewVendor, planVendorChange } from '../back-office/manage-vendors.ts';
import type { SettingDeps } from '../back-office/setting-deps.ts';
import { openPayoutAccounts } from './payout-accounts.ts';
import { readBankFeed } from './record-lines.ts';

const rig = await openRig();
const directory = loadBankDirectory();
const [wema, gtb] = [directory.resolve('Wema Bank')!.code, directory.resolve('GTBank')!.code];
const NUMBER = '9900000028';
const PAYOUT_NUMBER = '0123456789';
const doing = { actor: 'test', atMs: rig.now() };
const vendor = {
  id: 'vnd_wema',
  mode: 'test',
  name: 'Ours',
  number: NUMBER,
  bank: 'Wema Bank',
  bankCode: wema,
} as const;
await rig.backOffice.addVendor({ ...vendor, active: true }, doing);

const accounts = async (name: string) =>
  (
    await rig.rows<{ key: string; balance: string }>(
      `select key, balance::text from accounts where name = $1 and key like '%:' || $2 order by key`,
      name,
      NUMBER,
    )
  ).map(({ key, balance }) => `${key} ${balance}`);

test('threat 94: a vendor’s account has one ledger account, no matter which name the rail uses for its bank', async () => {
  const ids: string[] = [];
  for (const accountBankCode of [null, wema, 'WEMA BANK PLC', 'Bank of Nowhere', 'null'])
    ids.push(await rig.payIn({ accountNumber: NUMBER, accountBankCode, amountMinor: 1_000n }));
  await rig.run();
  assert.deepEqual(await accounts('bank_in'), [`test/NGN/bank_in/${wema}:${NUMBER} 5000`]);
  await rig.backOffice.changeVendor(vendor.id, { active: false }, doing);
  await rig.payIn({ accountNumber: NUMBER, accountBankCode: null, amountMinor: 1_000n });
  await rig.passing(1_000);
  assert.deepEqual(await accounts('bank_in'), [`test/NGN/bank_in/${wema}:${NUMBER} 6000`], 'turned off, too');
  await rig.sandbox.reverse(ids[3]!);
  await rig.passing(3_000);
  assert.deepEqual(await accounts('bank_in'), [`test/NGN/bank_in/${wema}:${NUMBER} 5000`]);
});

const rail = { ...rig.rail, account: { bankCode: gtb, number: PAYOUT_NUMBER } } as Rail;
const ours = { ...rig.deps, banks: { enabled: () => [rail], find: () => rail } };

test('a credit to a payout account is set aside for review, and is not a payment', async () => {
  for (const accountBankCode of [null, 'GTBank'])
    await rig.payIn({ accountNumber: PAYOUT_NUMBER, accountBankCode, amountMinor: 7_777n });
  rig.pass(20_000);
  const found = await readBankFeed(ours, 'test', rail as never);
  assert.deepEqual([found?.lines, found?.credits], [2, []]);
  const lines = await rig.rows<{ reason: string }>('select reason from quarantine');
  assert.equal(lines.length, 2);
  for (const { reason } of lines)
    assert.match(reason, /it arrived in a payout account: two people must book it/);
});

test('a vendor with a payout account is refused, both a new one and one that is enabled again', async () => {
  const deps = { ...rig.deps, backOffice: rig.backOffice, banks: directory } as unknown as SettingDeps;
  const given = { mode: 'test', name: 'Both', number: PAYOUT_NUMBER, bank: 'GTBank' } as const;
  const said = (result: Awaited<ReturnType<typeof planNewVendor>>) =>
    result.ok ? 'ok' : result.error.message;
  assert.equal(said(await planNewVendor(deps, given)), 'ok', 'no rail pays from it yet');
  await openPayoutAccounts(ours);
  assert.match(said(await planNewVendor(deps, given)), /This is a payout account/);
  assert.equal(said(await planNewVendor(deps, { ...given, bank: 'Wema' })), 'ok', 'that of another bank');
  const off = { ...vendor, ...given, id: 'vnd_off', bankCode: gtb, active: false };
  await rig.backOffice.addVendor(off, doing);
  const turnedOn = await planVendorChange(deps, { setting: 'vendor_enabled', vendorId: off.id });
  assert.match(said(turnedOn), /This is a payout account/);
});
