// A bank with an API for NIP transfers and virtual accounts, in the format of Providus Bank. Sources of the format: the bank's
// documentation (developer.providusbank.com) as quoted by public client libraries: brokeyourbike/providusbank-api-client-go
// (fields and samples of every call here), tingodev/providusNip (paths and codes), stephenjude/providus-bank-sdk. Every
// response is HTTP 200, and only responseCode shows the outcome. The signature was checked with the published test credentials.
// Uncertain are these points. GetNIPTransactionStatus: two public clients agree on its fields, no sample of a real response was
// found, and it has no session id. The code of a repeated reference is 26 here; 94 and 7709 are documented too. The code after
// a reversal is 31 here. The hex digits of X-Auth-Signature are lower case here and upper case in the documentation; both are
// accepted. A query does not find a reversed credit here.
import type { BankCore } from '../books/bank.ts';
import type { OwnAccount } from '../books/entries.ts';
import type { BankWebhooks } from '../http/bank-webhooks.ts';
import type { BankProvider, LocalBankAnswer } from '../http/server.ts';
import { codeBody } from './codes.ts';
import { type ClientCredentials, settlementRoutes } from './credits.ts';
import { type PostingLogin, postingRoutes } from './payouts.ts';

export type ProvidusSecrets = PostingLogin & ClientCredentials;

export function makeProvidusProvider(
  bank: BankCore,
  secrets: ProvidusSecrets,
  ours: () => OwnAccount,
  notices: () => BankWebhooks,
): BankProvider {
  return {
    rail: 'providus',
    routes: [...postingRoutes(bank, secrets, ours), ...settlementRoutes(bank, secrets, notices)],
    // The two parts of the API have separate credentials, so each route checks its own.
    refuse: () => undefined,
    missing: ({ path }) => ({
      status: 404,
      body: { Message: `No HTTP resource was found that matches the request URI '${path}'.` },
    }),
    unauthorized: { status: 401, body: { Message: 'Authorization has been denied for this request.' } },
    tooMany: { status: 429, body: { Message: 'Too many requests.' } },
    strange: (answer, value = '4711'): LocalBankAnswer => ({
      ...answer,
      body: { ...(answer.body as object), ...codeBody(value) },
    }),
  };
}
