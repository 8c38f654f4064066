// The rule of death itself: what proves it, what does not, and that there is no way around it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Absence, Death, type Displacement } from './proof-of-death.ts';

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

test('threat 42: an absence proves a death only when its own answer reaches beyond the bound', () => {
  assert.equal(Death.byAbsence([absence({ observedAt: 99n })], 1), undefined);
  const death = Death.byAbsence([absence()], 1, { bound: '99' });
  assert.deepEqual(death?.evidence, {
    proof: 'absent',
    bound: '99',
    absences: [{ provider: 'one', observedAt: '100', impossibleFrom: '100' }],
  });
});

test('threat 42: wherever two providers are configured two have to prove it, and one that is behind does not count', () => {
  assert.equal(Death.byAbsence([], 1), undefined);
  assert.equal(Death.byAbsence([], 0), undefined, 'no answer is no proof');
  for (const configured of [2, 3]) {
    assert.equal(Death.byAbsence([absence()], configured), undefined);
    assert.equal(Death.byAbsence([absence(), absence()], configured), undefined, 'one provider, asked twice');
    const behind = absence({ provider: 'two', observedAt: 99n });
    assert.equal(Death.byAbsence([absence(), behind], configured), undefined);
    assert.ok(Death.is(Death.byAbsence([absence(), absence({ provider: 'two' })], configured)));
  }
});

test('threat 42: another transaction at the place proves it, unless it is or wraps one of ours', () => {
  assert.ok(Death.is(Death.byDisplacement(PLACE, [displacement()], 1)));
  for (const wrong of [
    { hash: 'ours' },
    { hash: 'ours again' },
    { innerHash: 'ours' },
    { innerHash: 'ours again' },
    { sequence: '8' },
  ])
    assert.equal(Death.byDisplacement(PLACE, [displacement(wrong)], 1), undefined, JSON.stringify(wrong));
  assert.equal(Death.byDisplacement(PLACE, [], 1), undefined);
  assert.equal(Death.byDisplacement({ ...PLACE, sequence: null }, [displacement()], 1), undefined);
  assert.equal(Death.byDisplacement(PLACE, [displacement()], 2), undefined);
  const two = displacement({ provider: 'two' });
  assert.ok(Death.is(Death.byDisplacement(PLACE, [displacement(), two], 2)));
  const other = displacement({ provider: 'two', hash: 'a third' });
  assert.equal(
    Death.byDisplacement(PLACE, [displacement(), other], 2),
    undefined,
    'they contradict each other',
  );
});

test('threat 42: nothing else is a death', () => {
  assert.equal(Death.is({ evidence: { proof: 'absent' } }), false);
  assert.equal(Death.is(Object.create(Death.prototype)), false);
  // @ts-expect-error: a claim without a proof does not compile
  const claimed: Death = { evidence: { proof: 'absent' } };
  assert.equal(Death.is(claimed), false);
  // @ts-expect-error: neither does making one
  assert.ok(typeof (() => new Death({})) === 'function');
});
