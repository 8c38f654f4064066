// What a business reads: every reason and exception has a public code and a sentence, none says that it is screened, and
// docs/states.md lists the same words.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { EXCEPTIONS } from './exceptions.ts';
import {
  EXCEPTION_CODES,
  PUBLIC_EXCEPTIONS,
  publicException,
  publicReason,
  SENTENCES,
} from './public-words.ts';
import { PUBLIC_REASONS, STEPS } from './reasons.ts';
import { STATES } from './states.ts';

const INSIDE = [...new Set<string>([...EXCEPTIONS, ...STEPS, ...PUBLIC_REASONS])];
const ALIKE = [
  'business_frozen',
  'screening_hit',
  'limit_transaction',
  'limit_day',
  'limit_month',
  'limit_reached',
] as const;

test('every reason has a code and a sentence, whatever state it leads to', () => {
  for (const reason of INSIDE) {
    for (const state of STATES) {
      const { code, sentence } = publicReason(reason, state);
      assert.match(code, /^[a-z_]+$/, reason);
      assert.equal(sentence, SENTENCES[code]);
      assert.match(sentence, /^[A-Z][^\n]+\.$/, reason);
    }
  }
});

test('a screening hit, a freeze and a limit read the same, in every state', () => {
  for (const state of STATES) {
    for (const exception of ALIKE) {
      assert.equal(publicReason(exception, state).code, 'under_review');
      assert.equal(publicException({ exception, state }), state === 'on_hold' ? 'under_review' : null);
    }
  }
  const hidden = EXCEPTIONS.filter((each) => EXCEPTION_CODES[each] !== each);
  assert.deepEqual(hidden, ['suspicious_name', ...ALIKE]);
  const published = [...Object.entries(SENTENCES).flat(), ...PUBLIC_EXCEPTIONS].join('\n');
  assert.doesNotMatch(published, /screen|frozen|freez|suspicious|limit|sanction|list/i);
});

test('every other exception is shown as it is, also after the hold', () => {
  for (const exception of EXCEPTIONS.filter((each) => EXCEPTION_CODES[each] === each))
    for (const state of STATES) assert.equal(publicException({ exception, state }), exception);
  assert.equal(publicException({ exception: 'suspicious_name', state: 'on_hold' }), 'name_mismatch');
  assert.equal(publicException({ exception: null, state: 'on_hold' }), null);
});

test('words that an earlier version stored are never shown: known ones as their code, others as what the state says', () => {
  assert.equal(publicReason('payment found', 'paid').code, 'payment_found');
  assert.equal(publicReason('refund wallet given', 'completed').code, 'refund_wallet_given');
  for (const [stored, state, code] of [
    ['he is on the court’s list', 'rejected', 'declined'],
    ['beneficiary blocked by compliance', 'payout_failed', 'payout_failed'],
    ['attempt 2 dead', 'sending', 'send_repeated'],
    ['failed 5 times', 'on_hold', 'under_review'],
    ['paid_late: the payment is being returned', 'expired', 'changed'],
    ['constructor', 'completed', 'changed'],
    ['toString', 'rejected', 'declined'],
    ['', 'refunded', 'changed'],
  ] as const) {
    assert.deepEqual(publicReason(stored, state), { code, sentence: SENTENCES[code] });
  }
});

test('docs/states.md lists what a business reads: each code with its sentence, and each exception with its public code', () => {
  const page = readFileSync(new URL('../../../docs/states.md', import.meta.url), 'utf8');
  const part = (title: string) => page.split(/^## /m).find((each) => each.startsWith(`${title}\n`)) ?? '';
  const reasons = [...part('Reasons').matchAll(/^\| `([a-z_]+)` \| ([^|]+) \|$/gm)];
  assert.deepEqual(
    reasons.map(([, code, sentence]) => [code, sentence]),
    Object.entries(SENTENCES),
  );
  const exceptions = [...part('Exceptions').matchAll(/^\| `([a-z_]+)` \| [a-z]+ \| `([a-z_]+)` \|/gm)];
  assert.deepEqual(
    Object.fromEntries(exceptions.map(([, inside, shown]) => [inside, shown])),
    EXCEPTION_CODES,
  );
});
