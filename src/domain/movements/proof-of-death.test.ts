// Tests when a payment is proven dead: what proves it, what does not prove it, and that no code can skip the proof.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Absence, DeathProof, type Displacement } from './proof-of-death.ts';

const absence = (changes: Partial<Absence> = {}): Absence => ({
  provider: 'one',
  observedAt: 100n,
  impossibleFrom: 100n,
  ...changes,
});

const PLACE = { hashes: ['ours', 'ours again'], sequence: '7' };
const displacement = (changes: Partial<Displacement> = {}): Displacement => ({
  provider: 'one',
  sequence: '7',
  hash: 'theirs',
  innerHash: null,
  height: 90n,
  ...changes,
});

test('threat 42: a missing payment proves that it is dead only if the same response also covers its expiry', () => {
  assert.equal(DeathProof.byAbsence([absence({ observedAt: 99n })], 1), undefined);
  const death = DeathProof.byAbsence([absence()], 1, { bound: '99' });
  assert.deepEqual(death?.evidence, {
    proof: 'absent',
    bound: '99',
    absences: [{ provider: 'one', observedAt: '100', impossibleFrom: '100' }],
  });
});

test('threat 42: when two providers are configured, both must prove that a payment is dead, and a lagging provider does not count', () => {
  assert.equal(DeathProof.byAbsence([], 1), undefined);
  assert.equal(DeathProof.byAbsence([], 0), undefined, 'no answer is no proof');
  for (const configured of [2, 3]) {
    assert.equal(DeathProof.byAbsence([absence()], configured), undefined);
    assert.equal(
      DeathProof.byAbsence([absence(), absence()], configured),
      undefined,
      'one provider, asked twice',
    );
    const behind = absence({ provider: 'two', observedAt: 99n });
    assert.equal(DeathProof.byAbsence([absence(), behind], configured), undefined);
    assert.ok(DeathProof.is(DeathProof.byAbsence([absence(), absence({ provider: 'two' })], configured)));
  }
});

test('threat 42: another transaction with the same sequence number proves that a payment is dead, unless it is ours or wraps one of ours', () => {
  assert.ok(DeathProof.is(DeathProof.byDisplacement(PLACE, [displacement()], 1)));
  for (const wrong of [
    { hash: 'ours' },
    { hash: 'ours again' },
    { innerHash: 'ours' },
    { innerHash: 'ours again' },
    { sequence: '8' },
  ])
    assert.equal(
      DeathProof.byDisplacement(PLACE, [displacement(wrong)], 1),
      undefined,
      JSON.stringify(wrong),
    );
  assert.equal(DeathProof.byDisplacement(PLACE, [], 1), undefined);
  assert.equal(DeathProof.byDisplacement({ ...PLACE, sequence: null }, [displacement()], 1), undefined);
  assert.equal(DeathProof.byDisplacement(PLACE, [displacement()], 2), undefined);
  const two = displacement({ provider: 'two' });
  assert.ok(DeathProof.is(DeathProof.byDisplacement(PLACE, [displacement(), two], 2)));
  const other = displacement({ provider: 'two', hash: 'a third' });
  assert.equal(
    DeathProof.byDisplacement(PLACE, [displacement(), other], 2),
    undefined,
    'they contradict each other',
  );
});

test('threat 42: no other value is accepted as a proof that a payment is dead', () => {
  assert.equal(DeathProof.is({ evidence: { proof: 'absent' } }), false);
  assert.equal(DeathProof.is(Object.create(DeathProof.prototype)), false);
  // @ts-expect-error: a claim without a proof does not compile
  const claimed: DeathProof = { evidence: { proof: 'absent' } };
  assert.equal(DeathProof.is(claimed), false);
  // @ts-expect-error: neither does making one
  assert.ok(typeof (() => new DeathProof({})) === 'function');
});
