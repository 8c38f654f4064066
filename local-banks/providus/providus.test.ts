import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { makeBankTestStage } from '../test-stage.ts';

describe('a local bank with a NIP posting API', () => {
  const PAYEE = { beneficiaryBank: '000013', accountNumber: '0123456785' };

  async function makeProvidusStage() {
    const stage = await makeBankTestStage();
    const { userName, password } = stage.banks.providus.credentials;
    const post = (name: string, body: object, patienceMs = 10_000) =>
      stage.call(`${stage.banks.providus.url}/postingrest/${name}`, {
        method: 'POST',
        body: { userName, password, ...body },
        patienceMs,
      });
    const pay = (reference: string, more: object = {}, patienceMs?: number) => {
      const order = {
        beneficiaryAccountName: 'ADA OKAFOR',
        transactionAmount: '2000.45',
        currencyCode: 'NGN',
        narration: 'sell 1',
        sourceAccountName: 'SLIPROAD VENDOR',
        beneficiaryAccountNumber: PAYEE.accountNumber,
        beneficiaryBank: PAYEE.beneficiaryBank,
        transactionReference: reference,
        ...more,
      };
      return post('NIPFundTransfer', order, patienceMs);
    };
    const status = (transactionReference: string) =>
      post('GetNIPTransactionStatus', { transactionReference });
    return { ...stage, post, pay, status };
  }

  it('returns the configured owner for a name enquiry, and by default an invented one', async () => {
    const { banks, post, end } = await makeProvidusStage();
    const invented = await post('GetNIPAccount', PAYEE);
    assert.equal(invented.json.responseCode, '00');
    assert.match(String(invented.json.accountName), /^[A-Z]+ [A-Z]+ [A-Z]+$/);
    banks.setAccount({ bankCode: '058', number: PAYEE.accountNumber, name: 'OKAFOR, ADAEZE' });
    const { json } = await post('GetNIPAccount', PAYEE);
    assert.deepEqual(json, {
      bankCode: '000013',
      accountNumber: '0123456785',
      transactionReference: '',
      bvn: '',
      accountName: 'OKAFOR, ADAEZE',
      responseMessage: 'Approved or completed successfully',
      responseCode: '00',
    });
    assert.equal(
      (await post('GetNIPAccount', { ...PAYEE, accountNumber: '0000000000' })).json.responseCode,
      '07',
    );
    assert.equal(
      (await post('GetNIPAccount', { ...PAYEE, beneficiaryBank: '999998' })).json.responseCode,
      '16',
    );
    await end();
  });

  it('pays a reference once, and refuses it the second time it is used', async () => {
    const { banks, post, pay, status, end } = await makeProvidusStage();
    const { status: http, json } = await pay('ref-1');
    assert.equal(http, 200);
    assert.equal(json.responseCode, '00');
    assert.match(String(json.sessionId), /^000023\d{24}$/);
    assert.equal((await pay('ref-1')).json.responseCode, '26');
    const { payouts, balance } = banks.books().providus;
    assert.deepEqual(
      payouts.map(({ reference, amount, state }) => ({ reference, amount, state })),
      [{ reference: 'ref-1', amount: '2000.45', state: 'paid' }],
    );
    assert.equal(balance, '499997999.55');
    const account = await post('GetProvidusAccount', { accountNumber: banks.providus.account.number });
    assert.equal(account.json.availableBalance, '499997999.55');
    const found = await status('ref-1');
    assert.equal(found.json.responseCode, '00');
    assert.equal(found.json.amount, '2000.45');
    assert.equal((await status('ref-2')).json.responseCode, '01');
    await end();
  });

  it('refuses wrong credentials and unreadable requests', async () => {
    const { banks, pay, end } = await makeProvidusStage();
    assert.equal((await pay('ref-1', { password: 'wrong' })).json.responseCode, '8004');
    assert.equal((await pay('ref-1', { transactionAmount: '12.345' })).json.responseCode, '13');
    assert.deepEqual(banks.books().providus.payouts, []);
    await end();
  });

  it('returns a different code for each reason of a failure', async () => {
    const { banks, pay, end } = await makeProvidusStage();
    const codes = {
      '0000000006': '06',
      '0000000008': '08',
      '0000000051': '51',
      '0000000061': '61',
      '0000000091': '91',
    };
    for (const [account, code] of Object.entries(codes))
      assert.equal((await pay(`ref-${code}`, { beneficiaryAccountNumber: account })).json.responseCode, code);
    assert.ok(banks.books().providus.payouts.every(({ state }) => state === 'failed'));
    assert.equal(banks.books().providus.balance, '500000000.00');
    await end();
  });

  it('a payment stays in progress as long as a fault sets, and a fault can make a status query return not found', async () => {
    const { banks, clock, pay, status, end } = await makeProvidusStage();
    banks.setFault({ kind: 'in-progress-then-success', seconds: 60 });
    assert.equal((await pay('ref-1')).json.responseCode, '09');
    banks.setFault({ kind: 'not-found', value: '25' });
    assert.equal((await status('ref-1')).json.responseCode, '25');
    assert.equal((await status('ref-1')).json.responseCode, '09');
    clock.pass(60);
    assert.equal((await status('ref-1')).json.responseCode, '00');
    await end();
  });

  it('a payment is made if only its response is lost, and is not made if the request is lost', async () => {
    const { banks, pay, end } = await makeProvidusStage();
    banks.setFault({ kind: 'cut-before' });
    await assert.rejects(pay('ref-1'));
    assert.equal(banks.books().providus.payouts.length, 0);
    for (const [index, kind] of (['cut-after', 'cut-middle'] as const).entries()) {
      banks.setFault({ kind });
      await assert.rejects(pay(`ref-${index + 2}`));
      assert.equal(banks.books().providus.payouts.length, index + 1);
    }
    banks.setFault({ kind: 'timeout-after' });
    await assert.rejects(pay('ref-4', {}, 300), { name: 'TimeoutError' });
    assert.equal(banks.books().providus.payouts.length, 3);
    banks.setFault({ kind: 'error-502' });
    assert.equal((await pay('ref-5')).status, 502);
    banks.setFault({ kind: 'unknown-status' });
    assert.equal((await pay('ref-6')).json.responseCode, '4711');
    assert.equal(banks.books().providus.payouts.length, 4);
    await end();
  });

  it('reports a credit with the full account number of the payer until the report is accepted, and finds the credit by both ids', async () => {
    const { banks, clock, call, receiver, end } = await makeProvidusStage();
    banks.setWebhooks({ rail: 'providus', url: receiver.url });
    receiver.answers.push({ responseCode: '03' }, { responseCode: '00' });
    const { clientId, clientSecret } = banks.providus.credentials;
    const credit = await banks.payIn({
      ...{
        rail: 'providus',
        accountNumber: banks.providus.account.number,
        amount: '15000',
        narration: 'buy',
      },
      payer: { accountNumber: '0123456785', name: 'ADA OKAFOR', bankCode: '058' },
    });
    clock.pass(5);
    await banks.settle();
    assert.equal(receiver.received.length, 2);
    const { json, headers } = receiver.received[1]!;
    assert.equal(
      headers['x-auth-signature'],
      createHash('sha512').update(`${clientId}:${clientSecret}`).digest('hex'),
    );
    assert.equal(json.sourceAccountNumber, '0123456785');
    assert.equal(json.transactionAmount, '15000.00');
    assert.equal(json.settlementId, credit.settlementId);
    const verify = (query: string) =>
      call(`${banks.providus.url}/api/PiPverifyTransaction${query}`, {
        headers: {
          'Client-Id': clientId,
          'X-Auth-Signature': String(headers['x-auth-signature']).toUpperCase(),
        },
      });
    const found = await verify(`_sessionid?session_id=${credit.sessionId}`);
    assert.equal(found.json.transactionAmount, 15000);
    assert.deepEqual((await verify(`_settlementid?settlement_id=${credit.settlementId}`)).json, found.json);
    assert.equal((await verify('?session_id=1')).json.tranRemarks, 'Transaction not found!!!');
    assert.equal(banks.books().providus.balance, '500015000.00');
    await banks.takeBack({ rail: 'providus', creditId: credit.creditId });
    assert.equal(banks.books().providus.balance, '500000000.00');
    await end();
  });
});
