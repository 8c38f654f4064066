// Tests which claim a credit pays, rule by rule, with the attacks and errors that each rule handles.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  claim,
  context,
  credit,
  DAY_MS,
  expectRows,
  GRACE_MS,
  line,
  MASKED,
  NAMED,
  NO_PAYER,
  OTHER,
  type Row,
  T0,
  verdict,
} from '../../../test/support/stages/matching.ts';
import { ERASED, formatErasedHash } from '../values/erased.ts';
import type { CreditFacts } from './facts.ts';
import { matchCredit } from './match-credit.ts';
import { CURRENT_MATCHING_RULES } from './rules.ts';

test('a credit with the full account number and the exact amount matches, and the decision lists its reasons', () => {
  assert.deepEqual(matchCredit(credit(), [claim()], context()), {
    ruleVersion: CURRENT_MATCHING_RULES.version,
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

test('the best claim is listed first, then the older of equal claims, regardless of the order of the input', () => {
  const [older, newer, weaker] = [
    claim('txn_c'),
    claim('txn_b', { createdAtMs: T0 + 5 }),
    claim('txn_a', { accountName: null, createdAtMs: T0 - 5 }),
  ];
  for (const found of [
    [older, newer, weaker],
    [weaker, newer, older],
    [newer, weaker, older],
  ])
    assert.deepEqual(
      matchCredit(credit(), found, context()).candidates.map(({ transactionId }) => transactionId),
      ['txn_c', 'txn_b', 'txn_a'],
    );
});

test('a full account number identifies the payer; another number means another payer', () => {
  expectRows([
    [{ payerName: null }, {}, 'matched txn_a'],
    [{}, { accountName: null }, 'matched txn_a'],
    [{ payerName: 'ADEBAYA MUSA' }, {}, 'matched txn_a'],
    [{ payerAccount: ' 0123-450-011 ' }, {}, 'matched txn_a'],
    [{ payerBankCode: null }, {}, 'matched txn_a'],
    [OTHER, {}, 'review other_account txn_a'],
    [OTHER, { accountName: null }, 'review no_claim'],
    [{ ...OTHER, ...NAMED }, {}, 'held txn_a payer_unclear'],
    [{ ...OTHER, ...NAMED, payerName: 'OKAFOR EMEKA' }, {}, 'held txn_a name_mismatch'],
    [{ payerBankCode: 'zenith' }, {}, 'held txn_a payer_unclear'],
    [{ payerBankCode: 'zenith', ...NAMED }, {}, 'held txn_a payer_unclear'],
  ]);
});

test('a masked account number matches only together with a strong name match or our reference', () => {
  expectRows([
    [MASKED, {}, 'matched txn_a'],
    [{ payerAccount: 'XXXXXX011' }, {}, 'matched txn_a'],
    [{ payerAccount: '012****011' }, {}, 'matched txn_a'],
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
    // The masked number shows too few digits to be a suffix, so the number counts as missing.
    [{ payerAccount: '********11' }, {}, 'review payer_unclear txn_a'],
  ]);
});

test('threat 111: a credit without an account number matches only if it contains our reference', () => {
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

test('threat 111: a reference counts only if a payer would not write it by chance', () => {
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

test('threat 22: a credit whose payer has another name is held', () => {
  expectRows([
    [{ payerName: 'OKAFOR EMEKA' }, {}, 'held txn_a name_mismatch'],
    [{ payerName: 'OKAFOR EMEKA', ...NAMED }, {}, 'held txn_a name_mismatch'],
    [{ ...NO_PAYER, ...NAMED, payerName: 'OKAFOR EMEKA' }, {}, 'held txn_a name_mismatch'],
    [{ payerName: 'null' }, {}, 'matched txn_a'],
    [{ payerName: ' - ' }, {}, 'matched txn_a'],
  ]);
});

test('an erased name counts as missing: it does not identify a payer and does not contradict one', () => {
  const hashed = formatErasedHash(new Uint8Array(32).fill(0x5c));
  for (const erased of [ERASED, hashed])
    expectRows([
      [{ payerName: erased }, {}, 'matched txn_a'],
      [{}, { accountName: erased }, 'matched txn_a'],
      // Two erased names do not prove that the payer is the same person.
      [{ ...MASKED, payerName: erased }, { accountName: erased }, 'review payer_unclear txn_a'],
      [{ payerName: erased }, { flags: ['mixed_script'] }, 'held txn_a suspicious_name'],
    ]);
});

test('threat 14: a name with look-alike or hidden characters is never matched automatically', () => {
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

test('threat 20: a credit that differs by a kobo waits for an exact credit, and is later attached with an exception', () => {
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

test('threat 20: a credit with another amount that is older than the claim waits for the exact credit as long as a new credit does', () => {
  const createdAtMs = T0 + DAY_MS;
  const stray = credit({ amountMinor: 1_400_000n });
  const fresh = claim('txn_a', { createdAtMs, expiresAtMs: createdAtMs + DAY_MS });
  const decide = (nowMs: number) => matchCredit(stray, [fresh], context({ nowMs })).verdict;
  assert.deepEqual(decide(createdAtMs + 1), { kind: 'wait', untilMs: createdAtMs + GRACE_MS });
  assert.equal(decide(createdAtMs + GRACE_MS).kind, 'attached');
});

test('threat 20: a claim of the exact amount is preferred; several claims of other amounts go to review', () => {
  const more = claim('txn_b', { amountMinor: 1_600_000n, reference: 'INV-2026-02' });
  const less = claim('txn_c', { amountMinor: 1_400_000n, reference: 'INV-2026-03' });
  assert.equal(line(verdict({}, [more, claim(), less])), 'matched txn_a');
  assert.equal(line(verdict({}, [more, less])), 'review ambiguous txn_b txn_c');
  assert.equal(line(verdict({ narration: 'INV-2026-02' }, [more, less])), 'attached txn_b paid_partial');
  assert.equal(line(verdict({ narration: 'INV-2026-02' }, [more, claim()])), 'review ambiguous txn_a txn_b');
  const stranger = claim('txn_a', { accountName: null });
  const own = claim('txn_b', { amountMinor: 1_600_000n });
  assert.equal(line(verdict(MASKED, [stranger, own])), 'review ambiguous txn_a txn_b');
});

test('a credit without a claim waits for the grace period, and then goes to review', () => {
  const untilMs = T0 + 1000 + GRACE_MS;
  assert.deepEqual(verdict({}, [], { nowMs: untilMs - 1 }), { kind: 'wait', untilMs });
  assert.deepEqual(verdict({}, []), { kind: 'review', exception: 'no_claim', transactionIds: [] });
});

test('threat 24: a late credit still matches within the window, and is marked as late', () => {
  const paidAt = (atMs: number): Partial<CreditFacts> => ({ valueAtMs: atMs, receivedAtMs: atMs });
  expectRows([
    [paidAt(T0 + DAY_MS), {}, 'matched txn_a'],
    [paidAt(T0 + DAY_MS + 1), {}, 'matched txn_a paid_late'],
    [paidAt(T0 + 7 * DAY_MS), { state: 'expired' }, 'matched txn_a paid_late'],
    [paidAt(T0 - 7 * DAY_MS), {}, 'matched txn_a'],
    [paidAt(T0 - 7 * DAY_MS - 1), {}, 'review no_claim'],
    // The payment was made in time and reported late, or its value date is in the future.
    [{ valueAtMs: T0, receivedAtMs: T0 + 9 * DAY_MS }, { state: 'expired' }, 'matched txn_a'],
    [{ valueAtMs: T0 + 3 * DAY_MS, receivedAtMs: T0 + 1000 }, {}, 'matched txn_a'],
  ]);
  const after = credit(paidAt(T0 + 7 * DAY_MS + 1));
  const outside = matchCredit(after, [claim()], context({ nowMs: T0 + 9 * DAY_MS }));
  assert.equal(line(outside.verdict), 'review no_claim');
  assert.ok(outside.candidates[0]?.reasons.includes('outside_window'));
});

test('a credit pays only open claims', () => {
  for (const state of ['awaiting_wallet', 'awaiting_payment', 'expired'])
    assert.equal(line(verdict({}, [claim('txn_a', { state })])), 'matched txn_a');
  for (const state of ['paid', 'on_hold', 'completed', 'cancelled', 'rejected', 'refunded', 'sending'])
    assert.equal(line(verdict({}, [claim('txn_a', { state })])), 'review no_claim');
});
