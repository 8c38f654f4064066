// Tests statement files in the console. An upload is streamed into the import, and the response contains the findings. A person
// who may not book money may not upload. A row of a statement is credited if statements are the credit source of its account.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastWholeDay } from '../../../src/app/reconciliation/reconcile-account.ts';
import { lagosDay } from '../../../src/domain/values/calendar.ts';
import { buyBody, startTestService } from '../../support/service.ts';
import { eventually, ONRAMP } from '../helpers.ts';
import { addConsolePerson, signedIn } from './browser.ts';

const service = await startTestService({ TRUST_PROXY: 'loopback', STATEMENT_MAX_BYTES: '20000' });
const AT = '/console/v1/operator/statements';
const browser = await signedIn(service, await addConsolePerson(service, { operator: 'reviewer' }));
const admin = await signedIn(service, await addConsolePerson(service, { operator: 'admin' }));
const auditor = await signedIn(service, await addConsolePerson(service, { operator: 'auditor' }));
const vendor = (await service.foundation.backOffice.listVendors()).find(({ mode }) => mode === 'test')!;
const BYTES = { 'content-type': 'application/octet-stream' };
const TEXT = [
  `Account Number,${vendor.number}`,
  'Date,Description,Debit,Credit,Balance',
  '2026-01-05,NIP/KUDA/ADA OBI/RENT,,"2,500.00","12,500.00"',
  '2026-01-05,BAD,,12.345,"12,500.00"',
  '2026-01-06,SMS FEE,4.00,,"12,496.00"',
].join('\n');
const upload = (text: string, query = `vendor_id=${vendor.id}&name=january.csv`, who = browser) =>
  who.send('POST', `${AT}/test?${query}`, { body: text, headers: BYTES });

test('a file is imported and shown with its problems and days', async () => {
  const asked = await upload(TEXT);
  assert.deepEqual(
    [asked.status, asked.body.file.state, asked.body.question],
    [200, 'failed', { incoming_rows: 1, incoming: '2500.00', outgoing_rows: 1, outgoing: '4.00' }],
  );
  const confirmed = `vendor_id=${vendor.id}&name=january.csv&without_source=1`;
  assert.equal((await upload(TEXT, confirmed.replace('=1', '=one'))).body.code, 'filter_invalid');
  const { status, body } = await upload(TEXT, confirmed);
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.question, null);
  assert.deepEqual(
    [body.file.name, body.file.rows_new, body.file.profile, body.same, body.gaps],
    ['january.csv', 2, 'generic', false, 0],
  );
  assert.deepEqual(
    body.problems.map(({ line, column }: { line: number; column: number }) => [line, column]),
    [[4, 4]],
  );
  const again = await upload(TEXT);
  assert.deepEqual([again.body.same, again.body.file.file_id], [true, body.file.file_id]);
  const shown = (await auditor.send('GET', `${AT}/test/${body.file.file_id}`)).body;
  assert.deepEqual(
    shown.days.map(({ day, state, closing }: Record<string, string>) => [day, state, closing]),
    [
      ['2026-01-06', 'sound', '12496.00'],
      ['2026-01-05', 'sound', '12500.00'],
    ],
  );
  const listed = (await auditor.send('GET', `${AT}/test`)).body;
  assert.equal(listed.files.filter(({ state }: { state: string }) => state === 'done').length, 1);
  assert.equal((await auditor.send('GET', `${AT}/live`)).body.files.length, 0);
  assert.equal((await auditor.send('GET', `${AT}/live/${body.file.file_id}`)).status, 404);
});

test('rows of a statement are credited once, after people chose statements as the source of the account', async () => {
  const stored = async (table: 'bank_credits' | 'credit_reports') => {
    const text = `select amount_minor from ${table} where source = 'statements'`;
    const { rows } = await service.foundation.database.query<{ amount_minor: string }>({ text });
    return rows.map(({ amount_minor }) => amount_minor);
  };
  // The account has no credit source yet, so the row of the first file becomes only a report, and stays a report.
  await eventually(async () => (await stored('credit_reports')).length > 0, 'the row is a report');
  const source = { body: { source: 'statements' } };
  const set = await admin.send('PUT', `/console/v1/operator/settings/vendors/${vendor.id}/source`, source);
  assert.equal(set.status, 200, JSON.stringify(set.body));
  const day = `${TEXT}\n2026-01-07,NIP/KUDA/BOLA ADE/FEES,,"100.00","12,596.00"\n`;
  assert.equal((await upload(day)).body.file.rows_new, 1);
  await eventually(async () => (await stored('bank_credits')).length > 0, 'the credit is stored');
  assert.deepEqual([await stored('bank_credits'), await stored('credit_reports')], [['10000'], ['250000']]);
});

test('threat 95: a debit that names an order never pays for it, whatever the file format is', async () => {
  const [today, before] = [0, 86_400_000].map((ms) => lagosDay(service.foundation.clock.now() - ms));
  const bank = service.foundation.banks.resolve(vendor.bankCode)!.name;
  const account = { vendor_name: vendor.name, vendor_bank: bank, vendor_number: vendor.number };
  const buy = async (reference: string, amount: number) => {
    const body = buyBody(service.business, { ...account, reference, amount, account_name: 'Adaeze Okafor' });
    return (await service.post(ONRAMP, body)).body.transaction.transaction_id as string;
  };
  const [unpaid, paid] = [await buy('ORDER-7731A', 25_000), await buy('ORDER-7731B', 40_000)];
  const refund = `${today},TRF REFUND ADAEZE OKAFOR ORDER-7731A,25000.00`;
  const query = `vendor_id=${vendor.id}&profile_change=yes`;
  const answers = await uploadAll(query, [
    `Date,Details,Amount\n${refund}\n`,
    `Date,Details,Transaction Amount (NGN),Transaction Type\n${refund},TRANSFER\n`,
    `Date,Details,Amount,Balance\n${refund},75000.00\n`,
    `<OFX><STMTTRN><TRNTYPE>XFER<DTPOSTED>${today!.replaceAll('-', '')}<TRNAMT>25000.00<MEMO>ORDER-7731A</STMTTRN></OFX>`,
  ]);
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.code]),
    answers.map(() => [422, 'invalid']),
  );
  const held = `Date,Details,Debit,Credit\n${refund.replace(today!, before!).replace('A,', 'A,25000.00,')}\n`;
  const sides = `Date,Details,Amount,Type\n${refund},Debit\n${today},NIP/GTB/ADAEZE OKAFOR/ORDER-7731B,40000.00,Credit\n`;
  const [one, two] = await uploadAll(query, [held, sides]);
  assert.deepEqual([one!.body.file.rows_new, one!.body.gaps, two!.body.file.rows_new], [0, 1, 2]);
  const stateOf = async (id: string) => (await service.get(`/transactions/v1/${id}`)).body.transaction.state;
  await eventually(async () => (await stateOf(paid)) === 'completed', 'the credit pays for its order');
  assert.equal(await stateOf(unpaid), 'awaiting_payment');
  const text = `select from bank_credits where amount_minor = 2500000 and source = 'statements'`;
  assert.equal((await service.foundation.database.query({ text })).rows.length, 0);
});

async function uploadAll(query: string, texts: readonly string[]) {
  const answers: Awaited<ReturnType<typeof upload>>[] = [];
  for (const text of texts) answers.push(await upload(text, query));
  return answers;
}

test('threat 80: an upload from another site, or with the wrong type, role or size, is refused', async (t) => {
  const odd = await browser.send('POST', `${AT}/test?vendor_id=${vendor.id}`, {
    body: TEXT,
    headers: { 'content-type': 'text/plain' },
  });
  assert.deepEqual([odd.status, odd.body.code], [415, 'unsupported_media_type']);
  const foreign = await browser.send('POST', `${AT}/test?vendor_id=${vendor.id}`, {
    body: TEXT,
    headers: { ...BYTES, origin: 'https://other.example' },
  });
  assert.equal(foreign.body.code, 'foreign_origin');
  assert.equal((await upload(TEXT, '')).body.code, 'filter_invalid');
  assert.equal((await upload(TEXT, 'vendor_id=vnd_none')).status, 404);
  const large = await upload(`${TEXT}\n${'x'.repeat(30_000)}`);
  assert.deepEqual([large.status, large.body.code], [413, 'body_too_large']);
  // Only a file that the service accepts gets the long time limit of an upload.
  const { main } = service.service.servers;
  const taken = t.mock.method(main, 'takeUpload');
  assert.equal((await upload(TEXT, `vendor_id=${vendor.id}`, auditor)).body.code, 'not_allowed');
  assert.equal(taken.mock.callCount(), 0);
  const pdf = await upload('%PDF-1.7');
  assert.equal(taken.mock.callCount(), 1);
  assert.match(pdf.body.message, /PDF\. Ask the bank for CSV/);
});

test('a file of an unverified profile shows its totals, and is stored after they are confirmed', async () => {
  const query = `vendor_id=${vendor.id}&name=uba.csv&profile=uba&profile_change=yes`;
  const text =
    'Tran Date,Value Date,Narration,Debit,Credit,Balance\n03/12/2025,03/12/2025,NIP/KUDA/ADA OBI/RENT,,"2,500.00",2500.00\n';
  const held = (await upload(text, query)).body.file;
  assert.deepEqual(
    [held.awaits_confirmation, held.money_in, held.money_out, held.rows_new],
    [true, '2500.00', '0.00', 0],
  );
  const confirm = (mode: string, who = browser) =>
    who.send('POST', `${AT}/${mode}/${held.file_id}/confirm`, { body: {} });
  assert.equal((await confirm('live')).status, 404);
  assert.equal((await confirm('test', auditor)).body.code, 'not_allowed');
  const confirmed = await confirm('test');
  assert.deepEqual([confirmed.status, confirmed.body.done], [200, true], JSON.stringify(confirmed.body));
  assert.equal((await confirm('test')).body.code, 'not_possible');
  const done = (await upload(text, query)).body.file;
  assert.deepEqual([done.awaits_confirmation, done.rows_new], [false, 1]);
});

interface AccountImport {
  readonly account: string;
  readonly refused: string | null;
  readonly imported: {
    readonly file: { readonly rows_new: number };
    readonly question: { readonly incoming_rows: number } | null;
  } | null;
}

test('each account of a file is imported into its own, and refused by itself', async () => {
  const vendors = await service.foundation.backOffice.listVendors();
  // The next test reconciles the other vendor's account from its first row on.
  const other = vendors.filter(({ mode, id }) => mode === 'test' && id !== vendor.id)[1]!;
  const part = (number: string) =>
    `Account No: ${number}\nDate,Description,Debit,Credit\n2025-11-03,NIP ONE,,70.00\n`;
  const text = part(other.number) + part('1234567890');
  const send = (more = '') =>
    browser.send('POST', `${AT}/test/every-account?name=all.csv&profile_change=yes${more}`, {
      body: text,
      headers: BYTES,
    });
  const shown = async (more?: string) => {
    const sent = await send(more);
    assert.equal(sent.status, 200, JSON.stringify(sent.body));
    return sent.body.accounts.map(({ account, refused, imported }: AccountImport) => [
      ...[account, refused, imported?.file.rows_new ?? null, imported?.question?.incoming_rows ?? null],
    ]);
  };
  const name = `${other.bankCode}:${other.number}`;
  const stranger = [
    ...['…7890', 'No vendor or payout account has the number …7890. Its 1 row was not imported.', null, null],
  ];
  assert.deepEqual(await shown(), [stranger, [name, null, 0, 1]], 'the account has no credit source');
  assert.equal((await send('&without_source=1')).body.code, 'filter_invalid');
  assert.deepEqual(await shown(`&without_source=${name}=1`), [stranger, [name, null, 1, null]]);
});

test('a difference between books and bank becomes a case with its kind, its day, and the action to take', async () => {
  const vendors = await service.foundation.backOffice.listVendors();
  const other = vendors.find(({ mode, id }) => mode === 'test' && id !== vendor.id)!;
  const [account, day] = [`${other.bankCode}:${other.number}`, lastWholeDay(service.foundation.clock.now())];
  const file = `Account Number,${other.number}\nDate,Description,Debit,Credit,Balance\n${day},SMS FEE,4.00,,"96.00"\n`;
  assert.equal((await upload(file, `vendor_id=${other.id}`)).status, 200);
  const operator = '/console/v1/operator';
  const ran = await browser.send('POST', `${operator}/reconciliation/test/runs`, { body: { account } });
  assert.ok(ran.body.opened >= 1, JSON.stringify(ran.body));
  const { differences } = (await auditor.send('GET', `${operator}/reconciliation/test/${account}/${day}`))
    .body;
  const charge = differences.find(({ kind }: { kind: string }) => kind === 'statement');
  const shown = (await auditor.send('GET', `${operator}/cases/${charge.case_id}`)).body;
  assert.deepEqual([shown.case.account, shown.case.day, shown.report], [account, day, null]);
  assert.equal(shown.difference.what, `A charge of ₦4.00 on the statement of ${day} is not in the books.`);
  assert.match(shown.difference.next, /naira charge/);
});
