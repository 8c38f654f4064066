// Tests the search. Any identifier that a person may have finds the record, a member finds nothing of another business, and the
// operator's search is in the audit log.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buy, FAST, newCustomer, pay, sell } from '../../e2e/calls.ts';
import { settled } from '../../e2e/settled.ts';
import { startTestService } from '../../support/service.ts';
import { addConsolePerson, type Browser, signedIn } from './browser.ts';

const service = await startTestService({
  ...FAST,
  TRUST_PROXY: 'loopback',
  PUBLIC_RATE_LIMIT_PER_SECOND: '100000',
});
const other = await service.addBusiness('rival');
const customer = { ...newCustomer(), account_name: 'Adaeze Nwosu', amount: 41_234.5 };
const bought = await buy(service, customer);
await pay(service, bought);
const done = await settled(service, bought.transaction_id, { states: ['completed'] });
const sold = await sell(service);
const theirs = await buy(service, newCustomer(), { business: other });
const admin = await addConsolePerson(service, { operator: 'admin' });
const operator = await signedIn(service, admin);
const owner = await signedIn(
  service,
  await addConsolePerson(service, { business: service.business.businessId, role: 'viewer' }),
);

async function search(browser: Browser, root: string, q: string) {
  const answer = await browser.send('GET', `/console/v1${root}/search?mode=test&q=${encodeURIComponent(q)}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.hits.map(({ kind, id }: { kind: string; id: string }) => `${kind} ${id}`) as string[];
}

const everywhere = (q: string) => search(operator, '/operator', q);
const atHome = (q: string) => search(owner, `/businesses/${service.business.businessId}`, q);
const TRANSACTION = `transaction ${bought.transaction_id}`;

test('a transaction is found by id, reference, account number, hash, wallet, name and amount', async () => {
  const ways = {
    id: bought.transaction_id,
    reference: bought.reference,
    account: customer.account_number,
    hash: done.tx_hash,
    wallet: done.wallet_address,
    name: 'adaeze',
    amount: '₦41,234.50',
  };
  for (const [way, q] of Object.entries(ways)) {
    assert.ok((await everywhere(q)).includes(TRANSACTION), `operator by ${way}: ${q}`);
    assert.ok((await atHome(q)).includes(TRANSACTION), `member by ${way}: ${q}`);
  }
  const { address } = sold.deposit ?? sold.deposits[0];
  assert.ok((await everywhere(address)).includes(`transaction ${sold.transaction_id}`));
});

test('bank credits, movements, businesses, vendors and people are found by their identifying fields', async () => {
  const { rows } = await service.foundation.database.query<{
    credit: string;
    source: string;
    movement: string;
  }>({
    text: `select c.id as credit, c.source_id as source, m.id as movement from bank_credits c
      join movements m on m.transaction_id = c.transaction_id where c.transaction_id = $1`,
    values: [bought.transaction_id],
  });
  const { credit, source, movement } = rows[0]!;
  assert.ok((await everywhere(source)).includes(`credit ${credit}`));
  assert.ok((await everywhere(customer.account_number)).includes(`credit ${credit}`));
  assert.ok((await everywhere(movement.replace('_', '-'))).includes(`movement ${movement}`));
  assert.ok((await everywhere(done.tx_hash)).includes(`movement ${movement}`));
  assert.ok((await everywhere('rival')).includes(`business ${other.businessId}`));
  assert.ok((await everywhere('9900000011')).some((hit) => hit.startsWith('vendor ')));
  assert.ok((await everywhere(admin.email)).includes(`person ${admin.id}`));
  const reviewer = await signedIn(service, await addConsolePerson(service, { operator: 'reviewer' }));
  assert.deepEqual(await search(reviewer, '/operator', admin.email), []);
});

test('a member’s search never finds records of another business', async () => {
  for (const q of [theirs.transaction_id, theirs.reference, theirs.account_number, other.businessId, 'rival'])
    assert.deepEqual(await atHome(q), [], q);
  assert.ok((await everywhere(theirs.account_number)).includes(`transaction ${theirs.transaction_id}`));
});

test('threat 85: an operator’s search is recorded in the audit log; a search for one letter is refused', async () => {
  const { audit } = service.foundation;
  const before = await audit.list({ actor: admin.id, action: 'data.read', limit: 200 });
  await everywhere('adaeze');
  const after = await audit.list({ actor: admin.id, action: 'data.read', limit: 200 });
  assert.equal(after.length - before.length, 1);
  assert.match(JSON.stringify(after[0]), /operator\/search/);
  const refused = await operator.send('GET', '/console/v1/operator/search?q=a');
  assert.deepEqual([refused.status, refused.body.code], [422, 'filter_invalid']);
});
