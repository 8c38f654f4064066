// Tests that a bank with NIP transfers passes the contract of a rail, with a local bank in the style of Providus.
import { openNipBank } from '../../../src/adapters/rails/nip-bank/rail.ts';
import { localHarness } from '../bank/local-banks.ts';
import { bankContract } from '../bank/suite.ts';

bankContract('a bank with NIP transfers', () =>
  localHarness({
    name: 'providus',
    open: ({ providus }, baseUrl, deps, times) => {
      const { userName, password, clientId, clientSecret } = providus.credentials;
      const account = { bankCode: 'providus-bank', number: providus.account.number };
      const settings = {
        ...{
          baseUrl,
          userName,
          password: () => password,
          narration: 'Payout',
          ownBankByNip: false,
          credits: null,
          finalCodes: new Set(['32']),
        },
        ...{ client: { id: clientId, secret: () => clientSecret }, sourceAccountName: providus.account.name },
        mostBytes: 65_536,
        get timeoutMs() {
          return times.timeoutMs;
        },
      };
      return openNipBank({ mode: 'live', name: 'nip', account }, settings, deps);
    },
  }),
);
