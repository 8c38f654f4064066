// Money that arrives on the operator's accounts at a bank like Providus. The bank sends a webhook with the full account number
// of the payer. A client verifies it with a query by session id or settlement id.
import { createHash } from 'node:crypto';
import type { BankCore } from '../books/bank.ts';
import type { Credit } from '../books/entries.ts';
import { makeNuban } from '../books/identifiers.ts';
import { bankByNip } from '../books/known-banks.ts';
import { nairaNumber, nairaText } from '../books/money.ts';
import type { BankWebhooks, WebhookReporter } from '../http/bank-webhooks.ts';
import type { BankRequest, BankRoute, LocalBankAnswer } from '../http/server.ts';
import { PROVIDUS_NIP, textOf } from './payouts.ts';
import { americanTime, providusTime } from './times.ts';

export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/**
 * The signature is the same for every request. It proves that the sender knows the secret, but it proves nothing about the
 * body.
 */
function authSignature({ clientId, clientSecret }: ClientCredentials): string {
  return createHash('sha512').update(`${clientId}:${clientSecret}`).digest('hex');
}

export function makeProvidusReporter(credentials: ClientCredentials): WebhookReporter {
  return {
    message: (happening) =>
      happening.type === 'credit'
        ? {
            text: JSON.stringify(settlementBody(happening.credit)),
            headers: { 'X-Auth-Signature': authSignature(credentials) },
          }
        : undefined,
    // The receiver's codes: 00 means accepted, 01 means already known, and 02 means finally rejected. After 03 or anything
    // else, the bank sends the webhook again.
    isTaken: (status, text) => status === 200 && ['00', '01', '02'].includes(responseCodeOf(text)),
  };
}

function responseCodeOf(text: string): string {
  try {
    return textOf((JSON.parse(text) as { responseCode?: unknown } | null)?.responseCode);
  } catch {
    return '';
  }
}

function payerOf({ payer }: Credit) {
  if (payer.shown === 'blank') return { sourceAccountNumber: '', sourceAccountName: '', sourceBankName: '' };
  if (payer.shown === 'null')
    return { sourceAccountNumber: 'null', sourceAccountName: 'null', sourceBankName: 'null' };
  return {
    sourceAccountNumber: payer.number,
    sourceAccountName: payer.name,
    sourceBankName: bankByNip(payer.nip)?.name.toUpperCase() ?? '',
  };
}

function settlementBody(credit: Credit) {
  const { sessionId, account, narration, amountKobo, feeKobo, settlementId, at } = credit;
  return {
    sessionId,
    accountNumber: account,
    tranRemarks: narration,
    transactionAmount: nairaText(amountKobo),
    settledAmount: nairaText(amountKobo - feeKobo),
    feeAmount: nairaText(feeKobo),
    vatAmount: '0',
    currency: 'NGN',
    initiationTranRef: '',
    settlementId,
    ...payerOf(credit),
    channelId: '1',
    tranDateTime: `${providusTime(at)}.000`,
  };
}

function verifiedBody(credit: Credit) {
  const { amountKobo, feeKobo, at } = credit;
  return {
    ...settlementBody(credit),
    transactionAmount: nairaNumber(amountKobo),
    settledAmount: nairaNumber(amountKobo - feeKobo),
    feeAmount: nairaNumber(feeKobo),
    vatAmount: 0,
    tranDateTime: americanTime(at),
  };
}

const NOT_FOUND = {
  sessionId: '',
  initiationTranRef: '',
  accountNumber: '',
  tranRemarks: 'Transaction not found!!!',
  transactionAmount: 0,
  settledAmount: 0,
  feeAmount: 0,
  vatAmount: 0,
  currency: '',
  channelId: '',
  tranDateTime: '',
};

export function settlementRoutes(
  bank: BankCore,
  credentials: ClientCredentials,
  notices: () => BankWebhooks,
): readonly BankRoute[] {
  const guarded =
    (handle: (request: BankRequest) => LocalBankAnswer) =>
    (request: BankRequest): LocalBankAnswer => {
      const { 'client-id': client, 'x-auth-signature': signature } = request.headers;
      const isRight = textOf(signature).toLowerCase() === authSignature(credentials);
      return client === credentials.clientId && isRight ? handle(request) : okAnswer(UNKNOWN_CLIENT);
    };
  const find = (isIt: (credit: Credit) => boolean): LocalBankAnswer => {
    const credit = bank.books
      .creditsOf('providus')
      .find((each) => isIt(each) && !bank.books.isTakenBack(each));
    return okAnswer(credit === undefined ? NOT_FOUND : verifiedBody(credit));
  };
  const verify = (path: RegExp, handle: (request: BankRequest) => LocalBankAnswer): BankRoute => ({
    ...{ method: 'GET', path, operation: 'credits', handle: guarded(handle) },
  });
  return [
    verify(/\/PiPverifyTransaction(_sessionid)?$/, ({ query }) =>
      find(({ sessionId }) => sessionId === query.get('session_id')),
    ),
    verify(/\/PiPverifyTransaction_settlementid$/, ({ query }) =>
      find(({ settlementId }) => settlementId === query.get('settlement_id')),
    ),
    {
      ...{ method: 'POST', path: /\/PiPCreate(Reserved|Dynamic)AccountNumber$/, operation: 'credits' },
      handle: guarded((request) => createAccount(bank, request)),
    },
    {
      ...{ method: 'POST', path: /\/PiP_RepushTransaction_SettlementId$/, operation: 'credits' },
      handle: guarded((request) => repushSettlement(bank, request, notices())),
    },
  ];
}

const UNKNOWN_CLIENT = {
  requestSuccessful: false,
  responseMessage: 'Invalid Client Credentials',
  responseCode: '05',
};

function createAccount(bank: BankCore, { json }: BankRequest): LocalBankAnswer {
  const name = textOf(json.account_name);
  const id = bank.books.nextId();
  const number = makeNuban('101', `99${String(id).padStart(7, '0')}`);
  const own = { rail: 'providus', id, nip: PROVIDUS_NIP, number, name } as const;
  const account = { ...own, reference: `${id}`, at: bank.books.now() };
  bank.books.write({ type: 'own-account', account });
  return okAnswer({
    ...{ account_number: number, account_name: name, bvn: textOf(json.bvn), requestSuccessful: true },
    ...{ responseMessage: 'Reserved Account Generated Successfully', responseCode: '00' },
  });
}

function repushSettlement(bank: BankCore, { json }: BankRequest, notices: BankWebhooks): LocalBankAnswer {
  const credit = bank.books
    .creditsOf('providus')
    .find((each) => each.settlementId === json.settlement_id || each.sessionId === json.session_id);
  if (credit === undefined)
    return okAnswer({
      requestSuccessful: false,
      responseMessage: 'Transaction not found',
      responseCode: '01',
    });
  notices.again(credit);
  return okAnswer({ requestSuccessful: true, responseMessage: 'Success', responseCode: '00' });
}

const okAnswer = (body: unknown): LocalBankAnswer => ({ status: 200, body });
