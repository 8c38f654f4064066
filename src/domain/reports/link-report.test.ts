import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BankCredit } from '../records/credit.ts';
import { ERASED, formatErasedHash } from '../values/erased.ts';
import { linkReport, type ReportFacts } from './link-report.ts';

const DAY_MS = 86_400_000;
const AT = Date.UTC(2026, 10, 2, 10);
const SESSION = '000013261102100000123456789012';

function creditOf(changes: Partial<BankCredit> = {}): BankCredit {
  return {
    ...{ id: 'crd_1', mode: 'live', source: 'paystack', sourceId: '1', businessId: null, parentId: null },
    ...{ accountNumber: '9900000011', accountBankCode: 'wema-bank', amountMinor: 5_000_00n },
    ...{ payerAccount: '0123456789', payerName: 'ADAEZE OKAFOR', payerBankName: null, payerBankCode: null },
    ...{ narration: null, sessionId: null, balanceMinor: null, valueAtMs: AT, receivedAtMs: AT, raw: {} },
    ...{ state: 'unmatched', exception: null, transactionId: null, version: 1, dueAtMs: null, tries: 0 },
    ...changes,
  };
}

function reportOf(changes: Partial<ReportFacts> = {}): ReportFacts {
  return { ...creditOf(), source: 'statements', ...changes };
}

const of = (...credits: readonly BankCredit[]) => credits.map((credit) => ({ credit, reportedBy: [] }));
const NONE = { kind: 'none' };
const LINKED = { kind: 'linked', creditId: 'crd_1', isRepeat: false };
const REPEATED = { ...LINKED, isRepeat: true };

test('C5: an equal session id links a report to a credit, whatever the source, value date or payer name is', () => {
  const credit = creditOf({ sessionId: SESSION });
  assert.deepEqual(linkReport(reportOf({ sessionId: SESSION }), of(credit)), LINKED);
  const again = reportOf({ sessionId: SESSION, source: 'paystack' });
  assert.deepEqual(linkReport(again, of(credit)), REPEATED);
  const late = reportOf({ sessionId: SESSION, valueAtMs: AT + 9 * DAY_MS, payerName: null });
  assert.deepEqual(linkReport(late, of(credit)), LINKED);
});

test('a repeated session id of one source is the same report, and replaces a linked report of that source without a session id', () => {
  const credit = creditOf({ sessionId: SESSION });
  const report = reportOf({ sessionId: SESSION });
  const held = (sessionId: string | null) => [
    { credit, reportedBy: [{ source: 'statements', sourceId: 'row 7', sessionId }] },
  ];
  assert.deepEqual(linkReport(report, held(SESSION)), REPEATED);
  const displaces = { kind: 'displaces', creditId: 'crd_1', sourceId: 'row 7' };
  assert.deepEqual(linkReport(report, held(null)), displaces);
  const silent = reportOf({ sessionId: null });
  assert.deepEqual(linkReport(silent, held(SESSION)), NONE, 'the source has its report about this credit');
});

test('reports with the same session id but another account, amount or payer contradict each other', () => {
  const credit = creditOf({ sessionId: SESSION });
  const on = (changes: Partial<ReportFacts>) =>
    linkReport(reportOf({ sessionId: SESSION, ...changes }), of(credit));
  const disagree = (what: string) => ({ kind: 'disagree', creditId: 'crd_1', on: what });
  assert.deepEqual(on({ amountMinor: 5_000_01n }), disagree('amount'));
  assert.deepEqual(on({ accountNumber: '9900000012' }), disagree('account'));
  assert.deepEqual(on({ payerAccount: '0123456780' }), disagree('payer'));
  assert.deepEqual(on({ payerName: 'BOLA ADE' }), disagree('payer'));
});

test('a masked account number that fits is the same payer, and one that does not fit is another payer', () => {
  assert.deepEqual(linkReport(reportOf({ payerAccount: '******6789' }), of(creditOf())), LINKED);
  assert.deepEqual(linkReport(reportOf(), of(creditOf({ payerAccount: 'XXXXXX6789' }))), LINKED);
  const both = reportOf({ payerAccount: '***456789' });
  assert.deepEqual(linkReport(both, of(creditOf({ payerAccount: 'XXXXXX6789' }))), LINKED);
  assert.deepEqual(linkReport(reportOf({ payerAccount: '******6780' }), of(creditOf())), NONE);
});

test('masked numbers that share only one or two digits do not prove the same payer', () => {
  const nameless = { payerName: null };
  for (const shared of ['89', '9', '']) {
    const report = reportOf({ ...nameless, payerAccount: `********${shared}` });
    const credit = creditOf({ ...nameless, payerAccount: `XXXXXXXX${shared}` });
    assert.deepEqual(linkReport(report, of(credit)), { kind: 'alike', creditId: 'crd_1' }, shared);
  }
  const [report, credit] = [{ payerAccount: '*******789' }, { payerAccount: 'XXXXXX6789' }];
  assert.deepEqual(
    linkReport(reportOf({ ...nameless, ...report }), of(creditOf({ ...nameless, ...credit }))),
    LINKED,
  );
});

test('a report without a business can be about a payment by a tester; a report of another business cannot', () => {
  const credit = creditOf({ mode: 'test', businessId: 'biz_1' });
  assert.deepEqual(linkReport(reportOf({ mode: 'test' }), of(credit)), LINKED);
  assert.deepEqual(linkReport(reportOf({ mode: 'test', businessId: 'biz_2' }), of(credit)), NONE);
});

test('another amount, account, session, balance or payer, or a distant date, means another transfer', () => {
  const other: readonly Partial<ReportFacts>[] = [
    { amountMinor: 5_000_01n },
    { accountNumber: '9900000012' },
    { accountBankCode: 'gtbank' },
    { payerName: 'BOLA ADE', payerAccount: null },
    { valueAtMs: AT + 5 * DAY_MS },
    { businessId: 'biz_1' },
  ];
  for (const changes of other) assert.deepEqual(linkReport(reportOf(changes), of(creditOf())), NONE);
  const session = linkReport(
    reportOf({ sessionId: SESSION }),
    of(creditOf({ sessionId: `${SESSION.slice(1)}9` })),
  );
  assert.deepEqual(session, NONE);
  assert.deepEqual(linkReport(reportOf({ balanceMinor: 7n }), of(creditOf({ balanceMinor: 8n }))), NONE);
});

test('with only account, amount and day equal, a report is just similar to a credit; an equal balance links it', () => {
  const bare = { payerAccount: null, payerName: null };
  const alike = { kind: 'alike', creditId: 'crd_1' };
  assert.deepEqual(linkReport(reportOf(bare), of(creditOf())), alike);
  assert.deepEqual(linkReport(reportOf(bare), of(creditOf({ balanceMinor: 9n }))), alike);
  assert.deepEqual(
    linkReport(reportOf({ ...bare, balanceMinor: 9n }), of(creditOf({ balanceMinor: 9n }))),
    LINKED,
  );
});

test('a credit is linked to one report from every other source, and to none from its own source', () => {
  const taken = [
    { credit: creditOf(), reportedBy: [{ source: 'statements', sourceId: 'row 7', sessionId: null }] },
  ];
  assert.deepEqual(linkReport(reportOf(), taken), NONE);
  assert.deepEqual(linkReport(reportOf({ source: 'monnify' }), taken), LINKED);
  assert.deepEqual(linkReport(reportOf({ source: 'paystack' }), of(creditOf())), NONE);
});

test('if several credits fit, the report is linked to the one with the same payer, and of equal credits to the oldest', () => {
  const unnamed = creditOf({ id: 'crd_0', payerAccount: null, payerName: null, valueAtMs: AT - 60_000 });
  assert.deepEqual(linkReport(reportOf(), of(unnamed, creditOf())), LINKED);
  const younger = creditOf({ id: 'crd_2', valueAtMs: AT + 60_000 });
  assert.deepEqual(linkReport(reportOf(), of(younger, creditOf())), LINKED);
});

const UETR = 'eb6305c9-1f7f-49de-aed0-16487c27b42d';

test('J4: an id of ISO 20022 links a report like a NIP session id; ids of two forms neither link nor contradict', () => {
  const credit = creditOf({ sessionId: UETR });
  assert.deepEqual(linkReport(reportOf({ sessionId: UETR, payerName: null }), of(credit)), LINKED);
  const other = UETR.replace('eb', 'ec');
  assert.deepEqual(linkReport(reportOf({ sessionId: other }), of(credit)), NONE, 'another transfer');
  assert.deepEqual(linkReport(reportOf({ sessionId: SESSION }), of(credit)), LINKED, 'by amount and payer');
  const unlike = reportOf({ sessionId: SESSION, amountMinor: 1n });
  assert.deepEqual(linkReport(unlike, of(credit)), NONE);
});

test('in live mode an invalid session id, such as thirty zeros, is ignored', () => {
  for (const sessionId of ['0'.repeat(30), 'N/A', '12345']) {
    const credit = creditOf({ sessionId, amountMinor: 1n });
    assert.deepEqual(linkReport(reportOf({ sessionId }), of(credit)), NONE);
  }
});

test('erased values count as neither equal nor different', () => {
  const alike = { kind: 'alike', creditId: 'crd_1' };
  for (const erased of [ERASED, formatErasedHash(new Uint8Array(32))]) {
    const gone = { payerAccount: erased, payerName: erased, narration: erased };
    assert.deepEqual(linkReport(reportOf(gone), of(creditOf(gone))), alike);
    assert.deepEqual(linkReport(reportOf(), of(creditOf(gone))), alike);
    assert.deepEqual(linkReport(reportOf(gone), of(creditOf())), alike);
    const named = { sessionId: SESSION };
    assert.deepEqual(linkReport(reportOf({ ...named, ...gone }), of(creditOf(named))), LINKED);
    assert.deepEqual(linkReport(reportOf(named), of(creditOf({ ...named, ...gone }))), LINKED);
  }
});
