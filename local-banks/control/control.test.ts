import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeBankTestStage } from '../test-stage.ts';

describe('the control port of the local banks', () => {
  async function makeControlStage() {
    const stage = await makeBankTestStage();
    const ask = (method: string, path: string, body?: object) =>
      stage.call(`${stage.banks.control}${path}`, { method, ...(body === undefined ? {} : { body }) });
    return { ...stage, ask };
  }
  const PAYER = { accountNumber: '0123456785', name: 'ADA OKAFOR', bankCode: '058' };

  it('accepts a payment, shows it in the books, and reverses it', async () => {
    const { banks, ask, end } = await makeControlStage();
    const { number } = banks.providus.account;
    const paid = await ask('POST', '/pay-in', {
      ...{ rail: 'providus', accountNumber: number, amount: '15000.00', narration: 'buy', payer: PAYER },
    });
    assert.equal(paid.status, 200);
    const { providus } = (await ask('GET', '/books')).json as unknown as ReturnType<typeof banks.books>;
    assert.equal(providus.balance, '500015000.00');
    assert.equal(providus.credits[0]?.sessionId, paid.json.sessionId);
    await ask('POST', '/take-back', { rail: 'providus', sessionId: paid.json.sessionId });
    assert.equal(banks.books().providus.credits[0]?.takenBack, true);
    assert.equal(
      (await ask('POST', '/top-up', { rail: 'providus', amount: '1' })).json.balance,
      '500000001.00',
    );
    await end();
  });

  it('reports what is wrong with a request', async () => {
    const { ask, banks, end } = await makeControlStage();
    const { number } = banks.paystack.account;
    const cases: readonly (readonly [path: string, body: object, field: RegExp])[] = [
      ['/pay-in', { rail: 'gtb' }, /^rail must be one of providus, paystack, monnify/],
      [
        '/pay-in',
        { rail: 'paystack', accountNumber: '0123456785' },
        /^accountNumber 0123456785 is no account of ours/,
      ],
      [
        '/pay-in',
        { rail: 'paystack', accountNumber: number, amount: '1.234' },
        /^amount must be naira as text/,
      ],
      ['/reverse', { rail: 'paystack', reference: 'x' }, /^reference x is unknown at paystack/],
      ['/accounts', { number: '12', name: 'ADA' }, /^number must be ten digits/],
      ['/accounts', { bankCode: '4711', number: '0123456785', name: 'ADA' }, /^bankCode 4711 is no bank/],
      ['/faults', { kind: 'storm' }, /^kind must be one of timeout-before/],
    ];
    for (const [path, body, field] of cases) {
      const { status, json } = await ask('POST', path, body);
      assert.equal(status, 400);
      assert.match(String(json.error), field);
    }
    assert.equal(
      (await ask('PUT', '/validation', { rail: 'paystack', url: 'http://a.example' })).status,
      400,
    );
    assert.equal((await ask('GET', '/nothing')).status, 404);
    await end();
  });

  it('adds an account of ours into which customers can pay', async () => {
    const { ask, banks, end } = await makeControlStage();
    const account = { rail: 'providus', bankCode: '101', number: '9900000017', name: 'SECOND VENDOR' };
    assert.equal((await ask('POST', '/accounts', account)).status, 200);
    assert.equal((await ask('POST', '/accounts', account)).status, 400);
    const paid = { rail: 'providus', accountNumber: account.number, amount: '1', payer: PAYER };
    assert.equal((await ask('POST', '/pay-in', paid)).status, 200);
    assert.equal(banks.books().providus.accounts.length, 2);
    await end();
  });

  it('sets, lists and clears faults', async () => {
    const { ask, banks, call, end } = await makeControlStage();
    const { id } = (
      await ask('POST', '/faults', { kind: 'error-503', rail: 'paystack', operation: '*', times: 2 })
    ).json;
    await ask('POST', '/faults', { kind: 'slow', seconds: 3 });
    const balance = () => call(`${banks.paystack.url}/balance`);
    assert.equal((await balance()).status, 503);
    const listed = (await ask('GET', '/faults')).json as unknown as { met: number; left: number }[];
    assert.deepEqual([listed.length, listed[0]?.met, listed[0]?.left], [2, 1, 1]);
    await ask('DELETE', `/faults/${String(id)}`);
    assert.equal((await balance()).status, 401);
    assert.deepEqual((await ask('DELETE', '/faults')).json, []);
    await end();
  });

  it('delivers webhooks out of order when one is delayed', async () => {
    const { banks, clock, receiver, end } = await makeControlStage();
    banks.setWebhooks({ rail: 'monnify', url: receiver.url });
    banks.setFault({ kind: 'webhook-late', seconds: 30 });
    const payIn = (amount: string) =>
      banks.payIn({ rail: 'monnify', accountNumber: banks.monnify.account.number, amount, payer: PAYER });
    await payIn('1');
    await payIn('2');
    clock.pass(30);
    await banks.settle();
    const amounts = receiver.received.map(
      ({ json }) => (json.eventData as { amountPaid: number }).amountPaid,
    );
    assert.deepEqual(amounts, [2, 1]);
    await end();
  });
});
