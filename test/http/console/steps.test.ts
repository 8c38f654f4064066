// Tests the buttons of test mode, and changes of a transaction by a member. The test covers their effect and a double click,
// which acts once. The stream of a session shows the change and ends with the session.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endAllSessions } from '../../../src/app/people/sessions.ts';
import { until } from '../../support/patience.ts';
import { buyBody, startTestService } from '../../support/service.ts';
import { addConsolePerson, type Browser, signedIn } from './browser.ts';

const service = await startTestService({ TRUST_PROXY: 'loopback' });
const { businessId } = service.business;
const AT = `/console/v1/businesses/${businessId}`;
const owner = await addConsolePerson(service, { business: businessId, role: 'owner' });
const browser = await signedIn(service, owner);

let keys = 0;
async function press(path: string, body: object = {}, key = `press-${++keys}`) {
  const headers = { 'idempotency-key': key };
  return browser.send('POST', `${AT}/transactions/${path}`, { body, headers });
}

async function pressed(path: string, body: object = {}) {
  const answer = await press(path, body);
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

const stateOf = async (id: string) =>
  (await browser.send('GET', `${AT}/transactions/test/${id}`)).body.transaction.state;
const reaches = (id: string, state: string) => until(state, async () => (await stateOf(id)) === state);

test('buttons create, pay and complete a test buy, and a double click changes nothing', async () => {
  const [first, second] = [
    await press('test', { kind: 'buy', amount: '25000.00', network: 'Stellar' }, 'twice'),
    await press('test', { kind: 'buy', amount: '25000.00', network: 'Stellar' }, 'twice'),
  ];
  assert.deepEqual([first.status, second.status], [200, 200], first.text + second.text);
  const { transaction_id: id, amount, network } = first.body.transaction;
  assert.deepEqual([second.body.transaction.transaction_id, amount, network], [id, 25_000, 'Stellar']);
  assert.equal(second.headers.get('idempotent-replayed'), 'true');
  const paid = [await press(`test/${id}/pay`, {}, 'pay'), await press(`test/${id}/pay`, {}, 'pay')];
  assert.equal(paid[0]!.body.bank_credit.amount, '25000.00', paid[0]!.text);
  assert.equal(paid[0]!.body.bank_credit.id, paid[1]!.body.bank_credit.id);
  await reaches(id, 'completed');
  const reused = await press('test', { kind: 'buy', amount: '26000.00' }, 'twice');
  assert.deepEqual([reused.status, reused.body.code], [409, 'idempotency_key_reused']);
});

test('a button sends the tokens of a test sell; each button works only for its own kind of transaction', async () => {
  const { transaction } = await pressed('test', { kind: 'sell' });
  const id = transaction.transaction_id;
  assert.equal((await press(`test/${id}/pay`)).body.code, 'state_conflict');
  const { deposit } = await pressed(`test/${id}/deposit`);
  assert.deepEqual([deposit.amount, deposit.network], ['15000.00', 'Polygon']);
  await reaches(id, 'completed');
});

test('a scenario runs to its end automatically, and an unknown scenario or network is refused', async () => {
  const { transaction } = await pressed('test', { kind: 'buy', scenario: 'paid' });
  await reaches(transaction.transaction_id, 'completed');
  assert.equal((await press('test', { kind: 'buy', scenario: 'magic' })).body.code, 'scenario_unknown');
  assert.equal((await press('test', { kind: 'buy', network: 'Nowhere' })).body.code, 'network_unknown');
});

test('a button reverses a payment after it has arrived', async () => {
  const { transaction } = await pressed('test', { kind: 'buy' });
  const id = transaction.transaction_id;
  assert.equal((await press(`test/${id}/reverse`)).body.code, 'credit_not_found');
  await pressed(`test/${id}/pay`);
  await reaches(id, 'completed');
  const { bank_credit } = await pressed(`test/${id}/reverse`);
  assert.match(bank_credit.id, /^crd_/);
  await until('the reversal', async () => {
    const { body } = await browser.send('GET', `${AT}/transactions/test/${id}`);
    return body.transaction.exception === 'credit_reversed';
  });
});

test('a member sets a wallet and cancels, and the timeline shows that person as the actor', async () => {
  const body = { ...buyBody(service.business), network: undefined, wallet_address: undefined };
  const bought = await service.post('/transactions/v1/onramp', body);
  const id = bought.body.transaction.transaction_id;
  assert.equal(await stateOf(id), 'awaiting_wallet');
  const wallet = { network: 'Polygon', wallet_address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' };
  const given = await pressed(`test/${id}/wallet`, wallet);
  assert.deepEqual([given.transaction.state, given.transaction.network], ['awaiting_payment', 'Polygon']);
  assert.equal((await pressed(`test/${id}/cancel`)).transaction.state, 'cancelled');
  assert.equal((await press(`live/${id}/cancel`)).status, 404);
  const { body: read } = await browser.send('GET', `${AT}/transactions/test/${id}/timeline`);
  assert.deepEqual(
    read.timeline.slice(1).map(({ actor }: { actor: string }) => actor),
    ['you', 'you'],
  );
  const lines = await service.foundation.store.timeline(id);
  assert.deepEqual(
    lines.slice(1).map(({ actor }) => actor),
    [owner.id, owner.id],
  );
});

test('without a test key no test transaction is created, and the error names the next step', async () => {
  const fresh = await service.addBusiness('keyless');
  const member = await addConsolePerson(service, { business: fresh.businessId, role: 'developer' });
  const theirs = await signedIn(service, member);
  const at = `/console/v1/businesses/${fresh.businessId}`;
  const { body: listed } = await theirs.send('GET', `${at}/keys`);
  for (const { key_id: key, mode } of listed.keys)
    if (mode === 'test') assert.equal((await theirs.send('DELETE', `${at}/keys/${key}`)).status, 200);
  await until('the key is gone', async () => {
    const refused = await theirs.send('POST', `${at}/transactions/test`, { body: { kind: 'buy' } });
    return refused.status === 409 && /no valid test key/.test(refused.body.message);
  });
});

async function openStream(of: Browser): Promise<ReadableStreamDefaultReader<string>> {
  const cookie = [...of.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const answer = await fetch(`${service.baseUrl}${AT}/stream/test`, { headers: { cookie } });
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get('content-type')!, /^text\/event-stream/);
  return answer.body!.pipeThrough(new TextDecoderStream()).getReader();
}

async function readUntil(reader: ReadableStreamDefaultReader<string>, wanted: RegExp): Promise<string> {
  for (let seen = ''; ; ) {
    const { value, done } = await reader.read();
    seen += value ?? '';
    if (wanted.test(seen)) return seen;
    assert.ok(!done, `ended before ${wanted}: ${seen}`);
  }
}

test('the stream of a session has the events of its business and mode, and ends with the session', async () => {
  const person = await addConsolePerson(service, { business: businessId, role: 'viewer' });
  const viewer = await signedIn(service, person);
  const stream = await openStream(viewer);
  await readUntil(stream, /connected/);
  const other = await service.addBusiness('elsewhere');
  const foreign = await service.post('/transactions/v1/onramp', buyBody(other), { key: other.testKey });
  const { transaction } = await pressed('test', { kind: 'buy' });
  const seen = await readUntil(stream, /transaction\.accepted/);
  assert.ok(seen.includes(transaction.transaction_id));
  assert.ok(!seen.includes(foreign.body.transaction.transaction_id));
  await endAllSessions(service.foundation.people, person.id, null);
  assert.match(await readUntil(stream, /stream\.ended[\s\S]*\n\n/), /session_ended/);
});

test('a stream ends when the person is no longer a member', async () => {
  const person = await addConsolePerson(service, { business: businessId, role: 'viewer' });
  const stream = await openStream(await signedIn(service, person));
  await readUntil(stream, /connected/);
  const removed = await browser.send('DELETE', `${AT}/members/${person.id}`);
  assert.equal(removed.status, 200, removed.text);
  assert.match(await readUntil(stream, /stream\.ended[\s\S]*\n\n/), /session_ended/);
});
