// Tests the four-eyes rule in the console. One person proposes, and another approves with a second factor given for that
// proposal (threat 83). The audit log contains every read of a business's data by an operator (threat 85).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/service.ts';
import {
  addConsolePerson,
  type Browser,
  consoleRoutes,
  giveCredentials,
  signedIn,
  watchRoutes,
} from './browser.ts';
import { sampleOf } from './samples.ts';

watchRoutes();
const service = await startTestService({ TRUST_PROXY: 'loopback', PUBLIC_RATE_LIMIT_PER_SECOND: '100000' });
const business = service.business.businessId;
const OPERATOR = '/console/v1/operator';

async function operator(role: 'admin' | 'reviewer' | 'approver') {
  const person = await addConsolePerson(service, { operator: role });
  const credentials = await giveCredentials(service, person);
  return { person, credentials, browser: await signedIn(service, person) };
}

function stepUp(browser: Browser, subject: string, code: string) {
  const body = { subject_id: subject, factor: { kind: 'totp', code } };
  return browser.send('POST', '/console/v1/step-ups', { body });
}

test('threat 83: a live vendor waits for a second person, who confirms that proposal with a second factor', async () => {
  const maker = await operator('reviewer');
  const checker = await operator('approver');
  const body = { mode: 'live', name: 'Live Vendor', number: '0123456785', bank: 'GTBank' };
  const asked = await maker.browser.send('POST', `${OPERATOR}/settings/vendors`, { body });
  assert.equal(asked.status, 200, asked.text);
  assert.equal(asked.body.done, false);
  const { id } = asked.body.proposal;
  const listed = await checker.browser.send('GET', `${OPERATOR}/proposals`);
  assert.deepEqual([listed.body.proposals[0].id, listed.body.proposals[0].obstacle], [id, null]);

  const approve = `${OPERATOR}/proposals/${id}/approve`;
  const reason = { body: { reason: 'as agreed' } };
  assert.equal((await maker.browser.send('POST', approve, reason)).body.code, 'not_allowed');
  assert.equal((await checker.browser.send('POST', approve, reason)).body.code, 'step_up_needed');
  const elsewhere = await stepUp(checker.browser, 'prp_another', checker.credentials.code());
  assert.equal(elsewhere.status, 200, elsewhere.text);
  assert.equal((await checker.browser.send('POST', approve, reason)).body.code, 'step_up_needed');
  assert.equal((await stepUp(checker.browser, id, '000000')).body.code, 'wrong_factor');
  assert.equal((await stepUp(checker.browser, id, checker.credentials.code(1))).status, 200);
  const done = await checker.browser.send('POST', approve, reason);
  assert.equal(done.status, 200, done.text);
  const again = await checker.browser.send('POST', approve, reason);
  assert.deepEqual([again.status, again.body.code], [409, 'already_decided']);
});

test('threat 83: an admin who proposes cannot approve, even with a step-up', async () => {
  const { browser, credentials } = await operator('admin');
  await browser.send('POST', `${OPERATOR}/movements/pause`, { body: { reason: 'a drill' } });
  const paused = await browser.send('GET', `${OPERATOR}/movements`);
  assert.deepEqual([paused.body.paused, paused.body.last.reason], [true, 'a drill']);
  const asked = await browser.send('POST', `${OPERATOR}/settings/movements/resume`, {
    body: { reason: 'over' },
  });
  const { id } = asked.body.proposal;
  await stepUp(browser, id, credentials.code());
  const own = await browser.send('POST', `${OPERATOR}/proposals/${id}/approve`, { body: { reason: 'me' } });
  assert.deepEqual([own.status, own.body.code], [403, 'same_person']);
  const withdrawn = await browser.send('POST', `${OPERATOR}/proposals/${id}/withdraw`, {
    body: { reason: 'no' },
  });
  assert.equal(withdrawn.status, 200, withdrawn.text);
});

test('threat 85: an operator’s read of business data is recorded before the data is shown', async () => {
  const { browser, person } = await operator('admin');
  const { audit } = service.foundation;
  const reads = consoleRoutes(service).filter(
    ({ method, access }) => method === 'GET' && typeof access === 'object' && 'reads' in access,
  );
  for (const route of reads) {
    const { access } = route as { access: { reads: string } };
    const before = await audit.list({ actor: person.id, action: 'data.read', limit: 200 });
    const answer = await browser.send('GET', sampleOf(route, { business_id: business }).path);
    assert.ok([200, 404].includes(answer.status), answer.text);
    const after = await audit.list({ actor: person.id, action: 'data.read', limit: 200 });
    const wanted = access.reads === 'nothing' ? 0 : 1;
    assert.equal(after.length - before.length, wanted, route.url);
    if (access.reads === 'business') assert.equal(after[0]!.businessId, business, route.url);
  }
  const shows = consoleRoutes(service).filter(
    ({ url, method }) => method === 'GET' && url.includes('/operator/') && url.includes(':business_id'),
  );
  for (const { access } of shows) assert.equal((access as { reads?: string }).reads, 'business');
});

test('when the session token is replaced, the browser gets the new one, and its CSRF token stays valid', async () => {
  const { browser, person } = await operator('admin');
  const first = browser.cookies.get('__Host-sliproad');
  await service.foundation.database.query({
    text: `update sessions set rotated_at = rotated_at - interval '20 minutes' where person_id = $1`,
    values: [person.id],
  });
  assert.equal((await browser.send('GET', '/console/v1/session')).status, 200);
  assert.notEqual(browser.cookies.get('__Host-sliproad'), first);
  assert.equal((await browser.send('POST', '/console/v1/sign-out')).status, 200);
});
