// Tests that Paystack passes the contract of a rail, with a local server that plays its API.
import { openPaystack } from '../../../src/adapters/rails/paystack/rail.ts';
import type { BankHarness } from '../bank/harness.ts';
import { type LocalStage, localHarness } from '../bank/local-banks.ts';
import { bankContract } from '../bank/suite.ts';

bankContract('Paystack', () =>
  localHarness({
    name: 'paystack',
    // Paystack does not report why a transfer failed, so it cannot play this trouble.
    own: { pay_bad_account: null },
    open: ({ paystack }, baseUrl, deps, times) => {
      const account = { bankCode: 'paystack-titan', number: '1234567891' };
      const settings = {
        ...{ baseUrl, secretKey: () => paystack.credentials.secretKey, narration: 'Payout' },
        ...{
          mostBytes: 4_194_304,
          creditsLagMs: 0,
          eventAddresses: new Set<string>(),
        },
        creditsFromMs: Date.parse('2026-11-16T00:00:00+01:00'),
        get timeoutMs() {
          return times.timeoutMs;
        },
      };
      return openPaystack({ mode: 'live', name: 'paystack', account }, settings, deps);
    },
    outside,
  }),
);

function outside({ banks }: Omit<LocalStage, 'harness'>): NonNullable<BankHarness['outside']> {
  const { number } = banks.paystack.account;
  return {
    manyLines: 101,
    repeats: false,
    payIn: async ({ amountMinor, payerName }) => {
      const digits = amountMinor.toString();
      const { creditId } = await banks.payIn({
        ...{ rail: 'paystack', accountNumber: number, narration: 'a buy' },
        amount: `${digits.slice(0, -2)}.${digits.slice(-2)}`,
        payer: { accountNumber: '0123456785', name: payerName, bankCode: '058' },
      });
      return {
        ...{ kind: 'credit', sourceId: `${creditId}`, amountMinor },
        ...{ accountNumber: number, accountBankCode: 'wema-bank' },
        ...{ payerAccount: 'XXXXXX6785', payerName, payerBankName: 'Guaranty Trust Bank' },
        ...{ narration: 'a buy', sessionId: null },
      };
    },
  };
}
