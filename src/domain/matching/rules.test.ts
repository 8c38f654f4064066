// Tests the differences between the versions of the matching rules: other accounts of a payer, top-ups, and value dates without
// a time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  claim,
  DAY_MS,
  line,
  MASKED,
  NAMED,
  OTHER,
  T0,
  verdict,
} from '../../../test/support/stages/matching.ts';
import type { ClaimFacts, CreditFacts } from './facts.ts';
import { CURRENT_MATCHING_RULES, findMatchingRules, MATCHING_RULE_VERSIONS } from './rules.ts';

const FIRST = { rules: findMatchingRules(1)! };

test('every version of the rules can be used, and the current version is the last', () => {
  assert.deepEqual(
    MATCHING_RULE_VERSIONS.map((version) => findMatchingRules(version)?.version),
    [1, 2, 3],
  );
  assert.equal(CURRENT_MATCHING_RULES.version, MATCHING_RULE_VERSIONS.at(-1));
  assert.equal(findMatchingRules(4), undefined);
  assert.equal(findMatchingRules(0), undefined);
});

test('threat 111: a number in the narration identifies a payer only with a strong name and the exact amount', () => {
  const SECOND = { rules: findMatchingRules(2)! };
  const narration = 'NIP TRF FROM MUSA ADEBAYO 0123450011/RENT';
  const said = { payerAccount: null, narration };
  const rows: readonly [Partial<CreditFacts>, Partial<ClaimFacts>, string][] = [
    [said, {}, 'matched txn_a'],
    [{ ...said, narration: 'NIP 01234500110 X' }, {}, 'review payer_unclear txn_a'],
    [{ ...said, narration: 'NIP 0123450012' }, {}, 'review payer_unclear txn_a'],
    [{ ...said, payerName: 'MUSA' }, {}, 'review no_claim'],
    [{ ...said, payerName: null }, {}, 'review no_claim'],
    [{ ...said, payerName: 'OKAFOR EMEKA' }, {}, 'review no_claim'],
    [{ ...said, amountMinor: 1_500_001n }, {}, 'review no_claim'],
    // The bank's own number counts, whatever the narration says.
    [{ ...said, payerAccount: '7777777776' }, {}, 'review other_account txn_a'],
    [{ ...said, payerBankCode: 'zenith' }, {}, 'held txn_a payer_unclear'],
  ];
  for (const [paid, claimed, expected] of rows)
    assert.equal(line(verdict(paid, [claim('txn_a', claimed)])), expected, paid.narration ?? '');
  assert.equal(line(verdict(said, [claim()], SECOND)), 'review payer_unclear txn_a');
  const namesake = claim('txn_b', { accountNumber: '7777777777', businessId: 'biz_2' });
  assert.equal(line(verdict(said, [claim(), namesake])), 'review ambiguous txn_a txn_b', 'people decide');
});

test('threat 16: a credit from another account with the same name is only shown to reviewers', () => {
  assert.equal(line(verdict(OTHER, [claim()])), 'review other_account txn_a');
  assert.equal(line(verdict(OTHER, [claim()], FIRST)), 'review no_claim');
  // The payer's other account may be at another bank. A masked or incomplete number does not prove that the account is another
  // one.
  assert.equal(line(verdict({ ...OTHER, payerBankCode: 'zenith' }, [claim()])), 'review other_account txn_a');
  const nothing: readonly [Partial<CreditFacts>, Partial<ClaimFacts>][] = [
    [{ ...OTHER, payerName: 'MUSA' }, {}],
    [{ ...OTHER, payerName: null }, {}],
    [{ ...OTHER, payerName: 'OKAFOR EMEKA' }, {}],
    [OTHER, { flags: ['mixed_script'] }],
    [OTHER, { amountMinor: 1_500_001n }],
    [OTHER, { createdAtMs: T0 - 8 * DAY_MS }],
    [{ payerAccount: '******0012' }, {}],
    [{ payerAccount: '9999999' }, {}],
  ];
  for (const [paid, claimed] of nothing)
    assert.equal(line(verdict(paid, [claim('txn_a', claimed)])), 'review no_claim', JSON.stringify(paid));
});

test('threat 16: a claim with the payer’s account number is preferred to a claim with only the same name, even if the amounts differ', () => {
  const namesake = claim('txn_b', { accountNumber: '7777777777', businessId: 'biz_2' });
  assert.equal(line(verdict({}, [claim(), namesake])), 'matched txn_a');
  assert.equal(line(verdict({ amountMinor: 1_600_000n }, [claim(), namesake])), 'attached txn_a paid_over');
  assert.equal(
    line(verdict(OTHER, [claim(), namesake])),
    'review other_account txn_a txn_b',
    'none is singled out',
  );
  assert.deepEqual(verdict(OTHER, [claim()], { nowMs: T0 }), { kind: 'wait', untilMs: T0 + 1000 + 600_000 });
});

const part = (amountMinor: bigint, creditId = 'crd_0') => ({ creditId, amountMinor });
const short = (changes: Partial<ClaimFacts> = {}) =>
  claim('txn_a', { parts: [part(1_000_000n)], ...changes });

test('a credit of exactly the missing amount completes a partial payment at once; a smaller or larger credit does not', () => {
  const rest = { amountMinor: 500_000n };
  const together = { kind: 'completes', transactionId: 'txn_a', exception: null, with: ['crd_0'] };
  assert.deepEqual(verdict(rest, [short()], { nowMs: T0 }), together);
  assert.deepEqual(verdict({ ...rest, ...MASKED }, [short()]), together);
  assert.equal(line(verdict(rest, [short()], FIRST)), 'attached txn_a paid_partial');
  assert.equal(line(verdict({ amountMinor: 499_999n }, [short()])), 'attached txn_a paid_partial');
  assert.deepEqual(verdict({ amountMinor: 500_001n }, [short()]), {
    ...{ kind: 'attached', transactionId: 'txn_a', exception: 'paid_over', late: false, with: ['crd_0'] },
  });
  const three = short({ parts: [part(1_000_000n), part(400_000n, 'crd_9')] });
  assert.deepEqual(verdict({ amountMinor: 100_000n }, [three]), { ...together, with: ['crd_0', 'crd_9'] });
});

test('money that a person matched before counts too; version 1 ignores a claim with such money', () => {
  const matched = claim('txn_a', { receivedMinor: 1_000_000n });
  assert.deepEqual(verdict({ amountMinor: 500_000n }, [matched]), {
    ...{ kind: 'completes', transactionId: 'txn_a', exception: null, with: [] },
  });
  assert.equal(line(verdict({ amountMinor: 500_000n }, [matched], FIRST)), 'review no_claim');
  assert.equal(line(verdict({}, [matched])), 'attached txn_a paid_over');
});

test('a credit of the whole amount after a partial payment pays the claim without the partial payment', () => {
  assert.equal(line(verdict({}, [short()])), 'matched txn_a');
  assert.deepEqual(verdict({ amountMinor: 1_500_001n }, [short()]), {
    ...{ kind: 'attached', transactionId: 'txn_a', exception: 'paid_over', late: false },
  });
});

test('threat 16: a second payment from another payer, or an ambiguous one, completes no claim', () => {
  const rest = { amountMinor: 500_000n };
  assert.equal(line(verdict({ ...rest, ...OTHER }, [short()])), 'review no_claim');
  assert.equal(line(verdict({ ...rest, payerName: 'OKAFOR EMEKA' }, [short()])), 'held txn_a name_mismatch');
  assert.equal(line(verdict({ ...rest, ...OTHER, ...NAMED }, [short()])), 'held txn_a payer_unclear');
  // Another business or another wallet has an equal claim. The first partial payment may have been meant for that claim.
  for (const other of [{ businessId: 'biz_2' }, { walletKey: 'Polygon 0x2' }]) {
    const rival = claim('txn_b', { reference: 'ORDER-77', ...other });
    assert.equal(line(verdict(rest, [short(), rival])), 'review ambiguous txn_a txn_b');
    assert.equal(line(verdict({ ...rest, ...NAMED }, [short(), rival])), 'completes txn_a');
  }
  // Both claims belong to one business and one wallet, so it makes no difference which claim is paid.
  assert.equal(line(verdict(rest, [short(), claim('txn_b', { reference: 'ORDER-77' })])), 'completes txn_a');
  const exact = (businessId: string) =>
    claim('txn_b', { amountMinor: 500_000n, businessId, reference: 'ORDER-77' });
  assert.equal(line(verdict(rest, [short(), exact('biz_1')])), 'matched txn_b');
  assert.equal(line(verdict(rest, [short(), exact('biz_2')])), 'review ambiguous txn_a txn_b');
});

test('a value date without a time is a whole day in Lagos, and is late only if the claim expired before that day', () => {
  const lagosMidnight = 200 * DAY_MS - 3_600_000;
  const utcMidnight = 200 * DAY_MS;
  const receivedAtMs = utcMidnight + 15 * 3_600_000;
  const expired = (expiresAtMs: number) =>
    claim('txn_a', { createdAtMs: lagosMidnight - DAY_MS, expiresAtMs, state: 'expired' });
  const at = (valueAtMs: number, expiresAtMs: number, changes = {}) =>
    line(verdict({ valueAtMs, receivedAtMs }, [expired(expiresAtMs)], { nowMs: receivedAtMs, ...changes }));
  for (const valueAtMs of [lagosMidnight, utcMidnight]) {
    assert.equal(at(valueAtMs, lagosMidnight), 'matched txn_a');
    assert.equal(at(valueAtMs, lagosMidnight - 1), 'matched txn_a paid_late');
  }
  // Version 1 of the rules read midnight in UTC as a time of day.
  assert.equal(at(utcMidnight, lagosMidnight, FIRST), 'matched txn_a paid_late');
  // A value date with a time is used exactly.
  assert.equal(at(utcMidnight + 1, lagosMidnight), 'matched txn_a paid_late');
  // A claim created late on the value date is as close to the payment as a claim created at midnight.
  const made = (createdAtMs: number, windowMs: number, changes = {}) =>
    line(
      verdict(
        { valueAtMs: lagosMidnight, receivedAtMs },
        [claim('txn_a', { createdAtMs, expiresAtMs: receivedAtMs + DAY_MS })],
        {
          ...{ nowMs: receivedAtMs, windowMs, ...changes },
        },
      ),
    );
  assert.equal(made(lagosMidnight + 12 * 3_600_000, 3_600_000), 'matched txn_a');
  assert.equal(made(lagosMidnight + 12 * 3_600_000, 3_600_000, FIRST), 'wait');
});
