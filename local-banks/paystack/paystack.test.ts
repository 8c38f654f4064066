import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import { makeBankTestStage } from '../test-stage.ts';

type Data = Record<string, unknown>;

describe('a local Paystack', () => {
  async function makePaystackStage() {
    const stage = await makeBankTestStage();
    const { url, credentials } = stage.banks.paystack;
    const headers = { authorization: `Bearer ${credentials.secretKey}` };
    const get = (path: string) => stage.call(`${url}${path}`, { headers });
    const post = (path: string, body: object) =>
      stage.call(`${url}${path}`, { method: 'POST', body, headers });
    const recipient = async (account_number = '0123456785') => {
      const { json } = await post('/transferrecipient', {
        ...{ type: 'nuban', name: 'Ada Okafor', account_number, bank_code: '058', currency: 'NGN' },
      });
      return (json.data as { recipient_code: string }).recipient_code;
    };
    const pay = async (reference: string, more: object = {}) =>
      post('/transfer', {
        source: 'balance',
        amount: 200_045,
        recipient: await recipient(),
        reference,
        ...more,
      });
    const verify = async (reference: string) => {
      const { json, status } = await get(`/transfer/verify/${reference}`);
      return { status, data: json.data as Data | undefined };
    };
    return { ...stage, headers, get, post, recipient, pay, verify };
  }

  it('resolves accounts, and returns the same recipient for the same account', async () => {
    const { banks, get, recipient, end } = await makePaystackStage();
    banks.setAccount({ number: '0123456785', name: 'ADA OKAFOR' });
    const found = await get('/bank/resolve?account_number=0123456785&bank_code=058');
    assert.equal(found.json.message, 'Account number resolved');
    assert.equal((found.json.data as Data).account_name, 'ADA OKAFOR');
    assert.equal((await get('/bank/resolve?account_number=0000000000&bank_code=058')).status, 422);
    assert.equal(await recipient(), await recipient());
    const { data } = (await get('/bank?include_nip_sort_code=true')).json as { data: Data[] };
    assert.equal(data.find(({ code }) => code === '058')?.nip_sort_code, '000013');
    await end();
  });

  it('queues a transfer, pays it shortly after, and refuses its reference the second time it is used', async () => {
    const { banks, clock, get, pay, verify, end } = await makePaystackStage();
    const { json } = await pay('sell-000000000001');
    assert.equal((json.data as Data).status, 'pending');
    assert.equal((await verify('sell-000000000001')).data?.status, 'pending');
    const again = await pay('sell-000000000001');
    assert.equal(again.status, 400);
    assert.equal(again.json.code, 'duplicate_transfer_reference');
    assert.equal((await verify('sell-000000000002')).status, 404);
    clock.pass(1);
    const { data } = await verify('sell-000000000001');
    assert.equal(data?.status, 'success');
    assert.equal(data?.amount, 200_045);
    assert.equal(banks.books().paystack.payouts.length, 1);
    assert.deepEqual((await get('/balance')).json.data, [{ currency: 'NGN', balance: 49_999_799_955 }]);
    assert.equal((await pay('TOO-SHORT')).json.type, 'validation_error');
    await end();
  });

  it('lists transfers by page and date, newest first', async () => {
    const { clock, get, pay, end } = await makePaystackStage();
    for (const index of [1, 2, 3]) {
      await pay(`sell-00000000000${index}`);
      clock.pass(60);
    }
    const { json } = await get(
      '/transfer?perPage=2&page=1&from=2026-11-16T10:00:30Z&to=2026-11-16T11:00:00Z',
    );
    assert.deepEqual(
      (json.data as Data[]).map(({ reference }) => reference),
      ['sell-000000000003', 'sell-000000000002'],
    );
    assert.deepEqual(json.meta, { total: 2, skipped: 0, perPage: 2, page: 1, pageCount: 1 });
    await end();
  });

  it('reports an insufficient balance at once, and returns another status if a fault sets one', async () => {
    const { banks, pay, verify, end } = await makePaystackStage();
    banks.setFault({ kind: 'insufficient' });
    const refused = await pay('sell-000000000001');
    assert.equal(refused.status, 400);
    assert.equal(refused.json.message, 'Your balance is not enough to fulfil this request');
    assert.equal((await verify('sell-000000000001')).status, 404);
    for (const [index, word] of ['otp', 'received', 'abandoned', 'blocked', 'rejected'].entries()) {
      banks.setFault({ kind: 'word', value: word });
      await pay(`sell-00000000010${index}`);
      assert.equal((await verify(`sell-00000000010${index}`)).data?.status, word);
    }
    await end();
  });

  it('reports success and then a reversal in signed events, and does not send an event that a fault drops', async () => {
    const { banks, clock, receiver, pay, end } = await makePaystackStage();
    banks.setWebhooks({ rail: 'paystack', url: receiver.url });
    banks.setFault({ kind: 'success-then-reversed', seconds: 30 });
    await pay('sell-000000000001');
    clock.pass(1);
    await banks.settle();
    clock.pass(30);
    banks.setFault({ kind: 'webhook-twice' });
    await banks.settle();
    assert.deepEqual(
      receiver.received.map(({ json }) => json.event),
      ['transfer.success', 'transfer.reversed', 'transfer.reversed'],
    );
    const [{ json, headers }] = receiver.received as [(typeof receiver.received)[0]];
    const { secretKey } = banks.paystack.credentials;
    const signature = createHmac('sha512', secretKey).update(JSON.stringify(json)).digest('hex');
    assert.equal(headers['x-paystack-signature'], signature);
    banks.setFault({ kind: 'webhook-lost' });
    await pay('sell-000000000002');
    clock.pass(1);
    await banks.settle();
    assert.equal(receiver.received.length, 3);
    assert.equal(banks.books().paystack.balance, '499997999.55');
    await end();
  });

  it('shows a credit with a masked payer, and reports it again after a requery', async () => {
    const { banks, get, receiver, end } = await makePaystackStage();
    banks.setWebhooks({ rail: 'paystack', url: receiver.url });
    banks.setFault({ kind: 'webhook-lost' });
    const { number } = banks.paystack.account;
    const { reference } = await banks.payIn({
      ...{ rail: 'paystack', accountNumber: number, amount: '15000.50', narration: 'buy' },
      payer: { accountNumber: '0123450011', name: 'ADA OKAFOR', bankCode: '058' },
    });
    assert.equal(receiver.received.length, 0);
    const { json } = await get('/transaction?status=success');
    const [listed] = json.data as [Data];
    assert.equal(listed.amount, 1_500_050);
    const verified = await get(`/transaction/verify/${reference}`);
    assert.deepEqual(verified.json.data, listed);
    const { sender_bank_account_number: sender } = listed.authorization as Data;
    assert.equal(sender, 'XXXXXX0011');
    await get(`/dedicated_account/requery?account_number=${number}&provider_slug=wema-bank&date=2026-11-16`);
    await banks.settle();
    assert.equal(receiver.received[0]?.json.event, 'charge.success');
    const accounts = (await get('/dedicated_account')).json.data as Data[];
    assert.equal(accounts[0]?.account_number, number);
    await end();
  });

  it('refuses a wrong key, and returns 429 with retry-after', async () => {
    const { banks, call, get, headers, end } = await makePaystackStage();
    assert.equal((await call(`${banks.paystack.url}/balance`)).status, 401);
    banks.setFault({ kind: 'too-many', operation: 'balance', times: 2 });
    assert.equal((await get('/balance')).status, 429);
    const response = await fetch(`${banks.paystack.url}/balance`, { headers });
    assert.equal(response.headers.get('retry-after'), '1');
    assert.equal((await get('/balance')).status, 200);
    await end();
  });
});
