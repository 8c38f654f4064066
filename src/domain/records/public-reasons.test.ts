// Tests the texts that a business reads. Every reason and exception has a public code and a sentence, and no text reveals
// screening. docs/concepts/states.md lists the same codes and sentences.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { EXCEPTIONS, type TransactionException } from './exceptions.ts';
import { PUBLIC_REASONS, STEP_REASONS } from './move-reasons.ts';
import {
  EXCEPTION_CODES,
  PUBLIC_EXCEPTIONS,
  PUBLIC_SENTENCES,
  toPublicException,
  toPublicReason,
  toPublicWarnings,
} from './public-reasons.ts';
import { STATES, type TransactionState } from './states.ts';

const INSIDE = [...new Set<string>([...EXCEPTIONS, ...STEP_REASONS, ...PUBLIC_REASONS])];
const ALIKE = [
  'business_frozen',
  'screening_hit',
  'limit_transaction',
  'limit_day',
  'limit_month',
  'limit_reached',
] as const;

test('every reason has a public code and a sentence, for every state', () => {
  for (const reason of INSIDE) {
    for (const state of STATES) {
      const { code, sentence } = toPublicReason(reason, state);
      assert.match(code, /^[a-z_]+$/, reason);
      assert.equal(sentence, PUBLIC_SENTENCES[code]);
      assert.match(sentence, /^[A-Z][^\n]+\.$/, reason);
    }
  }
});

test('a screening hit, a freeze and a limit have the same public code in every state', () => {
  for (const state of STATES) {
    for (const exception of ALIKE) {
      assert.equal(toPublicReason(exception, state).code, 'under_review');
      assert.equal(toPublicException({ exception, state }), state === 'on_hold' ? 'under_review' : null);
    }
  }
  const hidden = EXCEPTIONS.filter((each) => EXCEPTION_CODES[each] !== each);
  assert.deepEqual(hidden, ['suspicious_name', ...ALIKE]);
  const published = [...Object.entries(PUBLIC_SENTENCES).flat(), ...PUBLIC_EXCEPTIONS].join('\n');
  assert.doesNotMatch(published, /screen|frozen|freez|suspicious|limit|sanction|list/i);
});

/** The states in which each exception is over: every state except on hold, some states, or no state for a permanent fact. */
const NOT_HELD = STATES.filter((state) => state !== 'on_hold');
const PAID_IN_FULL: readonly TransactionState[] = [
  ...(['paid', 'awaiting_trustline', 'sending', 'deposited'] as const),
  ...(['paying_out', 'completed'] as const),
];
const OVER_IN: Readonly<Record<TransactionException, readonly TransactionState[]>> = {
  paid_partial: PAID_IN_FULL,
  paid_over: [],
  paid_late: [],
  paid_after_cancel: [],
  unexpected_deposit: [],
  name_mismatch: NOT_HELD,
  suspicious_name: NOT_HELD,
  payer_unclear: NOT_HELD,
  duplicate_claim: NOT_HELD,
  wallet_missing: NOT_HELD,
  account_unknown: NOT_HELD,
  business_frozen: NOT_HELD,
  screening_hit: NOT_HELD,
  limit_transaction: NOT_HELD,
  limit_day: NOT_HELD,
  limit_month: NOT_HELD,
  limit_reached: NOT_HELD,
  wallet_forbidden: NOT_HELD,
  amount_not_representable: NOT_HELD,
  send_failed: NOT_HELD,
  payout_failed: [],
  payout_returned: [],
  credit_reversed: [],
  refund_decided: ['refunded'],
};

test('an exception that no longer matters in a state is not shown, and any other is shown with its public code', () => {
  for (const exception of EXCEPTIONS) {
    for (const state of STATES) {
      const expected = OVER_IN[exception].includes(state) ? null : EXCEPTION_CODES[exception];
      assert.equal(toPublicException({ exception, state }), expected, `${exception} in ${state}`);
    }
  }
  assert.equal(toPublicException({ exception: null, state: 'on_hold' }), null);
});

test('warnings contain only problems that the business can fix, and nothing about the characters of a name', () => {
  const names = ['invisible_characters', 'mixed_script', 'non_latin', 'compatibility_characters', 'toString'];
  assert.deepEqual(toPublicWarnings(names), []);
  const shown = toPublicWarnings([...names, 'bank_unknown', 'check_digit']);
  assert.deepEqual(
    shown.map(({ code, field }) => [code, field]),
    [
      ['bank_unknown', 'bank_name'],
      ['check_digit', 'account_number'],
    ],
  );
  for (const { field, message } of shown) assert.ok(message.startsWith(field), message);
});

test('a text that an earlier version stored is never shown: a known text is shown as its code, any other as the code of the state', () => {
  assert.equal(toPublicReason('payment found', 'paid').code, 'payment_found');
  assert.equal(toPublicReason('refund wallet given', 'completed').code, 'refund_wallet_given');
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
    assert.deepEqual(toPublicReason(stored, state), { code, sentence: PUBLIC_SENTENCES[code] });
  }
});

test('docs/concepts/states.md lists each public code with its sentence, and each exception with its public code', () => {
  const page = readFileSync(new URL('../../../docs/concepts/states.md', import.meta.url), 'utf8');
  const part = (title: string) => page.split(/^## /m).find((each) => each.startsWith(`${title}\n`)) ?? '';
  const reasons = [...part('Reasons').matchAll(/^\| `([a-z_]+)` \| ([^|]+) \|$/gm)];
  assert.deepEqual(
    reasons.map(([, code, sentence]) => [code, sentence]),
    Object.entries(PUBLIC_SENTENCES),
  );
  const exceptions = [...part('Exceptions').matchAll(/^\| `([a-z_]+)` \| [a-z]+ \| `([a-z_]+)` \|/gm)];
  assert.deepEqual(
    Object.fromEntries(exceptions.map(([, inside, shown]) => [inside, shown])),
    EXCEPTION_CODES,
  );
});
