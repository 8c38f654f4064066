// The layouts of OFX, camt and MT940 files with their expected imports.
import { bySide, held, type Layout, refused } from './layouts.ts';

const ofx = (...rows: readonly (readonly [type: string, amount: string])[]) =>
  `<?xml version="1.0"?><OFX><CURDEF>NGN</CURDEF><BANKTRANLIST>${rows
    .map(
      ([type, amount], at) =>
        `<STMTTRN><TRNTYPE>${type}</TRNTYPE><DTPOSTED>20260504</DTPOSTED><TRNAMT>${amount}</TRNAMT><FITID>${at}</FITID><MEMO>ORDER-7731A ${at}</MEMO></STMTTRN>`,
    )
    .join('\n')}</BANKTRANLIST></OFX>`;

const OPPOSED = /TRNTYPE and the sign of TRNAMT contradict each other/;

export const ofxLayouts: readonly Layout[] = [
  {
    name: 'OFX: DEBIT with a minus',
    text: ofx(['DEBIT', '-25000.00'], ['CREDIT', '40000.00']),
    expected: bySide(),
  },
  {
    name: 'OFX: DEBIT without a minus',
    text: ofx(['DEBIT', '25000.00'], ['CREDIT', '40000.00']),
    expected: held(OPPOSED),
  },
  {
    name: 'OFX: FEE without a minus',
    text: ofx(['FEE', '25000.00'], ['CREDIT', '40000.00']),
    expected: held(OPPOSED),
  },
  {
    name: 'OFX: CREDIT with a minus',
    text: ofx(['CREDIT', '-25000.00'], ['CREDIT', '40000.00']),
    expected: held(OPPOSED),
  },
  {
    name: 'OFX: two types in one transaction',
    text: ofx(['CREDIT</TRNTYPE><TRNTYPE>DEBIT', '25000.00'], ['CREDIT', '40000.00']),
    expected: held(OPPOSED),
  },
  {
    name: 'OFX: types that go either way, and nothing that shows signs',
    text: ofx(['XFER', '25000.00'], ['CREDIT', '40000.00']),
    expected: refused(/TRNTYPE says neither credit nor debit/),
  },
  {
    name: 'OFX: types that go either way, beside a debit with a minus',
    text: ofx(['XFER', '-25000.00'], ['XFER', '40000.00'], ['FEE', '-50.00']),
    expected: { kind: 'accepted', released: ['-2500000', '-5000', '4000000'], by: ['side', 'signs'] },
  },
];

const camt = (entry: string) =>
  `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>${entry}${camtEntry('CRDT', '40000.00')}</Stmt></BkToCstmrStmt></Document>`;

const camtEntry = (side: string, amount: string, more = '') =>
  `<Ntry><Amt Ccy="NGN">${amount}</Amt><CdtDbtInd>${side}</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-05-04</Dt></BookgDt>${more}</Ntry>`;

const detail = (side: string) =>
  `<NtryDtls><TxDtls><Amt Ccy="NGN">25000.00</Amt><CdtDbtInd>${side}</CdtDbtInd><RmtInf><Ustrd>ORDER-7731A</Ustrd></RmtInf></TxDtls></NtryDtls>`;

const TWOFOLD = /the entry contradicts itself about its direction/;

export const camtLayouts: readonly Layout[] = [
  {
    name: 'camt: DBIT',
    text: camt(camtEntry('DBIT', '25000.00', detail('DBIT'))),
    expected: bySide(),
  },
  {
    name: 'camt: CRDT, and a detail that says DBIT',
    text: camt(camtEntry('CRDT', '25000.00', detail('DBIT'))),
    expected: held(TWOFOLD),
  },
  {
    name: 'camt: both sides in one entry',
    text: camt(camtEntry('CRDT', '25000.00', '<CdtDbtInd>DBIT</CdtDbtInd>')),
    expected: held(TWOFOLD),
  },
  {
    name: 'camt: an indicator of reversal that cannot be read',
    text: camt(camtEntry('CRDT', '25000.00', '<RvslInd>yes</RvslInd>')),
    expected: held(TWOFOLD),
  },
  {
    name: 'camt: a reversal whose side is that of what it reverses, by the balances',
    text: camt(
      `<Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy="NGN">100000.00</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal><Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="NGN">115000.00</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>${camtEntry('CRDT', '25000.00', '<RvslInd>true</RvslInd>')}`,
    ),
    // The import holds the day because of a gap. The file itself has no problem.
    expected: held(/^$/),
  },
];

const mt940 = (mark: string) =>
  `:20:1\n:60F:C260503NGN100000,00\n:61:2605040504${mark}25000,00NTRFNONREF\n:86:ORDER-7731A\n:61:2605040504C40000,00NTRFNONREF\n:86:ORDER-7731B\n:62F:C260504NGN115000,00\n-`;

export const mt940Layouts: readonly Layout[] = [
  { name: 'MT940: D', text: mt940('D'), expected: bySide() },
  { name: 'MT940: D with the letter of naira', text: mt940('DN'), expected: bySide() },
  {
    name: 'MT940: C with the letter of a debit',
    text: mt940('CD'),
    expected: held(/marked as debit and as credit/),
  },
  { name: 'MT940: C, and balances that fall', text: mt940('C'), expected: held(/^$/) },
];
