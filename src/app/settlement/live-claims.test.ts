// Tests two businesses that claim the same credit, in live mode and in test mode. At most one claim is paid, and only if the
// payer's narration or name identifies it. A sandbox credit can match only claims of its own business.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COMMITTED, credit as credited, recording } from '../../../test/http/settlement-fixtures.ts';
import { acceptance, BUSINESS, KEY, LIVE_KEY, NOW, transaction } from '../../../test/http/store-fixtures.ts';
import { openRig } from '../../../test/support/settlement.ts';
import { acceptBatch } from '../../adapters/postgres/accept/accept-batch.ts';
import type { BankCredit } from '../../domain/records/credit.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import type { Mode } from '../../domain/values/mode.ts';
import { matchCredits } from './match-credits.ts';

const PAYER = '0123456785';
const NAME = 'Ada Obi';
const AMOUNT = 2_000_000n;
const rig = await openRig();
await rig.addBusiness('biz_two');
const { rows } = await rig.database.query<Record<string, unknown>>({
  text: `select * from api_keys where id = $1`,
  values: ['key_biz_two'],
});
const columns = Object.keys(rows[0]!);
await rig.database.query({
  text: `insert into api_keys (${columns.join(', ')}) values (${columns.map((_, no) => `$${no + 1}`).join(', ')})`,
  values: columns.map((name) =>
    name === 'id'
      ? 'key_live_two'
      : name === 'mode'
        ? 'live'
        : /hash/.test(name)
          ? 'hash live two'
          : rows[0]![name],
  ),
});
const KEYS: Readonly<Record<Mode, readonly [string, string]>> = {
  test: [KEY, 'key_biz_two'],
  live: [LIVE_KEY, 'key_live_two'],
};

let number = 2_000_000_000;

async function claimed(
  mode: Mode,
  mine: Partial<Transaction>,
  theirs: Partial<Transaction>,
  paid: Partial<BankCredit>,
): Promise<readonly string[]> {
  const vendor = { vendorId: 'vnd_1', name: 'Vendor', number: String(++number), bank: 'Providus Bank' };
  const claims = [
    { businessId: BUSINESS, ...mine },
    { businessId: 'biz_two', ...theirs },
  ].map((changes) =>
    transaction({ mode, vendor, accountNumber: PAYER, accountName: NAME, amountMinor: AMOUNT, ...changes }),
  );
  for (const [index, claim] of claims.entries())
    assert.deepEqual(await acceptBatch(rig.database, [acceptance(claim, { keyId: KEYS[mode][index]! })]), [
      { kind: 'created' },
    ]);
  const at = { valueAtMs: NOW - 3_600_000, receivedAtMs: NOW - 3_600_000, dueAtMs: NOW };
  const credit = credited({
    ...{
      mode,
      accountNumber: vendor.number,
      accountBankCode: null,
      amountMinor: AMOUNT,
      payerAccount: PAYER,
    },
    ...{ payerName: NAME.toUpperCase(), payerBankCode: null, narration: null, ...at, ...paid },
  });
  assert.deepEqual(await rig.deps.store.commit([recording(credit)]), [COMMITTED]);
  await matchCredits(rig.deps, [(await rig.deps.store.creditsById([credit.id])).get(credit.id)!]);
  const now = await rig.deps.store.transactionsById(claims.map(({ id }) => id));
  return [...now.values()]
    .filter(({ receivedMinor }) => receivedMinor > 0n)
    .map(({ businessId }) => businessId);
}

for (const mode of ['live', 'test'] as const) {
  test(`threat 16, ${mode}: if two businesses claim one credit, only a business that the payer identifies is paid`, async () => {
    const masked = { payerAccount: '******6785' };
    const named = (reference: string) => ({ narration: `TRF ${reference} thanks` });
    const cases: readonly [
      string,
      Partial<Transaction>,
      Partial<Transaction>,
      Partial<BankCredit>,
      readonly string[],
    ][] = [
      ['the same in everything', {}, {}, {}, []],
      ['a masked number', {}, {}, masked, []],
      ['no number', {}, {}, { payerAccount: null }, []],
      ['a better name', { accountName: 'Obi' }, {}, {}, []],
      ['a name beside none', { accountName: null }, {}, {}, []],
      ['a masked number, a name beside none', { accountName: null }, {}, masked, []],
      ['another’s name', {}, { accountName: 'Musa Ibrahim' }, {}, [BUSINESS]],
      ['a masked number, another’s name', {}, { accountName: 'Musa Ibrahim' }, masked, [BUSINESS]],
      ['the reference of one', { reference: `ORD-${mode}-001` }, {}, named(`ORD-${mode}-001`), [BUSINESS]],
      [
        'the same reference',
        { reference: `ORD-${mode}-002` },
        { reference: `ord-${mode}-002` },
        named(`ORD-${mode}-002`),
        [],
      ],
      ['another account of that name', { accountNumber: '7777777776' }, {}, {}, ['biz_two']],
      ['another account of both', { accountNumber: '7777777776' }, { accountNumber: '7777777775' }, {}, []],
    ];
    for (const [what, mine, theirs, paid, expected] of cases)
      assert.deepEqual(await claimed(mode, mine, theirs, paid), expected, `${mode}: ${what}`);
  });
}

test('threat 26: a sandbox credit pays only claims of its own business, and a bank credit pays claims of any business', async () => {
  assert.deepEqual(await claimed('test', {}, {}, { businessId: 'biz_two' }), ['biz_two']);
  assert.deepEqual(await claimed('test', {}, {}, { businessId: BUSINESS }), [BUSINESS]);
  const other = { accountNumber: '7777777776' };
  assert.deepEqual(await claimed('test', other, {}, { businessId: BUSINESS }), []);
  assert.deepEqual(await claimed('live', other, {}, {}), ['biz_two']);
});
