import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import { makeBankTestStage } from '../test-stage.ts';
import { TOKEN_SECONDS } from './tokens.ts';

type Data = Record<string, unknown>;
const SINGLE = '/api/v2/disbursements/single';

describe('a local Monnify', () => {
  async function makeMonnifyStage() {
    const stage = await makeBankTestStage();
    const { banks, call } = stage;
    const { url, credentials, sourceAccount } = banks.monnify;
    const basic = Buffer.from(`${credentials.apiKey}:${credentials.secretKey}`).toString('base64');
    const logIn = async () => {
      const headers = { authorization: `Basic ${basic}` };
      const { json } = await call(`${url}/api/v1/auth/login`, { method: 'POST', headers });
      return { authorization: `Bearer ${(json.responseBody as { accessToken: string }).accessToken}` };
    };
    const headers = await logIn();
    const get = async (path: string) => {
      const { status, json } = await call(`${url}${path}`, { headers });
      return { status, json, body: json.responseBody as Data };
    };
    banks.setAccount({ number: '0123456785', name: 'Okafor Adaeze' });
    const pay = async (reference: string, more: object = {}) => {
      const order = {
        amount: 2000.45,
        reference,
        narration: 'sell',
        currency: 'NGN',
        sourceAccountNumber: sourceAccount,
      };
      const destination = {
        ...{ destinationBankCode: '058', destinationAccountNumber: '0123456785' },
        destinationAccountName: 'ADAEZE OKAFOR',
      };
      const { status, json } = await call(`${url}${SINGLE}`, {
        ...{ method: 'POST', headers, body: { ...order, ...destination, ...more } },
      });
      return { status, json, body: (json.responseBody ?? {}) as Data };
    };
    const summary = (reference: string) => get(`${SINGLE}/summary?reference=${reference}`);
    return { ...stage, headers, logIn, get, pay, summary };
  }

  it('a token expires after its lifetime', async () => {
    const { banks, call, clock, get, logIn, end } = await makeMonnifyStage();
    const validate = '/api/v1/disbursements/account/validate?accountNumber=0123456785&bankCode=058';
    assert.deepEqual((await get(validate)).body, {
      ...{ accountNumber: '0123456785', accountName: 'Okafor Adaeze', bankCode: '058' },
    });
    clock.pass(TOKEN_SECONDS);
    assert.equal((await get(validate)).status, 401);
    const renewed = await call(`${banks.monnify.url}${validate}`, { headers: await logIn() });
    assert.equal(renewed.status, 200);
    await end();
  });

  it('pays a reference only once, and refuses another payment of the same amount within two minutes', async () => {
    const { banks, clock, get, pay, summary, end } = await makeMonnifyStage();
    const { body } = await pay('sell-1');
    assert.equal(body.status, 'SUCCESS');
    assert.equal(body.amount, 2000.45);
    assert.match(String(body.sessionId), /^090405\d{24}$/);
    assert.equal((await pay('sell-1')).json.requestSuccessful, false);
    assert.equal((await pay('sell-2')).json.responseCode, 'D07');
    clock.pass(121);
    assert.equal((await pay('sell-2')).body.status, 'SUCCESS');
    assert.equal((await summary('sell-1')).body.status, 'SUCCESS');
    assert.equal((await summary('sell-3')).status, 404);
    const { body: wallet } = await get(
      `/api/v2/disbursements/wallet-balance?accountNumber=${banks.monnify.sourceAccount}`,
    );
    assert.equal(wallet.availableBalance, 499_995_999.1);
    assert.equal(banks.books().monnify.payouts.length, 2);
    await end();
  });

  it('returns PENDING for an asynchronous payout, and reports the outcome with a signature', async () => {
    const { banks, clock, pay, receiver, summary, end } = await makeMonnifyStage();
    banks.setWebhooks({ rail: 'monnify', url: receiver.url });
    assert.equal((await pay('sell-1', { async: true })).body.status, 'PENDING');
    clock.pass(1);
    assert.equal((await summary('sell-1')).body.status, 'SUCCESS');
    await banks.settle();
    await banks.reverse({ rail: 'monnify', reference: 'sell-1' });
    assert.deepEqual(
      receiver.received.map(({ json }) => json.eventType),
      ['SUCCESSFUL_DISBURSEMENT', 'REVERSED_DISBURSEMENT'],
    );
    const [{ json, headers }] = receiver.received as [(typeof receiver.received)[0]];
    const { secretKey } = banks.monnify.credentials;
    assert.equal(
      headers['monnify-signature'],
      createHmac('sha512', secretKey).update(JSON.stringify(json)).digest('hex'),
    );
    assert.equal(banks.books().monnify.balance, '500000000.00');
    await end();
  });

  it('a payout with a wrong name or above the balance fails, and no money moves', async () => {
    const { banks, pay, end } = await makeMonnifyStage();
    assert.equal((await pay('sell-1', { destinationAccountName: 'JIDE BELLO' })).body.status, 'FAILED');
    const { body } = await pay('sell-2', { amount: 600_000_000 });
    assert.equal(body.status, 'FAILED');
    assert.match(String(body.comment), /sufficient balance/);
    assert.equal(banks.books().monnify.balance, '500000000.00');
    await end();
  });

  it('pays only payouts that its validation endpoint approves', async () => {
    const { banks, pay, receiver, summary, end } = await makeMonnifyStage();
    banks.setValidation({ rail: 'monnify', url: receiver.url });
    receiver.answers.push({ action: 'REJECT' }, { action: 'something else' }, { action: 'APPROVE' });
    assert.equal((await pay('sell-1')).json.requestSuccessful, false);
    assert.equal((await pay('sell-1')).json.requestSuccessful, false);
    assert.equal((await summary('sell-1')).status, 404);
    const { json } = receiver.received[0]!;
    assert.equal(json.reference, 'sell-1');
    assert.equal(json.amount, 2000.45);
    assert.equal(json.destinationAccountNumber, '0123456785');
    assert.equal((await pay('sell-1')).body.status, 'SUCCESS');
    banks.setValidation({ rail: 'monnify', url: 'http://127.0.0.1:1/' });
    assert.equal((await pay('sell-2', { amount: 1 })).json.requestSuccessful, false);
    assert.equal(banks.books().monnify.payouts.length, 1);
    await end();
  });

  it('shows a credit in the search and by its reference, with amounts as text and a masked payer', async () => {
    const { banks, get, receiver, end } = await makeMonnifyStage();
    banks.setWebhooks({ rail: 'monnify', url: receiver.url });
    const { reference, creditId } = await banks.payIn({
      ...{
        rail: 'monnify',
        accountNumber: banks.monnify.account.number,
        amount: '15000',
        fee: '10',
        narration: 'buy',
      },
      payer: { accountNumber: '0123454872', name: 'ADA OKAFOR', bankCode: '058' },
    });
    const { eventType, eventData } = receiver.received[0]!.json as { eventType: string; eventData: Data };
    assert.equal(eventType, 'SUCCESSFUL_TRANSACTION');
    assert.equal(eventData.amountPaid, 15_000);
    assert.equal(eventData.settlementAmount, '14990.00');
    const { body } = await get(`/api/v2/transactions/${encodeURIComponent(reference)}`);
    assert.equal(body.amountPaid, '15000.00');
    assert.equal((body.accountDetails as Data).accountNumber, '******4872');
    await banks.takeBack({ rail: 'monnify', creditId });
    const { body: page } = await get('/api/v1/transactions/search?page=0&size=10&paymentStatus=REVERSED');
    assert.equal((page.content as Data[])[0]?.transactionReference, reference);
    assert.equal(banks.books().monnify.balance, '500000000.00');
    await end();
  });
});
