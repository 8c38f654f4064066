// Tests a business as its members see it, and one of its records as the operator sees it. Members see the terms of the API,
// operators see all of the evidence.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buyBody, startTestService } from '../../support/service.ts';
import { addConsolePerson, signedIn } from './browser.ts';

const service = await startTestService({ TRUST_PROXY: 'loopback' });
const { businessId, linkTag } = service.business;
const AT = `/console/v1/businesses/${businessId}`;
const bought = await service.post('/transactions/v1/onramp', buyBody(service.business));
const { transaction_id: id } = bought.body.transaction;
const owner = await addConsolePerson(service, { business: businessId, role: 'owner' });
const browser = await signedIn(service, owner);

test('the overview has the ids that an integration needs, and the default wallet', async () => {
  const wallet = { network: 'Polygon', wallet_address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' };
  const set = await browser.send('PUT', `${AT}/default-wallet`, { body: { mode: 'test', ...wallet } });
  assert.deepEqual(set.body.default_wallet, wallet, set.text);
  const { body } = await browser.send('GET', AT);
  assert.deepEqual([body.business_id, body.link_tag, body.role], [businessId, linkTag, 'owner']);
  assert.deepEqual(body.default_wallets, { live: null, test: wallet });
  const wrong = await browser.send('PUT', `${AT}/default-wallet`, { body: { ...wallet, mode: 'both' } });
  assert.deepEqual([wrong.status, wrong.body.errors[0].field], [422, 'mode']);
});

test('a member sees transactions and timelines as the API shows them, in the mode of the path', async () => {
  const [listed, one, timeline] = [
    await browser.send('GET', `${AT}/transactions/test?limit=5`),
    await browser.send('GET', `${AT}/transactions/test/${id}`),
    await browser.send('GET', `${AT}/transactions/test/${id}/timeline`),
  ];
  const [read, lines] = [
    await service.get(`/transactions/v1/${id}`),
    await service.get(`/transactions/v1/${id}/timeline`),
  ];
  assert.deepEqual(one.body.transaction, read.body.transaction);
  assert.deepEqual(listed.body.transactions, [read.body.transaction]);
  assert.deepEqual(timeline.body.timeline, lines.body.timeline);
  assert.equal((await browser.send('GET', `${AT}/transactions/live/${id}`)).status, 404);
  assert.equal((await browser.send('GET', `${AT}/transactions/both`)).status, 404);
  assert.equal((await browser.send('GET', `${AT}/transactions/test?limit=0`)).body.code, 'filter_invalid');
});

test('an operator reads a record with its related records, and the audit entry of the read names the business', async () => {
  const auditor = await addConsolePerson(service, { operator: 'auditor' });
  const reader = await signedIn(service, auditor);
  const answer = await reader.send('GET', `/console/v1/operator/records/${id}`);
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual([answer.body.record.id, answer.body.record.amount], [id, 15000]);
  assert.match(answer.body.record.created_at, /^\d{4}-.*Z$/);
  assert.equal(answer.body.timeline.length > 0, true);
  const [entry] = await service.foundation.audit.list({ actor: auditor.id, action: 'data.read', limit: 1 });
  assert.deepEqual([entry!.businessId, entry!.subject], [businessId, id]);
  assert.equal((await reader.send('GET', '/console/v1/operator/records/txn_none')).status, 404);
});

test('only the person with the invited address can use an invitation', async () => {
  const invited = await addConsolePerson(service);
  const body = { email: invited.email, role: 'developer' };
  assert.equal((await browser.send('POST', `${AT}/invitations`, { body })).status, 200);
  const [mail] = await service.foundation.membership.mails.list(1);
  const token = /#token=([\w-]+)/.exec(mail!.body!)![1]!;
  const accept = (who: typeof browser) =>
    who.send('POST', '/console/v1/invitations/accept-signed-in', { body: { token } });
  const stranger = await signedIn(service, await addConsolePerson(service));
  assert.equal((await accept(stranger)).body.code, 'other_address');
  const theirs = await signedIn(service, invited);
  assert.equal((await accept(theirs)).status, 200);
  assert.equal((await theirs.send('GET', AT)).body.role, 'developer');
});
