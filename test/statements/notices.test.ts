// Notices of single entries (camt.054), and then the statement of the day (camt.053) with other words for the same entries.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { importStatement } from '../../src/app/statements/import-statement.ts';
import { openImports } from './layouts.ts';

const imports = await openImports();
after(imports.close);

interface CamtEntry {
  readonly amount: string;
  readonly reference: string | null;
  readonly words: string;
}

const entryXml = ({ amount, reference, words }: CamtEntry) =>
  `<Ntry><Amt Ccy="NGN">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-05-04</Dt></BookgDt>` +
  `${reference === null ? '' : `<AcctSvcrRef>${reference}</AcctSvcrRef>`}<AddtlNtryInf>${words}</AddtlNtryInf></Ntry>`;

function camtFile(kind: '053' | '054', number: string, entries: readonly CamtEntry[]): string {
  const name = kind === '053' ? 'Stmt' : 'Ntfctn';
  const root = kind === '053' ? 'BkToCstmrStmt' : 'BkToCstmrDbtCdtNtfctn';
  const period = '<FrToDt><FrDtTm>2026-05-04T00:00:00</FrDtTm><ToDtTm>2026-05-04T23:59:59</ToDtTm></FrToDt>';
  return (
    `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.${kind}.001.08"><${root}><${name}>${period}` +
    `<Acct><Id><Othr><Id>${number}</Id></Othr></Id></Acct>${entries.map(entryXml).join('')}</${name}></${root}></Document>`
  );
}

async function importText(number: string, text: string) {
  const result = await importStatement(imports.deps, {
    account: { mode: 'test', account: `uba:${number}`, number, vendorId: 'vnd_1' },
    bytes: (async function* () {
      yield Buffer.from(text);
    })(),
    ...{ name: 'camt', profile: null, profileChange: false, dryRun: false, actor: 'os:test' },
  });
  assert.ok(result.ok, result.ok ? '' : result.error.message);
  return result.value;
}

const released = async (number: string) =>
  (
    await imports.database.query<{ amount: string }>({
      text: `select amount_minor::text as amount from statement_rows where account = $1 and release_no is not null order by 1`,
      values: [`uba:${number}`],
    })
  ).rows.map(({ amount }) => amount);

const notice = (at: number): CamtEntry => ({
  amount: `${at}.00`,
  reference: `REF${at}`,
  words: `CREDIT ${at}`,
});

test('a statement adds the entries that the notices lack, and none twice', async () => {
  const number = '9900800001';
  await importText(number, camtFile('054', number, [notice(1), notice(2)]));
  const all = [1, 2, 3, 4].map((at) => ({ ...notice(at), words: `NIP TRANSFER ${at} OF THE DAY` }));
  const done = await importText(number, camtFile('053', number, all));
  assert.deepEqual([done.file.rowsKnown, done.file.rowsNew, done.gaps], [2, 2, 0]);
  assert.deepEqual(await released(number), ['100', '200', '300', '400']);
  const again = await importText(number, camtFile('054', number, [notice(3), notice(1)]));
  assert.deepEqual([again.file.rowsKnown, again.file.rowsNew], [2, 0]);
});

test('without a common reference equal amounts may be one payment, so nothing of the day is added', async () => {
  const number = '9900800002';
  await importText(number, camtFile('054', number, [{ ...notice(1), reference: null }]));
  const day = await importText(
    number,
    camtFile('053', number, [{ ...notice(1), words: 'OTHER' }, notice(2)]),
  );
  assert.deepEqual([day.file.rowsNew, day.gaps], [0, 1]);
  assert.match(day.file.problems.list[0]!.reason, /no common reference/);
  assert.deepEqual(await released(number), ['100']);
});
