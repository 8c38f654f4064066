// Tests several claims that fit one credit: which claim is paid, and when no claim is paid.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { claim, line, MASKED, NAMED, type Row, T0, verdict } from '../../../test/support/stages/matching.ts';
import type { ClaimFacts } from './facts.ts';

test('threat 16: between claims of two businesses, only the narration or a contradiction decides', () => {
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
    // A claim gains nothing if it gives the payer's name or bank, and loses nothing if it omits them.
    [{}, { accountName: null }, 'review ambiguous txn_a txn_b'],
    [{}, { accountName: 'Musa' }, 'review ambiguous txn_a txn_b'],
    [{}, { bankCode: null }, 'review ambiguous txn_a txn_b'],
    [MASKED, { accountName: null }, 'review ambiguous txn_a txn_b'],
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

test('threat 16: when a claim has another name, a claim of another business without a name is not matched', () => {
  const victim = claim('txn_a', { accountName: 'Other Person' });
  const nameless = claim('txn_b', { businessId: 'biz_2', accountName: null });
  assert.deepEqual(verdict({}, [victim, nameless]).kind, 'review');
  const named = claim('txn_c', { businessId: 'biz_2' });
  assert.equal(verdict({}, [victim, named]).kind, 'matched');
});

test('between claims of one business, the better name match decides, and then the bank', () => {
  assert.equal(line(verdict({}, [claim(), claim('txn_b', { accountName: null })])), 'matched txn_a');
  assert.equal(line(verdict({}, [claim('txn_a', { accountName: 'Musa' }), claim('txn_b')])), 'matched txn_b');
  assert.equal(line(verdict({}, [claim('txn_a', { bankCode: null }), claim('txn_b')])), 'matched txn_b');
});

test('threat 21: one credit for two equal claims pays neither; as many credits as claims pay the claims in order', () => {
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
