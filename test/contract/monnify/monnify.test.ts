// Tests that Monnify passes the contract of a rail, with a local bank that plays its documented API.
import { openMonnify } from '../../../src/adapters/rails/monnify/rail.ts';
import { DEFAULT_VALIDATION } from '../../../src/adapters/rails/monnify/settings.ts';
import type { BankHarness } from '../bank/harness.ts';
import { type LocalStage, localHarness } from '../bank/local-banks.ts';
import { bankContract } from '../bank/suite.ts';

bankContract('Monnify', () =>
  localHarness({
    name: 'monnify',
    // The bank refuses an equal payout for two minutes. With this step, the 400 steps of a case together take longer than that.
    stepMs: 500,
    open: ({ monnify }, baseUrl, deps, times) => {
      const { apiKey, secretKey } = monnify.credentials;
      const account = { bankCode: 'moniepoint-microfinance-bank', number: monnify.sourceAccount };
      const settings = {
        ...{ baseUrl, apiKey: () => apiKey, secretKey: () => secretKey, narration: 'Payout' },
        ...{
          finalCodes: new Set<string>(),
          mostBytes: 65_536,
          validation: DEFAULT_VALIDATION,
          eventAddresses: new Set<string>(),
          creditsLagMs: 0,
          creditsFromMs: Date.parse('2026-11-16T00:00:00+01:00'),
        },
        get timeoutMs() {
          return times.timeoutMs;
        },
      };
      return openMonnify({ mode: 'live', name: 'monnify', account }, settings, deps);
    },
    outside,
  }),
);

function outside({ banks }: Omit<LocalStage, 'harness'>): NonNullable<BankHarness['outside']> {
  const { number } = banks.monnify.account;
  return {
    manyLines: 21,
    repeats: false,
    payIn: async ({ amountMinor, payerName }) => {
      const digits = amountMinor.toString();
      const { reference, sessionId } = await banks.payIn({
        ...{ rail: 'monnify', accountNumber: number, narration: 'a buy' },
        amount: `${digits.slice(0, -2)}.${digits.slice(-2)}`,
        payer: { accountNumber: '0123456785', name: payerName, bankCode: '058' },
      });
      return {
        ...{ kind: 'credit', sourceId: reference, amountMinor },
        ...{ accountNumber: number, accountBankCode: 'moniepoint-microfinance-bank' },
        ...{ payerAccount: '******6785', payerName, payerBankName: 'Guaranty Trust Bank' },
        ...{ narration: 'a buy', sessionId },
      };
    },
  };
}
