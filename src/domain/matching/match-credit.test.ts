// Which claim a credit pays, rule by rule, with the attacks and faults that each rule answers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Verdict } from '../records/match-decision.ts';
import type { ClaimFacts, CreditFacts } from './facts.ts';
import { MATCHING_RULE_VERSION, type MatchContext, matchCredit } from './match-credit.ts';

const DAY_MS = 86_400_000;
const T0 = 100 * DAY_MS;
const GRACE_MS = 600_000;

function credit(changes: Partial<CreditFacts> = {}): CreditFacts {
  return {
    id: 'crd_1',
    amountMinor: 1_500_000n,
    payerAccount: '0123450011',
    payerName: 'MUSA ADEBAYO',
    payerBankCode: 'gtbank',
    narration: 'NIP TRF rent',
    valueAtMs: T0 + 1000,
    receivedAtMs: T0 + 1000,
    ...changes,
  };
}

function claim(transactionId = 'txn_a', changes: Partial<ClaimFacts> = {}): ClaimFacts {
  return {
    transactionId,
    reference: 'INV-2026-01',
    businessId: 'biz_1',
    walletKey: 'Polygon 0x1',
    amountMinor: 1_500_000n,
    accountNumber: '0123450011',
    accountName: 'Adebayo Musa',
    bankCode: 'gtbank',
    flags: [],
    state: 'awaiting_payment',
    createdAtMs: T0,
    expiresAtMs: T0 + DAY_MS,
    ...changes,
  };
}

/** After the grace, unless the test changes it. */
function context(changes: Partial<MatchContext> = {}): MatchContext {
  return {
    nowMs: T0 + 1000 + GRACE_MS,
    windowMs: 7 * DAY_MS,
    graceMs: GRACE_MS,
    equalCredits: ['crd_1'],
    ...changes,
  };
}

function verdict(
  paid: Partial<CreditFacts>,
  claims: readonly ClaimFacts[],
  changes: Partial<MatchContext> = {},
): Verdict {
  return matchCredit(credit(paid), claims, context(changes)).verdict;
}

/** One line for a verdict: matched txn_a, held txn_a name_mismatch, review ambiguous txn_a txn_b, wait. */
function line(given: Verdict): string {
  if (given.kind === 'wait') return 'wait';
  if (given.kind === 'review')
    return ['review', given.exception, ...given.transactionIds.toSorted()].join(' ');
  return [given.kind, given.transactionId, ...(given.exception === null ? [] : [given.exception])].join(' ');
}

const NO_PAYER: Partial<CreditFacts> = { payerAccount: null, payerName: null, payerBankCode: null };
const NAMED: Partial<CreditFacts> = { narration: 'TRF inv 2026/01 thanks' };
const MASKED: Partial<CreditFacts> = { payerAccount: '******0011' };
const OTHER: Partial<CreditFacts> = { payerAccount: '9999999999' };

type Row = readonly [paid: Partial<CreditFacts>, claimed: Partial<ClaimFacts>, expected: string];

function expectRows(rows: readonly Row[]): void {
  for (const [paid, claimed, expected] of rows) {
    const about = JSON.stringify([paid, claimed], (_key, value) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    assert.equal(line(verdict(paid, [claim('txn_a', claimed)])), expected, about);
  }
}

test('the whole number and the exact amount match, and the decision explains itself', () => {
  assert.deepEqual(matchCredit(credit(), [claim()], context()), {
    ruleVersion: MATCHING_RULE_VERSION,
    candidates: [
      {
        transactionId: 'txn_a',
        score: 165,
        reasons: ['amount_exact', 'account_equal', 'name_strong', 'bank_equal'],
      },
    ],
    verdict: { kind: 'matched', transactionId: 'txn_a', exception: null },
  });
});

test('a whole number is an identity; another number is not the payer', () => {
  expectRows([
    [{ payerName: null }, {}, 'matched txn_a'],
    [{}, { accountName: null }, 'matched txn_a'],
    [{ payerName: 'ADEBAYA MUSA' }, {}, 'matched txn_a'],
    [{ payerAccount: ' 0123-450-011 ' }, {}, 'matched txn_a'],
    [{ payerBankCode: null }, {}, 'matched txn_a'],
    [OTHER, {}, 'review no_claim'],
    [{ ...OTHER, ...NAMED }, {}, 'held txn_a payer_unclear'],
    [{ ...OTHER, ...NAMED, payerName: 'OKAFOR EMEKA' }, {}, 'held txn_a name_mismatch'],
    [{ payerBankCode: 'zenith' }, {}, 'held txn_a payer_unclear'],
    [{ payerBankCode: 'zenith', ...NAMED }, {}, 'held txn_a payer_unclear'],
  ]);
});

test('a masked number matches only with a strong name or our reference', () => {
  expectRows([
    [MASKED, {}, 'matched txn_a'],
    [{ payerAccount: 'XXXXXX011' }, {}, 'matched txn_a'],
    [{ payerAccount: '012****011' }, {}, 'matched txn_a'],
    // Leading zeros lost on the way.
    [{ payerAccount: '123450011' }, {}, 'matched txn_a'],
    [{ ...MASKED, ...NAMED, payerName: null }, {}, 'matched txn_a'],
    [{ ...MASKED, ...NAMED, payerName: 'MUSA' }, {}, 'matched txn_a'],
    [{ ...MASKED, payerName: null }, {}, 'review payer_unclear txn_a'],
    [MASKED, { accountName: null }, 'review payer_unclear txn_a'],
    [{ ...MASKED, payerName: 'MUSA' }, {}, 'review payer_unclear txn_a'],
    [{ ...MASKED, payerName: 'OKAFOR EMEKA' }, {}, 'review name_mismatch txn_a'],
    [{ ...MASKED, payerBankCode: 'zenith' }, {}, 'held txn_a payer_unclear'],
    [{ payerAccount: '******0012' }, {}, 'review no_claim'],
    [{ payerAccount: '912****011' }, {}, 'review no_claim'],
    [{ ...NAMED, payerAccount: '******0012' }, {}, 'held txn_a payer_unclear'],
    // Too few digits to be a suffix: as good as none.
    [{ payerAccount: '********11' }, {}, 'review payer_unclear txn_a'],
  ]);
});

test('a missing number matches only with our reference', () => {
  for (const payerAccount of [null, '', ' ', 'null', 'N/A', '**********', '0000000000', '012345001100']) {
    expectRows([
      [{ payerAccount, ...NAMED }, {}, 'matched txn_a'],
      [{ payerAccount }, {}, 'review payer_unclear txn_a'],
      [{ payerAccount, payerName: 'MUSA' }, {}, 'review no_claim'],
      [{ payerAccount, payerName: null }, {}, 'review no_claim'],
      [{ payerAccount }, { accountNumber: '0000000000' }, 'review payer_unclear txn_a'],
    ]);
  }
});

test('only what the payer would not write by chance counts as our reference', () => {
  const named = (narration: string, reference: string): Row => [
    { ...NO_PAYER, narration },
    { reference },
    'matched txn_a',
  ];
  const notNamed = (narration: string, reference: string): Row => [
    { ...NO_PAYER, narration },
    { reference },
    'review no_claim',
  ];
  expectRows([
    named('FT/inv_2026-01/MUSA', 'INV-2026-01'),
    named('INV202601', 'INV-2026-01'),
    named('pay i n v 2 0 2 6 0 1', 'INV-2026-01'),
    notNamed('pay INV-2026-012', 'INV-2026-01'),
    notNamed('pay XINV-2026-01', 'INV-2026-01'),
    notNamed('pay INV-2026-O1', 'INV-2026-01'),
    notNamed('pay A-123', 'A-123'),
    notNamed('NIP TRANSFER from Musa', 'TRANSFER'),
    notNamed('NIP 20260501', '20260501'),
    notNamed('NIP 0123450011', '0123450011'),
  ]);
  const transactionId = 'txn_01jq3z5k8w0000000000000000';
  const byId = verdict({ ...NO_PAYER, narration: `x ${transactionId.toUpperCase()}` }, [
    claim(transactionId),
  ]);
  assert.equal(line(byId), `matched ${transactionId}`);
});

test('threat 22: a payer with another name is held', () => {
  expectRows([
    [{ payerName: 'OKAFOR EMEKA' }, {}, 'held txn_a name_mismatch'],
    [{ payerName: 'OKAFOR EMEKA', ...NAMED }, {}, 'held txn_a name_mismatch'],
    [{ ...NO_PAYER, ...NAMED, payerName: 'OKAFOR EMEKA' }, {}, 'held txn_a name_mismatch'],
    [{ payerName: 'null' }, {}, 'matched txn_a'],
    [{ payerName: ' - ' }, {}, 'matched txn_a'],
  ]);
});

test('threat 14: a name with look-alike or hidden characters is never matched by itself', () => {
  expectRows([
    [{ payerName: 'МUSA ADEBAYO' }, {}, 'held txn_a suspicious_name'],
    [{ payerName: 'MUSA\u200b ADEBAYO', ...NAMED }, {}, 'held txn_a suspicious_name'],
    [{ payerName: '\u202eMUSA ADEBAYO' }, { accountName: null }, 'held txn_a suspicious_name'],
    [{}, { flags: ['invisible_characters'] }, 'held txn_a suspicious_name'],
    [{ payerName: null }, { flags: ['mixed_script'] }, 'held txn_a suspicious_name'],
    [{ payerName: null }, { accountName: 'Аdebayo Musa' }, 'held txn_a suspicious_name'],
    [MASKED, { flags: ['mixed_script'] }, 'review suspicious_name txn_a'],
    [{}, { flags: ['check_digit', 'bank_unknown'] }, 'matched txn_a'],
  ]);
});

test('threat 20: an amount that differs by a kobo waits for the exact one, then is attached and said so', () => {
  expectRows([
    [{ amountMinor: 1_499_999n }, {}, 'attached txn_a paid_partial'],
    [{ amountMinor: 1_500_001n }, {}, 'attached txn_a paid_over'],
    [{ amountMinor: 1_500_001n, ...MASKED }, {}, 'attached txn_a paid_over'],
    [{ amountMinor: 1_500_001n, ...NO_PAYER, ...NAMED }, {}, 'attached txn_a paid_over'],
    [{ amountMinor: 1_500_001n, ...MASKED, payerName: null }, {}, 'review no_claim'],
    [{ amountMinor: 1_500_001n, payerAccount: null }, {}, 'review no_claim'],
    [{ amountMinor: 1_500_001n, payerName: 'OKAFOR EMEKA' }, {}, 'held txn_a name_mismatch'],
    [{ amountMinor: 1_500_001n, ...OTHER, ...NAMED }, {}, 'held txn_a payer_unclear'],
  ]);
  const short = { amountMinor: 1_499_999n };
  const untilMs = T0 + 1000 + GRACE_MS;
  assert.deepEqual(verdict(short, [claim()], { nowMs: untilMs - 1 }), { kind: 'wait', untilMs });
  const late = { ...short, valueAtMs: T0 + 2 * DAY_MS, receivedAtMs: T0 + 2 * DAY_MS };
  assert.deepEqual(verdict(late, [claim()], { nowMs: T0 + 3 * DAY_MS }), {
    kind: 'attached',
    transactionId: 'txn_a',
    exception: 'paid_partial',
    late: true,
  });
});

test('threat 20: a stray credit older than the claim waits for the exact one as long as a new one does', () => {
  const createdAtMs = T0 + DAY_MS;
  const stray = credit({ amountMinor: 1_400_000n });
  const fresh = claim('txn_a', { createdAtMs, expiresAtMs: createdAtMs + DAY_MS });
  const decide = (nowMs: number) => matchCredit(stray, [fresh], context({ nowMs })).verdict;
  assert.deepEqual(decide(createdAtMs + 1), { kind: 'wait', untilMs: createdAtMs + GRACE_MS });
  assert.equal(decide(createdAtMs + GRACE_MS).kind, 'attached');
});

test('threat 20: an exact claim goes before differing ones, and several differing ones are reviewed', () => {
  const more = claim('txn_b', { amountMinor: 1_600_000n, reference: 'INV-2026-02' });
  const less = claim('txn_c', { amountMinor: 1_400_000n, reference: 'INV-2026-03' });
  assert.equal(line(verdict({}, [more, claim(), less])), 'matched txn_a');
  assert.equal(line(verdict({}, [more, less])), 'review ambiguous txn_b txn_c');
  assert.equal(line(verdict({ narration: 'INV-2026-02' }, [more, less])), 'attached txn_b paid_partial');
  // The amount says one and the payer's words another.
  assert.equal(line(verdict({ narration: 'INV-2026-02' }, [more, claim()])), 'review ambiguous txn_a txn_b');
  const stranger = claim('txn_a', { accountName: null });
  const own = claim('txn_b', { amountMinor: 1_600_000n });
  assert.equal(line(verdict(MASKED, [stranger, own])), 'review ambiguous txn_a txn_b');
});

test('a credit without a claim waits out the grace, and is then reviewed', () => {
  const untilMs = T0 + 1000 + GRACE_MS;
  assert.deepEqual(verdict({}, [], { nowMs: untilMs - 1 }), { kind: 'wait', untilMs });
  assert.deepEqual(verdict({}, []), { kind: 'review', exception: 'no_claim', transactionIds: [] });
});

test('threat 24: a late credit still matches within the window, and is called late', () => {
  const paidAt = (atMs: number): Partial<CreditFacts> => ({ valueAtMs: atMs, receivedAtMs: atMs });
  expectRows([
    [paidAt(T0 + DAY_MS), {}, 'matched txn_a'],
    [paidAt(T0 + DAY_MS + 1), {}, 'matched txn_a paid_late'],
    [paidAt(T0 + 7 * DAY_MS), { state: 'expired' }, 'matched txn_a paid_late'],
    [paidAt(T0 - 7 * DAY_MS), {}, 'matched txn_a'],
    [paidAt(T0 - 7 * DAY_MS - 1), {}, 'review no_claim'],
    // Paid in time and reported late, or given a value date ahead.
    [{ valueAtMs: T0, receivedAtMs: T0 + 9 * DAY_MS }, { state: 'expired' }, 'matched txn_a'],
    [{ valueAtMs: T0 + 3 * DAY_MS, receivedAtMs: T0 + 1000 }, {}, 'matched txn_a'],
  ]);
  const after = credit(paidAt(T0 + 7 * DAY_MS + 1));
  const outside = matchCredit(after, [claim()], context({ nowMs: T0 + 9 * DAY_MS }));
  assert.equal(line(outside.verdict), 'review no_claim');
  assert.ok(outside.candidates[0]?.reasons.includes('outside_window'));
});

test('only open claims are paid', () => {
  for (const state of ['awaiting_wallet', 'awaiting_payment', 'expired'])
    assert.equal(line(verdict({}, [claim('txn_a', { state })])), 'matched txn_a');
  for (const state of ['paid', 'on_hold', 'completed', 'cancelled', 'rejected', 'refunded', 'sending'])
    assert.equal(line(verdict({}, [claim('txn_a', { state })])), 'review no_claim');
});

test('threat 16: between two businesses only the narration or a contradiction singles one out', () => {
  const rival = (changes: Partial<ClaimFacts>) =>
    claim('txn_b', { businessId: 'biz_2', walletKey: 'Polygon 0x2', reference: 'ORDER-77', ...changes });
  const rows: readonly Row[] = [
    [{}, {}, 'review ambiguous txn_a txn_b'],
    [{ narration: 'order 77' }, {}, 'matched txn_b'],
    [NAMED, {}, 'matched txn_a'],
    [NAMED, { reference: 'inv-2026-01' }, 'review ambiguous txn_a txn_b'],
    [{}, { accountName: 'Okafor Emeka' }, 'matched txn_a'],
    [{}, { flags: ['mixed_script'] }, 'matched txn_a'],
    [{}, { bankCode: 'zenith' }, 'matched txn_a'],
    // To know the payer's name or bank is no proof; not to have given it is no fault.
    [{}, { accountName: null }, 'review ambiguous txn_a txn_b'],
    [{}, { accountName: 'Musa' }, 'review ambiguous txn_a txn_b'],
    [{}, { bankCode: null }, 'review ambiguous txn_a txn_b'],
    [MASKED, { accountName: null }, 'review ambiguous txn_a txn_b'],
    // The account says one and the payer's words another.
    [{ narration: 'order 77' }, { accountNumber: '9999999999' }, 'review ambiguous txn_a txn_b'],
    [{ payerName: 'OKAFOR EMEKA' }, {}, 'review ambiguous txn_a txn_b'],
  ];
  for (const [paid, changes, expected] of rows) {
    assert.equal(line(verdict(paid, [claim(), rival(changes)])), expected, expected);
    assert.equal(line(verdict(paid, [rival(changes), claim()])), expected, expected);
  }
  const equalCredits = ['crd_1', 'crd_2'];
  assert.equal(line(verdict({}, [claim(), rival({})], { equalCredits })), 'review ambiguous txn_a txn_b');
});

test('threat 16: a claim with another name does not clear the way for one of another business without a name', () => {
  const victim = claim('txn_a', { accountName: 'Other Person' });
  const nameless = claim('txn_b', { businessId: 'biz_2', accountName: null });
  assert.deepEqual(verdict({}, [victim, nameless]).kind, 'review');
  const named = claim('txn_c', { businessId: 'biz_2' });
  assert.equal(verdict({}, [victim, named]).kind, 'matched');
});

test('within one business the better name decides, then the bank', () => {
  assert.equal(line(verdict({}, [claim(), claim('txn_b', { accountName: null })])), 'matched txn_a');
  assert.equal(line(verdict({}, [claim('txn_a', { accountName: 'Musa' }), claim('txn_b')])), 'matched txn_b');
  assert.equal(line(verdict({}, [claim('txn_a', { bankCode: null }), claim('txn_b')])), 'matched txn_b');
});

test('threat 21: one credit for two equal claims pays neither; as many credits as claims pay in order', () => {
  const older = claim('txn_b');
  const newer = claim('txn_a', { createdAtMs: T0 + 5 });
  const both = 'review ambiguous txn_a txn_b';
  const pay = (id: string, equalCredits: string[], changes: Partial<ClaimFacts> = {}) =>
    line(verdict({ id }, [{ ...newer, ...changes }, older], { equalCredits }));
  assert.equal(pay('crd_1', ['crd_1']), both);
  assert.equal(pay('crd_1', ['crd_1', 'crd_1']), both);
  assert.equal(pay('crd_1', ['crd_1', 'crd_2']), 'matched txn_b');
  assert.equal(pay('crd_2', ['crd_1', 'crd_2']), 'matched txn_a');
  assert.equal(pay('crd_3', ['crd_1', 'crd_2', 'crd_3']), 'review no_claim');
  assert.equal(pay('crd_9', ['crd_1', 'crd_2']), both);
  assert.equal(pay('crd_1', ['crd_1', 'crd_2'], { walletKey: 'Polygon 0x2' }), both);
  assert.equal(pay('crd_1', ['crd_1', 'crd_2'], { walletKey: null }), both);
  assert.equal(pay('crd_1', ['crd_1', 'crd_2'], { createdAtMs: T0 }), 'matched txn_a');
  const noWallet = { walletKey: null };
  const unknown = [claim('txn_a', noWallet), claim('txn_b', noWallet)];
  assert.equal(line(verdict({}, unknown, { equalCredits: ['crd_1', 'crd_2'] })), both);
});
