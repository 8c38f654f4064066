// Tests that every error example of the quote routes equals the response of the route. Examples that no request here can cause
// are compared with the source.
import { test } from 'node:test';
import { startTestService } from '../support/service.ts';
import {
  assertInSource,
  assertNoneLeft,
  type InSource,
  isAboutQuotes,
  type Make,
  readExamples,
  testMistakes,
} from './example-checks.ts';
import { send } from './helpers.ts';

const service = await startTestService({ QUOTE_OPEN_MAX: '2' });
const examples = new Map([...(await readExamples(service))].filter(([, example]) => isAboutQuotes(example)));
const live = { key: service.business.liveKey };
const quote = (changes: object, options = {}) =>
  service.post('/quotes/v1', { side: 'buy', amount: 15_000, ...changes }, options);
const raw = (text: string) =>
  send(service, 'POST', '/quotes/v1', {
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(text),
  });

const MISTAKES: readonly [string, Make][] = [
  ['makeQuote required', () => quote({ side: undefined })],
  ['makeQuote wrong_type', () => quote({ side: 5 })],
  ['makeQuote amount_not_a_number', () => quote({ amount: '15000' })],
  ['makeQuote side_invalid', () => quote({ side: 'swap' })],
  ['makeQuote currency_unknown', () => quote({ currency: 'XYZ' })],
  ['makeQuote currency_not_for_sells', () => quote({ side: 'sell', currency: 'USD' })],
  ['makeQuote amount_below_minimum', () => quote({ amount: 100 })],
  ['makeQuote amount_above_maximum', () => quote({ amount: 1_000_000_001 })],
  ['makeQuote amount_too_precise', () => quote({ amount: 15_000.005 })],
  ['makeQuote amount_malformed', () => raw('{"side":"buy","amount":1.5e4}')],
  ['makeQuote network_unknown', () => quote({ network: 'Mars' })],
  ['makeQuote network_not_enabled', () => quote({ network: 'Polygon' }, live)],
  ['makeQuote rates_unavailable', () => quote({ amount: 100, currency: 'USD' }, live)],
  [
    'makeQuote quote_exposure_exceeded',
    async () => {
      await quote({});
      await quote({});
      return quote({});
    },
  ],
  ['getQuote quote_not_found', () => service.get(`/quotes/v1/quo_${'0'.repeat(26)}`)],
  ['listQuotes filter_invalid', () => service.get('/quotes/v1?limit=0')],
  ['listQuotes cursor_invalid', () => service.get('/quotes/v1?cursor=x')],
];

testMistakes(examples, MISTAKES);

const IN_SOURCE: readonly InSource[] = [
  [
    'makeQuote amount_not_representable',
    'app/quotes/make-quote.ts',
    ['amount cannot be sent exactly on ', ': its token has only ', ' decimals. Use fewer decimals.'],
  ],
];

test('the example that no request in this test causes has the text of the source, and every example is covered', () => {
  assertInSource(examples, IN_SOURCE);
  assertNoneLeft(
    examples,
    [...MISTAKES, ...IN_SOURCE].map(([name]) => name),
  );
});
