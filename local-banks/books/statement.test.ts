// Tests the statement of a local bank. Every row has the balance after it, and the last one equals the balance of the account.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeBankTestStage } from '../test-stage.ts';

const PAYER = { accountNumber: '0123456785', name: 'ADA, OKAFOR', bankCode: '058' };

describe('the statement of a local bank', () => {
  it('lists credits, fees and reversals as rows, and ends with the balance', async () => {
    const { banks, call, end } = await makeBankTestStage();
    const { number } = banks.paystack.account;
    const payIn = (amount: string, fee: string) =>
      banks.payIn({ rail: 'paystack', accountNumber: number, amount, fee, narration: 'buy', payer: PAYER });
    await payIn('15000.00', '50.00');
    const { sessionId } = await payIn('20000.00', '0');
    await banks.takeBack({ rail: 'paystack', sessionId });
    const { text } = await call(`${banks.control}/statements/paystack/${number}`);
    const rows = text.trim().split('\r\n');
    assert.equal(rows[0], 'Date,Value Date,Description,Reference,Debit,Credit,Balance');
    assert.match(
      rows[1]!,
      /^2026-11-16,2026-11-16,"NIP\/ADA, OKAFOR\/buy\/\d{30}",\d{30},,15000.00,15000.00$/,
    );
    assert.match(rows[2]!, /,TRANSACTION FEE,\d{30},50.00,,14950.00$/);
    assert.match(rows[4]!, /,REVERSAL NIP\/\d{30},\d{30},20000.00,,14950.00$/);
    const path = `${banks.control}/statements/paystack/${number}/2026-11-17/2026-11-18`;
    assert.equal((await call(path)).text.trim().split('\r\n').length, 1);
    assert.equal((await call(`${banks.control}/statements/paystack/0000000000`)).status, 400);
    await end();
  });
});
