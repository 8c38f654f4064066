// Tests the statement of Paystack: the order of lines, open transactions, long histories, and incomplete lines.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Asked, type Play, playBank } from '../../../../test/support/banks/played-bank.ts';
import { limitMs } from '../../../../test/support/patience.ts';
import type { CreditLine, RailStatement } from '../../../ports/rails/rail-statement.ts';
import { loadBankDirectory } from '../../catalogue/bank-directory.ts';
import { openPaystack } from './rail.ts';

const FROM_MS = Date.parse('2026-11-16T00:00:00Z');
const NOW_MS = FROM_MS + 5 * 86_400_000;

interface Row {
  readonly id: number;
  readonly atMs: number;
  readonly status?: string;
  readonly channel?: string;
  readonly currency?: string;
  readonly authorization?: object;
}

const rowOf = ({
  id,
  atMs,
  status = 'success',
  channel = 'dedicated_nuban',
  currency = 'NGN',
  authorization,
}: Row) => ({
  ...{ id, status, channel, currency, amount: 15_000_00, created_at: new Date(atMs).toISOString() },
  paid_at: new Date(atMs + 1_000).toISOString(),
  authorization: authorization ?? {
    ...{ channel, receiver_bank_account_number: '9900000011', receiver_bank: 'Wema Bank' },
    ...{
      sender_bank_account_number: 'XXXXXX6785',
      sender_name: 'Ada Obi',
      sender_bank: 'OPay',
      narration: null,
    },
  },
});

function listed(rows: readonly Row[], { query }: Asked): Play {
  const [from, to] = [Date.parse(query.get('from')!), Date.parse(query.get('to')!)];
  const [page, perPage] = [Number(query.get('page')), Number(query.get('perPage'))];
  const found = rows.filter(({ atMs }) => atMs >= from && atMs <= to).toSorted((a, b) => b.id - a.id);
  const data = found.slice((page - 1) * perPage, page * perPage).map(rowOf);
  return [200, { status: true, message: 'x', data, meta: { total: found.length, page, perPage } }];
}

function statementOn(baseUrl: string, { nowMs = NOW_MS, lagMs = 0 } = {}): RailStatement {
  const settings = {
    ...{
      baseUrl,
      secretKey: () => 'sk',
      narration: 'Payout',
      timeoutMs: limitMs('answer'),
      mostBytes: 4_194_304,
    },
    ...{ creditsFromMs: FROM_MS, creditsLagMs: lagMs, eventAddresses: new Set<string>() },
  };
  const account = { bankCode: 'paystack-titan', number: '1234567891' };
  const deps = { directory: loadBankDirectory(), clock: { now: () => nowMs } };
  return openPaystack({ mode: 'live', name: 'paystack', account }, settings, deps).statement!;
}

const idsOf = (lines: readonly { readonly sourceId: string }[]) =>
  lines.map(({ sourceId }) => Number(sourceId));

test('a line contains the gross amount in kobo, the masked payer and our account; values that the bank omits are null', async () => {
  await using bank = await playBank((asked) => listed([{ id: 7, atMs: FROM_MS + 5 }], asked));
  const { lines } = await statementOn(bank.url).read(null);
  const { raw, ...line } = lines[0] as CreditLine;
  assert.deepEqual(line, {
    ...{ kind: 'credit', sourceId: '7', amountMinor: 15_000_00n, valueAtMs: FROM_MS + 1_005 },
    ...{ accountNumber: '9900000011', accountBankCode: 'wema-bank', sessionId: null, narration: null },
    ...{ payerAccount: 'XXXXXX6785', payerName: 'Ada Obi', payerBankName: 'OPay' },
  });
  assert.equal((raw as { amount: number }).amount, 15_000_00);
});

test('lines are sorted by time and then by id; other channels and currencies are ignored', async () => {
  const rows: Row[] = [
    { id: 3, atMs: FROM_MS + 10 },
    { id: 1, atMs: FROM_MS + 10 },
    { id: 2, atMs: FROM_MS + 5 },
    { id: 4, atMs: FROM_MS + 1, channel: 'card' },
    { id: 5, atMs: FROM_MS + 1, currency: 'USD' },
    { id: 6, atMs: FROM_MS + 1, status: 'failed' },
  ];
  await using bank = await playBank((asked) => listed(rows, asked));
  const statement = statementOn(bank.url);
  const { lines, position } = await statement.read(null);
  assert.deepEqual(idsOf(lines), [2, 1, 3]);
  rows.push({ id: 8, atMs: FROM_MS + 10 });
  assert.deepEqual(idsOf((await statement.read(position)).lines), [8]);
});

test('threat 18: a transaction that may still change delays the later ones by at most a day', async () => {
  const atMs = NOW_MS - 3_600_000;
  const rows: Row[] = [1, 2, 3].map((id) => ({ id, atMs: atMs + id }));
  rows[1] = { ...rows[1]!, status: 'ongoing' };
  await using bank = await playBank((asked) => listed(rows, asked));
  const { lines, position } = await statementOn(bank.url).read(null);
  assert.deepEqual(idsOf(lines), [1]);
  assert.deepEqual(await statementOn(bank.url).read(position), { lines: [], position });
  rows[1] = { ...rows[1], status: 'success' };
  assert.deepEqual(idsOf((await statementOn(bank.url).read(position)).lines), [2, 3]);
  rows[1] = { ...rows[1], status: 'ongoing' };
  const later = statementOn(bank.url, { nowMs: NOW_MS + 86_400_000 });
  assert.deepEqual(idsOf((await later.read(position)).lines), [3]);
});

test('a transaction newer than the lag is read later', async () => {
  const rows = [1, 2].map((id) => ({ id, atMs: NOW_MS - 30_000 + id * 12_000 }));
  await using bank = await playBank((asked) => listed(rows, asked));
  const { lines, position } = await statementOn(bank.url, { lagMs: 10_000 }).read(null);
  assert.deepEqual(idsOf(lines), [1]);
  const next = statementOn(bank.url, { nowMs: NOW_MS + 10_000, lagMs: 10_000 });
  assert.deepEqual(idsOf((await next.read(position)).lines), [2]);
});

test('a long history is read in parts, and each line is returned once and in order', async () => {
  const rows = Array.from({ length: 2_500 }, (_, index) => ({
    id: index + 1,
    atMs: FROM_MS + index * 60_000,
  }));
  // A period in which the operator's account has no bank transfers.
  const quiet = Array.from({ length: 1_500 }, (_, index) => ({
    ...{ id: 10_000 + index, atMs: FROM_MS + 2_500 * 60_000 + index * 1_000, channel: 'card' },
  }));
  const last = { id: 20_000, atMs: FROM_MS + 2_500 * 60_000 + 2_000_000 };
  await using bank = await playBank((asked) => listed([...rows, ...quiet, last], asked));
  const read: number[] = [];
  let position: string | null = null;
  for (;;) {
    const page = await statementOn(bank.url).read(position);
    if (page.lines.length === 0) break;
    assert.ok(page.lines.length <= 100);
    read.push(...idsOf(page.lines));
    position = page.position;
  }
  assert.deepEqual(read, [...rows.map(({ id }) => id), 20_000]);
});

test('a line without an account is still returned; a list in another format causes an error', async () => {
  await using bank = await playBank((asked) =>
    listed([{ id: 7, atMs: FROM_MS, authorization: { channel: 'dedicated_nuban' } }], asked),
  );
  const { lines } = await statementOn(bank.url).read(`${FROM_MS - 1} 1`);
  const [line] = lines as readonly [CreditLine];
  assert.deepEqual([line.accountNumber, line.payerAccount, line.payerName], ['', null, null]);
  for (const json of [
    { status: true, data: {} },
    { status: true, data: [], meta: {} },
    { status: true, data: [{ currency: 'NGN', channel: 'dedicated_nuban' }], meta: { total: 1 } },
  ]) {
    await using odd = await playBank(() => [200, json]);
    await assert.rejects(statementOn(odd.url).read(null), /^Error: Paystack lists/);
  }
  await assert.rejects(statementOn(bank.url).read('somewhere'), /position is not one of this rail/);
});
