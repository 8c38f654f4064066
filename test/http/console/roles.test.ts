// Tests every console route with every role against the declaration of the route and the table of roles. The test reads the
// routes from the running application, so it tests a new route without a change here.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  BUSINESS_ROLES,
  type BusinessRole,
  businessRoleMay,
  OPERATOR_ROLES,
  type OperatorRole,
  operatorRoleMay,
} from '../../../src/domain/people/roles.ts';
import { buyBody, startTestService } from '../../support/service.ts';
import { eventually } from '../helpers.ts';
import {
  addConsolePerson,
  consoleRoutes,
  openBrowser,
  SESSION_COOKIE,
  signedIn,
  watchRoutes,
} from './browser.ts';
import { sampleOf } from './samples.ts';

watchRoutes();
const service = await startTestService({ TRUST_PROXY: 'loopback', PUBLIC_RATE_LIMIT_PER_SECOND: '100000' });
const business = service.business.businessId;
const other = (await service.addBusiness('other')).businessId;

type Who =
  | { readonly kind: 'member'; readonly role: BusinessRole; readonly business: string }
  | { readonly kind: 'operator'; readonly role: OperatorRole }
  | { readonly kind: 'without_role' };

const EVERYONE: readonly Who[] = [
  { kind: 'without_role' },
  ...BUSINESS_ROLES.map((role) => ({ kind: 'member', role, business }) as const),
  { kind: 'member', role: 'owner', business: other },
  ...OPERATOR_ROLES.map((role) => ({ kind: 'operator', role }) as const),
];

function personWith(who: Who) {
  if (who.kind === 'without_role') return addConsolePerson(service);
  if (who.kind === 'operator') return addConsolePerson(service, { operator: who.role });
  return addConsolePerson(service, { business: who.business, role: who.role });
}

/** Returns the refusal that the declaration requires; null if the person may use the route. */
function expected(access: ReturnType<typeof consoleRoutes>[number]['access'], who: Who): string | null {
  if (access === 'public' || access === 'session') return null;
  if ('operator' in access)
    return who.kind === 'operator' && operatorRoleMay(who.role, access.operator) ? null : 'not_allowed';
  if (who.kind !== 'member' || who.business !== business) return 'no_such_business';
  return businessRoleMay(who.role, access.business) ? null : 'not_allowed';
}

function refusalOf({
  code,
  message,
}: {
  readonly code?: string;
  readonly message?: string;
} = {}): string | null {
  if (code === 'not_found' && message?.startsWith('There is no such business')) return 'no_such_business';
  const guards = ['not_signed_in', 'not_allowed', 'csrf_token_wrong', 'foreign_origin', 'rate_limited'];
  return guards.includes(code ?? '') ? code! : null;
}

test('every route admits exactly the roles that it declares', async () => {
  const routes = consoleRoutes(service);
  assert.ok(routes.length > 60);
  for (const who of EVERYONE) {
    const person = await personWith(who);
    let browser = await signedIn(service, person);
    for (const route of routes) {
      const { method, path, body } = sampleOf(route, { business_id: business });
      if (!browser.cookies.has(SESSION_COOKIE)) browser = await signedIn(service, person);
      const answer = await browser.send(method, path, { body });
      const said = `${method} ${path} as ${JSON.stringify(who)}: ${answer.status} ${answer.text}`;
      assert.ok(answer.status < 500, said);
      assert.equal(refusalOf(answer.body ?? {}), expected(route.access, who), said);
      if (who.kind === 'member' && route.url.endsWith('/leave')) await rejoin(person, who);
    }
  }
});

async function rejoin({ id }: { readonly id: string }, who: Extract<Who, { kind: 'member' }>): Promise<void> {
  const doing = { actor: 'service:test', atMs: Date.now() };
  await service.foundation.people.people.setMember(who.business, id, who.role, doing);
}

test('without a session only public routes respond, and a route of a business does not reveal whether the business exists', async () => {
  for (const route of consoleRoutes(service)) {
    const { method, path, body } = sampleOf(route, { business_id: business });
    const answer = await openBrowser(service).send(method, path, { body });
    const wanted = route.access === 'public' ? null : 'not_signed_in';
    assert.equal(refusalOf(answer.body), wanted, `${method} ${path}: ${answer.text}`);
  }
  const stranger = await signedIn(service, await addConsolePerson(service));
  const [there, nowhere] = [
    await stranger.send('GET', `/console/v1/businesses/${business}`),
    await stranger.send('GET', '/console/v1/businesses/biz_nowhere'),
  ];
  assert.equal(there.status, 404);
  assert.deepEqual({ ...there.body, request_id: '' }, { ...nowhere.body, request_id: '' });
});

test('for every pair of businesses, an id of the other business gets 404, the same as an unknown id', async () => {
  const owner = await addConsolePerson(service, { business, role: 'owner' });
  const ownerOfOther = await signedIn(
    service,
    await addConsolePerson(service, { business: other, role: 'owner' }),
  );
  const ids = await idsOfOther(ownerOfOther);
  const mine = await signedIn(service, owner);
  await theirs(ownerOfOther, ids);
  for (const route of consoleRoutes(service)) {
    const named = Object.keys(ids).filter((param) => route.url.includes(`:${param}`));
    if (typeof route.access === 'string' || !('business' in route.access) || named.length === 0) continue;
    const foreign = sampleOf(route, { business_id: business, ...ids });
    const nothing = sampleOf(route, { business_id: business });
    const [is, wanted] = [
      await mine.send(foreign.method, foreign.path, { body: foreign.body }),
      await mine.send(nothing.method, nothing.path, { body: nothing.body }),
    ];
    assert.equal(is.status, 404, `${foreign.method} ${foreign.path}: ${is.text}`);
    assert.deepEqual({ ...is.body, request_id: '' }, { ...wanted.body, request_id: '' });
  }
  const still = await ownerOfOther.send('GET', `/console/v1/businesses/${other}/keys`);
  assert.equal(still.body.keys.find((key: { key_id: string }) => key.key_id === ids.key_id).revoked_at, null);
});

async function theirs(
  browser: Awaited<ReturnType<typeof signedIn>>,
  ids: Awaited<ReturnType<typeof idsOfOther>>,
) {
  const at = `/console/v1/businesses/${other}`;
  const paths = [`webhooks/test/endpoints/${ids.endpoint_id}`, `webhooks/test/deliveries/${ids.delivery_id}`];
  for (const path of [...paths, `requests/test/${ids.request_id}`, `transactions/test/${ids.transaction_id}`])
    await eventually(async () => (await browser.send('GET', `${at}/${path}`)).status === 200, path);
}

async function idsOfOther(theirs: Awaited<ReturnType<typeof signedIn>>) {
  const at = `/console/v1/businesses/${other}`;
  const key = await theirs.send('POST', `${at}/keys`, { body: { mode: 'test' } });
  const given = { email: 'new@console.test', role: 'viewer' };
  const invited = await theirs.send('POST', `${at}/invitations`, { body: given });
  const members = await theirs.send('GET', `${at}/members`);
  const buy = await theirs.send('POST', `${at}/keys`, { body: { mode: 'test' } });
  assert.deepEqual([key.status, invited.status, members.status, buy.status], [200, 200, 200, 200]);
  const bought = await buyOfOther(buy.body.secret_key);
  const url = 'https://hooks.example.com/other';
  const added = await theirs.send('POST', `${at}/webhooks/test/endpoints`, { body: { url } });
  assert.equal(added.status, 200, added.text);
  const { id: endpoint } = added.body.endpoint;
  const tested = await theirs.send('POST', `${at}/webhooks/test/endpoints/${endpoint}/test`);
  assert.equal(tested.status, 200, tested.text);
  return {
    endpoint_id: endpoint as string,
    delivery_id: tested.body.delivery.id as string,
    request_id: bought.headers.get('request-id')!,
    key_id: key.body.key_id as string,
    invitation_id: invited.body.invitation.invitation_id as string,
    person_id: members.body.members[0].person_id as string,
    transaction_id: bought.body.transaction.transaction_id as string,
  };
}

async function buyOfOther(key: string) {
  const body = buyBody({ ...service.business, businessId: other, linkTag: 'other' });
  const answer = await service.post('/transactions/v1/onramp', body, { key });
  assert.equal(answer.status, 200, answer.text);
  return answer;
}

test('only owners manage live keys, no matter who manages test keys', async () => {
  const at = `/console/v1/businesses/${business}/keys`;
  const owner = await signedIn(service, await addConsolePerson(service, { business, role: 'owner' }));
  const developer = await signedIn(service, await addConsolePerson(service, { business, role: 'developer' }));
  const live = await owner.send('POST', at, { body: { mode: 'live' } });
  assert.match(live.body.secret_key, /^sk_live_/);
  const liveKey = `${at}/${live.body.key_id}`;
  for (const refused of [
    await developer.send('POST', at, { body: { mode: 'live' } }),
    await developer.send('POST', `${liveKey}/roll`, { body: { overlap_hours: 0 } }),
    await developer.send('DELETE', liveKey),
  ])
    assert.deepEqual([refused.status, refused.body.code], [403, 'not_allowed']);
  assert.equal((await owner.send('DELETE', liveKey)).status, 200);
});
