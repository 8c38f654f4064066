// Tests vendors whose account stopped receiving credits, in PostgreSQL. The service takes a vendor off the list once, with an
// audit entry. The last vendor stays, and only a person can put a vendor back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openRig, PAYER } from '../../../test/support/settlement.ts';
import { makeSilentVendors } from '../../adapters/postgres/reconciliation/silent-vendors.ts';
import { listSilentVendorAttention } from '../operations/attention-items.ts';
import { checkSilentVendors } from './check-silent-vendors.ts';

const HOUR = 3_600_000;
const rig = await openRig();
const silentVendors = makeSilentVendors(rig.database);
const policy = { silentMs: 24 * HOUR, claims: 5, modes: ['test'] } as const;
const check = () => checkSilentVendors({ silentVendors, clock: { now: () => rig.now() }, policy });
const doing = () => ({ actor: 'per_1', atMs: rig.now() });
const NUMBERS = ['9900000011', '9900000028'] as const;

for (const [index, number] of NUMBERS.entries())
  await rig.backOffice.addVendor(
    {
      id: `vnd_${index}`,
      mode: 'test',
      name: `Vendor ${index}`,
      number,
      bank: 'Wema',
      bankCode: 'wema-bank',
      active: true,
    },
    doing(),
  );
await rig.addBusiness('biz_b');

async function claims(vendor: number, paid: boolean, count: number, businessId?: string): Promise<void> {
  for (let no = 0; no < count; no++) {
    rig.pass(60_000);
    const number = NUMBERS[vendor]!;
    const amountMinor = 1_500_000n + BigInt(Math.round(rig.now() / 60_000) % 100_000);
    const buy = await rig.buy({
      ...{ amountMinor, accountName: PAYER.name, accountNumber: PAYER.account },
      ...(businessId !== undefined && { businessId }),
      vendor: { vendorId: `vnd_${vendor}`, name: 'V', number, bank: 'Wema' },
      expiresAtMs: rig.now() + (paid ? 24 * HOUR : 1),
    });
    if (!paid) continue;
    await rig.payIn({ amountMinor, accountNumber: number, accountBankCode: 'wema-bank' });
    await rig.until(buy.id, 'paid', 'awaiting_wallet', 'sending', 'completed', 'on_hold');
  }
  rig.pass(HOUR);
  await rig.run();
}

const active = async () =>
  (await rig.rows<{ id: string }>('select id from vendors where active order by id')).map(({ id }) => id);

test('an account that no longer receives credits is removed from the list once, with an audit entry', async () => {
  for (const vendor of [0, 1]) {
    await claims(vendor, true, 4);
    await claims(vendor, true, 1, 'biz_b');
  }
  await claims(0, false, 6);
  assert.deepEqual(await check(), [], 'a day has not passed, and one business alone claims');
  rig.pass(25 * HOUR);
  assert.deepEqual(await check(), [], 'one business alone does not take an account off the list');
  await claims(0, false, 1, 'biz_b');
  const [silence, ...others] = await check();
  assert.deepEqual(others, []);
  assert.deepEqual([silence?.vendorId, silence?.takenOff, silence?.claims], ['vnd_0', true, 7]);
  assert.deepEqual(await active(), ['vnd_1']);
  assert.deepEqual(await check(), []);
  const log = await rig.rows<{ actor: string; subject: string }>(
    `select actor, subject from audit_log where action = 'vendor.silent'`,
  );
  assert.deepEqual(log, [{ actor: 'service:vendors', subject: 'vnd_0' }]);
  const [line] = await listSilentVendorAttention({ silentVendors }, 'test');
  assert.deepEqual(
    [line?.severity, /stopped receiving credits and was taken off the list/.test(line!.title)],
    ['warning', true],
  );
});

test('the last account of a mode stays on the list, with a more urgent alert', async () => {
  await claims(1, false, 5);
  await claims(1, false, 2, 'biz_b');
  rig.pass(25 * HOUR);
  const [silence] = await check();
  assert.deepEqual([silence?.vendorId, silence?.takenOff], ['vnd_1', false]);
  assert.deepEqual(await active(), ['vnd_1']);
  const lines = await listSilentVendorAttention({ silentVendors }, 'test');
  assert.deepEqual(
    lines.map(({ severity }) => severity),
    ['warning', 'critical'],
  );
});

test('after a person puts an account back on the list, only later claims count', async () => {
  await rig.backOffice.changeVendor('vnd_0', { active: true }, doing());
  rig.pass(HOUR);
  assert.deepEqual(await check(), []);
  assert.deepEqual(await active(), ['vnd_0', 'vnd_1']);
  assert.deepEqual(
    (await silentVendors.list('test')).map(({ vendorId }) => vendorId),
    ['vnd_1'],
  );
});

test('a credit on the last account ends its alert', async () => {
  await claims(1, true, 1);
  await check();
  assert.deepEqual(await silentVendors.list('test'), []);
});
