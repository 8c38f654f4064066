// Tests that a console route never responds with a 5xx, whatever a client sends: wrong types, long texts, bytes that the
// database refuses, names that objects inherit, and such values in paths. BAD_INPUT=all sends every value to every field and
// filter of every route. Otherwise each field gets a twelfth of the values, and the next field gets the next twelfth.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/service.ts';
import { addConsolePerson, consoleRoutes, type RegisteredRoute, signedIn, watchRoutes } from './browser.ts';
import { sampleOf } from './samples.ts';

watchRoutes();
const service = await startTestService({
  ...{ TRUST_PROXY: 'loopback', PUBLIC_RATE_LIMIT_PER_SECOND: '100000', LOG_LEVEL: 'silent' },
});
const business = service.business.businessId;
const routes = consoleRoutes(service);
/** These routes end the session or the membership, so the test calls them last. */
const LAST = /sign-out|\/leave$/;

const BAD_VALUES: readonly unknown[] = [
  ...['a\u0000b', '\ud800', 'x'.repeat(3_000), '__proto__', '9999999999999.99', null, true, -1, 1e308, [[]]],
  ...[{ kind: 'passkey', answer: { id: '\u0000' } }, { kind: 'totp', code: '\u0000' }, { id: '\u0000' }],
  { kind: 'passkey', answer: { id: 'x', response: { clientDataJSON: 1 } } },
];
const BAD_BODIES: readonly string[] = [
  ...['', '[]', 'null', '"x"', '{', '1', '{"__proto__":{"role":"admin"}}', '{"constructor":{}}'],
  `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
];
const BAD_IDS = ['a%00b', '%ED%A0%80', '__proto__', '..%2f'];
const BAD_FILTERS: readonly ((filter: string) => string)[] = [
  ...[() => 'x%00', () => '99999999999999999999', (filter: string) => `a&${filter}=b`],
];

const PARTS = 12;
/** Returns the part of the bad values that this field or filter gets. All fields and routes together use all values. */
const inTurn = <Value>(values: readonly Value[], turn: number): readonly Value[] =>
  process.env.BAD_INPUT === 'all' ? values : values.filter((_, no) => (no + turn) % PARTS === 0);

async function browserOf() {
  const person = await addConsolePerson(service, { operator: 'admin' }, { business, role: 'owner' });
  return signedIn(service, person);
}

async function all(
  which: (route: RegisteredRoute) => readonly { readonly path: string; readonly body?: unknown }[],
): Promise<string[]> {
  const found: string[] = [];
  let browser = await browserOf();
  for (const route of routes) {
    for (const { path, body } of which(route)) {
      if (LAST.test(path)) browser = await browserOf();
      let answer = await browser.send(route.method, path, { body });
      // The test continues in a new browser, because there are rate limits per person and per client. Some of these requests
      // also end the session.
      if (answer.status === 429) {
        browser = await browserOf();
        answer = await browser.send(route.method, path, { body });
      }
      if (answer.status === 401) browser = await browserOf();
      if (answer.status >= 500)
        found.push(
          `${answer.status} ${route.method} ${path.slice(0, 120)} ${JSON.stringify(body)?.slice(0, 200)}`,
        );
    }
  }
  return found;
}

const MORE: Readonly<Record<string, readonly object[]>> = {
  'POST /console/v1/operator/proposals/reviews': [
    { action: 'resume', mode: 'test', asset: 'NGN' },
    { action: 'match', subject_id: 'crd_x', transaction_id: 'txn_x' },
    { action: 'split', subject_id: 'crd_x', parts: ['1', '2'] },
    { action: 'refund', subject_id: 'txn_x', refund_to_address: '0x0', public_reason: 'declined' },
    {
      ...{ action: 'refund', subject_id: 'txn_x', refund_to_bank: '058' },
      ...{ refund_to_account: '0123456785', refund_to_name: 'Ada' },
    },
  ],
  'POST /console/v1/operator/settings/fees': [
    { mode: 'test', product: 'buy', flat: '1', fee_bps: 1, cap: '9' },
  ],
  'POST /console/v1/operator/settings/limits': [
    { mode: 'test', per_transaction: '100', per_day: '200', per_month: '300' },
  ],
  'PUT /console/v1/businesses/:business_id/default-wallet': [
    { mode: 'test', network: 'Base', wallet_address: '0x0' },
  ],
};

test('a body with an invalid value in one field never causes a 5xx', async () => {
  const found = await all((route) => {
    const { path, body } = sampleOf(route, { business_id: business });
    if (route.method === 'GET' || body === undefined) return [];
    return [body, ...(MORE[`${route.method} ${route.url}`] ?? [])].flatMap((whole) =>
      Object.keys(whole).flatMap((field, no) =>
        inTurn(BAD_VALUES, routes.indexOf(route) + no).map((value) => ({
          ...{ path, body: { ...whole, [field]: value } },
        })),
      ),
    );
  });
  assert.deepEqual(found, []);
});

test('a body that is not an object is refused and never causes a 5xx', async () => {
  const found = await all((route) => {
    const { path } = sampleOf(route, { business_id: business });
    return route.method === 'GET' || route.method === 'DELETE'
      ? []
      : inTurn(BAD_BODIES, routes.indexOf(route)).map((body) => ({ path, body }));
  });
  assert.deepEqual(found, []);
});

test('an impossible id in a path or a filter is refused and never causes a 5xx', async () => {
  const found = await all((route) => {
    const names = [...route.url.matchAll(/:(\w+)/g)].map((match) => match[1]!);
    const [plain] = sampleOf(route, { business_id: business }).path.split('?');
    const filters = [
      'mode',
      'state',
      'limit',
      'cursor',
      'before',
      'actor',
      'subject',
      'business_id',
      'reference',
      ...['currency', 'interval', 'from', 'USD'],
    ];
    const queries = filters.flatMap((filter, no) =>
      inTurn(BAD_FILTERS, routes.indexOf(route) + no).map((bad) => `${plain}?${filter}=${bad(filter)}`),
    );
    const paths = names.flatMap((name) =>
      BAD_IDS.map((id) => sampleOf(route, { business_id: business, [name]: id }).path),
    );
    const body =
      route.method === 'GET' || route.method === 'DELETE' ? {} : { body: sampleOf(route, {}).body };
    return [...paths, ...(route.method === 'GET' ? queries : [])].map((path) => ({ path, ...body }));
  });
  assert.deepEqual(found, []);
});
