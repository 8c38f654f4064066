// What rails send, as their public documentation prints it: every body is read, says what to ask about and nothing else, and none throws.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MONNIFY_EVENTS } from '../../../test/support/banks/recorded/monnify.ts';
import { PAYSTACK_EVENTS } from '../../../test/support/banks/recorded/paystack.ts';
import { PROVIDUS_EVENTS } from '../../../test/support/banks/recorded/providus.ts';
import type { RailEvents } from '../../ports/bank/events.ts';
import { makeMonnifyEvents } from './monnify/events.ts';
import { makeNipEvents } from './nip-bank/events.ts';
import { makePaystackEvents } from './paystack/events.ts';

const none = null as never;
const addresses = new Set<string>();
const settings = { secretKey: () => 'key', eventAddresses: addresses, creditsFromMs: 0 };
const RAILS: readonly (readonly [string, RailEvents, typeof PAYSTACK_EVENTS])[] = [
  [
    'paystack',
    makePaystackEvents({ name: 'second', client: none, directory: none, settings }),
    PAYSTACK_EVENTS,
  ],
  [
    'monnify',
    makeMonnifyEvents({ name: 'monnify', collections: { verify: none }, settings }),
    MONNIFY_EVENTS,
  ],
  [
    'providus',
    makeNipEvents({
      ...{ name: 'providus', client: none, account: none, clock: none },
      ...{ credits: { url: '', fromMs: 0, addresses }, credentials: { id: 'id', secret: () => 'secret' } },
    }),
    PROVIDUS_EVENTS,
  ],
];

const bytesOf = (body: unknown) => Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));

function shown(events: RailEvents, body: Uint8Array): string {
  const topic = events.read(body);
  if (topic.kind === 'other') return 'other';
  const { kind, about } = topic;
  return kind === 'credit' ? `credit ${about}` : `payout ${about} ${topic.isPaid ? 'paid' : 'not paid'}`;
}

for (const [name, events, recorded] of RAILS) {
  test(`${name}: recorded events are read for what they are about`, () => {
    for (const [body, about] of recorded) assert.equal(shown(events, bytesOf(body)), about);
  });

  test(`${name}: a body that is cut anywhere, or is no text, is read without a throw`, () => {
    for (const [body] of recorded) {
      const bytes = bytesOf(body);
      for (let end = 0; end < bytes.length; end += 7) {
        events.read(bytes.subarray(0, end));
        JSON.stringify(events.answer(bytes.subarray(0, end), 'stored'));
      }
    }
    assert.equal(shown(events, Buffer.from([0xff, 0xfe, 0x00])), 'other');
    assert.equal(shown(events, Buffer.from('null')), 'other');
  });
}

test('each rail is reached under its kind and under its own name', () => {
  assert.deepEqual(
    RAILS.map(([, { places }]) => places),
    [['paystack', 'second'], ['monnify'], ['nip-bank', 'providus']],
  );
});
