// Tests the ledger as the operator browses it, after real buys and sells. The test compares every figure with separate SQL in
// this file. Links lead from a balance to the postings, to the entry, to the transaction and back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settled } from '../../e2e/settled.ts';
import { buyBody, sellBody, startTestService } from '../../support/service.ts';
import { addConsolePerson, signedIn } from './browser.ts';

const service = await startTestService({ TRUST_PROXY: 'loopback' });
const { database } = service.foundation;
const AT = '/console/v1/operator/ledger';
const auditor = await addConsolePerson(service, { operator: 'auditor' });
const reader = await signedIn(service, auditor);

const PLACES: Readonly<Record<string, number>> = {
  ...{ NGN: 2, 'NGNC@Stellar': 7, 'NGNC@Polygon': 6, 'NGNC@Solana': 2, 'NGNC@Avalanche': 6 },
};

async function play(path: string, body: object): Promise<string> {
  const answer = await service.post(path, body, { headers: { 'svc-scenario': 'paid' } });
  assert.equal(answer.status, 200, answer.text);
  const { transaction_id: id } = answer.body.transaction;
  await settled(service, id, { states: ['completed'] });
  return id;
}

const buy = await play('/transactions/v1/onramp', buyBody(service.business));
const sell = await play('/transactions/v1/offramp', sellBody(service.business));

interface Account {
  readonly account_id: string;
  readonly key: string;
  readonly side: 'debit' | 'credit';
  readonly balance: string;
}

function minor(text: string, places: number): bigint {
  const [whole, fraction = ''] = text.split('.');
  assert.equal(fraction.length, places, `${text} has not ${places} decimals`);
  return BigInt(whole! + fraction);
}

async function balances() {
  const { status, text, body } = await reader.send('GET', `${AT}/test`);
  assert.equal(status, 200, text);
  return body.assets as {
    readonly asset: string;
    readonly decimals: number;
    readonly debits: string;
    readonly credits: string;
    readonly sum: string;
    readonly accounts: readonly Account[];
  }[];
}

test('every balance is the sum of its postings, and the balances of an asset add up to zero', async () => {
  const assets = await balances();
  const { rows } = await database.query<{ key: string; asset: string; posted: string }>({
    text: `select a.key, a.asset, coalesce(sum(p.amount_minor), 0)::text as posted
      from accounts a left join postings p on p.account_id = a.id where a.mode = 'test' group by a.id`,
  });
  const shown = new Map<string, bigint>();
  for (const { asset, decimals, debits, credits, sum, accounts } of assets) {
    assert.equal(decimals, PLACES[asset], asset);
    assert.equal(minor(sum, decimals), 0n);
    assert.equal(debits, credits);
    for (const { key, side, balance } of accounts)
      shown.set(key, minor(balance, decimals) * (side === 'debit' ? 1n : -1n));
  }
  assert.deepEqual(shown, new Map(rows.map(({ key, posted }) => [key, BigInt(posted)])));
  assert.ok(shown.size > 8);
  assert.equal(assets[0]!.asset, 'NGN');
  const inBank = assets[0]!.accounts.find(({ key }) => key.includes('/bank_in/'))!;
  assert.equal(inBank.balance, '15000.00');
});

test('the pages of postings contain every posting of the account once, newest first', async () => {
  const naira = (await balances())[0]!;
  for (const { account_id: id, balance, side } of naira.accounts) {
    const seen: { entry_id: string; side: string; amount: string }[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { body } = await reader.send('GET', `${AT}/test/accounts/${id}?limit=2${query}`);
      assert.equal(body.account.account_id, id);
      seen.push(...body.postings);
      cursor = body.next_cursor;
    }
    const { rows } = await database.query<{ entry_id: string; amount: string }>({
      text: `select entry_id::text, amount_minor::text as amount from postings where account_id = $1
        order by postings.entry_id desc`,
      values: [id],
    });
    const signed = seen.map((each) => minor(each.amount, 2) * (each.side === 'debit' ? 1n : -1n));
    assert.deepEqual(
      seen.map(({ entry_id }, index) => [entry_id, String(signed[index])]),
      rows.map(({ entry_id, amount }) => [entry_id, amount]),
    );
    const total = signed.reduce((sum, each) => sum + each, 0n);
    assert.equal(minor(balance, 2), side === 'debit' ? total : -total);
  }
});

test('links lead from a balance to a posting, to its entry, to the transaction, and back', async () => {
  const naira = (await balances())[0]!;
  const delivered = naira.accounts.find(({ key }) => key === 'test/NGN/delivered')!;
  const account = await reader.send('GET', `${AT}/test/accounts/${delivered.account_id}`);
  const [posting] = account.body.postings;
  assert.deepEqual([posting.event, posting.transaction_id], ['tokens_confirmed', buy]);
  const { body } = await reader.send('GET', `${AT}/entries/${posting.entry_id}`);
  const sides = body.entry.postings.map((each: { side: string; amount: string; account: Account }) => [
    ...[each.account.key, each.side, each.amount],
  ]);
  assert.deepEqual(sides.toSorted(), [
    ['test/NGN/delivered', 'credit', '15000.00'],
    ['test/NGN/in_flight', 'debit', '15000.00'],
    ['test/NGNC@Polygon/out', 'debit', '15000.000000'],
    ['test/NGNC@Polygon/sent', 'credit', '15000.000000'],
  ]);
  const about = await reader.send('GET', `${AT}/records/${buy}`);
  assert.ok(about.body.entries.some(({ entry_id }: { entry_id: string }) => entry_id === posting.entry_id));
  const explained = await service.foundation.ledgerAudit.explain(buy);
  assert.deepEqual(
    about.body.entries.map((each: { entry_id: string; event: string }) => [each.entry_id, each.event]),
    explained.map(({ id, event }) => [String(id), event]),
  );
  assert.ok(
    about.body.entries.every((each: { transaction_id: string }) => each.transaction_id === buy),
    'credits and movements name the transaction they belong to',
  );
  const sold = await reader.send('GET', `${AT}/records/${sell}`);
  assert.ok(sold.body.entries.length > 3);
});

test('threat 85: reading an entry is recorded in the audit log with the business that the entry belongs to', async () => {
  const { body } = await reader.send('GET', `${AT}/records/${buy}`);
  await reader.send('GET', `${AT}/entries/${body.entries[0].entry_id}`);
  const [entry] = await service.foundation.audit.list({ actor: auditor.id, action: 'data.read', limit: 1 });
  assert.deepEqual(
    [entry!.businessId, entry!.subject],
    [service.business.businessId, body.entries[0].entry_id],
  );
});

test('an unknown record gets 404, and an invalid page is refused', async () => {
  for (const path of [
    '/both',
    '/test/accounts/0',
    '/test/accounts/99999999999',
    '/entries/1e3',
    '/entries/-1',
  ])
    assert.equal((await reader.send('GET', AT + path)).status, 404, path);
  const [{ account_id: id }] = (await balances())[0]!.accounts as [Account];
  assert.equal((await reader.send('GET', `${AT}/live/accounts/${id}`)).status, 404);
  const wrong = async (query: string) =>
    (await reader.send('GET', `${AT}/test/accounts/${id}?${query}`)).body.code;
  assert.deepEqual(
    [await wrong('limit=0'), await wrong('limit=201'), await wrong('cursor=x'), await wrong('page=2')],
    ['filter_invalid', 'filter_invalid', 'cursor_invalid', 'filter_invalid'],
  );
});
