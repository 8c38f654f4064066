// Monnify keeps the contract of a rail, on a local bank that plays its documented API.
import { openMonnify } from '../../../src/adapters/banks/monnify/rail.ts';
import { USUAL_VALIDATION } from '../../../src/adapters/banks/monnify/settings.ts';
import { localHarness, TIMEOUT_MS } from '../bank/local-banks.ts';
import { bankContract } from '../bank/suite.ts';

bankContract('Monnify', () =>
  localHarness({
    name: 'monnify',
    // An equal payout is refused for two minutes.
    stepMs: 500,
    open: ({ monnify }, baseUrl, deps) => {
      const { apiKey, secretKey } = monnify.credentials;
      const account = { bankCode: 'moniepoint-microfinance-bank', number: monnify.sourceAccount };
      const settings = {
        ...{ baseUrl, apiKey: () => apiKey, secretKey: () => secretKey, narration: 'Payout' },
        ...{
          finalCodes: new Set<string>(),
          timeoutMs: TIMEOUT_MS,
          mostBytes: 65_536,
          validation: USUAL_VALIDATION,
        },
      };
      return openMonnify({ mode: 'live', name: 'monnify', account }, settings, deps);
    },
  }),
);
