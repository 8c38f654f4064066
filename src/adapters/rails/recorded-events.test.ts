// Tests events from the public documentation of the rails. Each body is read without an error, and the result is only the
// subject that the service must query.
import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { test } from 'node:test';
import {
  MONNIFY_EVENTS,
  PAYSTACK_EVENTS,
  PROVIDUS_EVENTS,
} from '../../../test/support/banks/recorded-events.ts';
import type { RailEvents } from '../../ports/rails/rail-events.ts';
import { SettingsProblems } from '../settings-problems.ts';
import { readBySchema } from '../settings-reader.ts';
import { makeMonnifyEvents } from './monnify/events.ts';
import { makeNipEvents } from './nip-bank/events.ts';
import { makePaystackEvents } from './paystack/events.ts';
import { ADDRESSES, splitAtCommas } from './settings/options.ts';

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
  test(`${name}: the subject of each recorded event is read correctly`, () => {
    for (const [body, about] of recorded) assert.equal(shown(events, bytesOf(body)), about);
  });

  test(`${name}: a body that is cut off or is not text does not throw`, () => {
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

test('each rail receives events at a path with its kind, and at a path with its own name', () => {
  assert.deepEqual(
    RAILS.map(([, { places }]) => places),
    [['paystack', 'second'], ['monnify'], ['nip-bank', 'providus']],
  );
});

test('threat 76: with event_addresses, an event is accepted only from a listed address; without it, from any address', () => {
  const body = Buffer.from('{}');
  const hmac = createHmac('sha512', 'key').update(body).digest('hex');
  const headers = {
    ...{ 'x-paystack-signature': hmac, 'monnify-signature': hmac },
    'x-auth-signature': createHash('sha512').update('id:secret').digest('hex'),
  };
  const provenFrom = (address: string) =>
    RAILS.map(([, events]) => events.isProven({ body, headers, address }));
  assert.deepEqual(provenFrom('198.51.100.7'), [true, true, true]);
  addresses.add('203.0.113.9').add('203.0.113.10');
  assert.deepEqual(provenFrom('203.0.113.10'), [true, true, true]);
  assert.deepEqual(provenFrom('198.51.100.7'), [false, false, false]);
  assert.deepEqual(
    RAILS.map(([, events]) => events.isProven({ body, headers: {}, address: '203.0.113.9' })),
    [false, false, false],
    'the address alone proves nothing',
  );
  addresses.clear();
});

test('event_addresses is a list of IPv4 addresses; any other value is refused at start', () => {
  const read = (event_addresses: string) => {
    const problems = new SettingsProblems();
    const found = splitAtCommas(readBySchema(ADDRESSES, event_addresses, problems.at('event_addresses')));
    return problems.found.length > 0 ? problems.found : [...found];
  };
  assert.deepEqual(read('35.242.133.146,52.31.139.75'), ['35.242.133.146', '52.31.139.75']);
  assert.match(`${read('35.242.133.0/24')}`, /IPv4 addresses/);
});
