// Imitates Monnify as its public documentation and its own SDKs describe it. A token is valid for an hour, amounts in naira
// have decimals, every response has an envelope, and a disbursement has a status word.
import { koboOfNaira, nairaOf, type Order } from './books.ts';
import type { Verdict } from './plan.ts';
import type { Teller } from './teller.ts';
import type { Answer, Asked } from './wire.ts';

export const MONNIFY_KEYS = {
  apiKey: 'MK_TEST_STRANGER01',
  secretKey: 'STRANGERSECRET0123456789ABCDEFGH',
} as const;

const TOKEN = 'a-token-of-a-stranger';
/** The codes of refused calls. The bank reports every other refusal as a status word of the disbursement. */
const CALL_CODES: Readonly<Record<string, string>> = {
  D01: 'Duplicate transaction reference',
  D04: 'Insufficient balance',
  '99': 'The balance of the wallet is insufficient',
};

export function answerAsMonnify(teller: Teller): (asked: Asked) => Answer {
  return ({ method, path, query, body, headers }) => {
    if (method === 'POST' && path === '/api/v1/auth/login') return login(teller, headers.authorization);
    if (headers.authorization !== `Bearer ${TOKEN}`) return refusedCall(401, 'AUTH401', 'Unauthorized');
    if (method === 'GET' && /^\/api\/v[12]\/disbursements\/account\/validate$/.test(path))
      return nameOf(teller, query);
    if (method === 'POST' && path === '/api/v2/disbursements/single') return disburse(teller, body);
    if (method === 'GET' && path === '/api/v2/disbursements/single/summary') {
      return summary(teller, query.get('reference') ?? '');
    }
    if (method === 'GET' && path === '/api/v2/disbursements/search-transactions')
      return listed(teller, query);
    if (method === 'GET' && /^\/api\/v[12]\/disbursements\/wallet-balance$/.test(path))
      return walletBalance(teller);
    if (method === 'GET' && path === '/api/v1/transactions/search') {
      teller.books.note('monnify', 'credits');
      return ok(pageOf([], query));
    }
    teller.books.unknown.add(`monnify ${method} ${path}`);
    return refusedCall(404, '99', 'Not found');
  };
}

function login(teller: Teller, given: string | undefined): Answer {
  teller.books.note('monnify', 'login');
  const { apiKey, secretKey } = MONNIFY_KEYS;
  const wanted = `Basic ${Buffer.from(`${apiKey}:${secretKey}`).toString('base64')}`;
  if (given !== wanted) return refusedCall(401, 'AUTH401', 'Bad credentials');
  return ok({ accessToken: TOKEN, expiresIn: 3_567 });
}

function nameOf(teller: Teller, query: URLSearchParams): Answer {
  const accountNumber = query.get('accountNumber') ?? '';
  if (!teller.knowsName(accountNumber)) return { status: 200, body: '', wire: 'error_500' };
  return ok({
    accountNumber,
    accountName: 'ADAEZE OKAFOR',
    bankCode: query.get('bankCode'),
    currencyCode: 'NGN',
  });
}

function disburse(teller: Teller, body: Asked['body']): Answer {
  const order: Order = {
    ...{ rail: 'monnify', reference: String(body.reference), account: String(body.destinationAccountNumber) },
    kobo: koboOfNaira(String(body.amount)),
  };
  const { says, wire, isRepeat, afterwards } = teller.take(order);
  const code = isRepeat ? 'D01' : says.word === 'refused' ? says.code : '';
  if (code in CALL_CODES) return { ...refusedCall(422, code, CALL_CODES[code]!), wire, afterwards };
  const made = {
    ...{ amount: exact(order.kobo), reference: order.reference, dateCreated: '2026-11-17T12:00:00.000+0000' },
    ...{ totalFee: 0, destinationAccountName: 'ADAEZE OKAFOR', destinationBankName: 'Guaranty Trust Bank' },
    ...{ destinationAccountNumber: order.account, destinationBankCode: body.destinationBankCode },
  };
  return { ...stated(made, says), wire, afterwards };
}

function summary(teller: Teller, reference: string): Answer {
  const { says, wire, order, afterwards } = teller.answer(reference);
  if (order === undefined) {
    const text = `Could not find transaction with reference ${reference}`;
    return { ...refusedCall(404, '99', text), wire, afterwards };
  }
  const said: Verdict =
    says.word === 'refused' && says.code in CALL_CODES ? { word: 'refused', code: 'FAILED' } : says;
  return { ...stated(summaryBody(order), said), wire, afterwards };
}

function summaryBody({ reference, account, kobo }: Order) {
  return {
    ...{ amount: exact(kobo), reference, narration: 'Payout', currency: 'NGN', fee: 0, twoFaEnabled: false },
    ...{
      transactionDescription: 'Approved or completed successfully',
      transactionReference: `MFDS|${reference}`,
    },
    ...{ createdOn: '2026-11-17T12:00:00.000+0000', sourceAccountNumber: '5400000032' },
    ...{
      destinationAccountNumber: account,
      destinationAccountName: 'ADAEZE OKAFOR',
      destinationBankCode: '058',
    },
    ...{ destinationBankName: 'Guaranty Trust Bank', sessionId: '090405261117120000000000000001' },
  };
}

function listed(teller: Teller, query: URLSearchParams): Answer {
  const all = teller.list();
  return ok(
    pageOf(
      all.map((paid) => ({ ...summaryBody(paid), status: 'SUCCESS' })),
      query,
    ),
  );
}

function pageOf(all: readonly object[], query: URLSearchParams): object {
  const pageSize = Number(query.get('pageSize') ?? query.get('size') ?? 10);
  const pageNumber = Number(query.get('pageNo') ?? query.get('page') ?? 0);
  const content = all.slice(pageNumber * pageSize, (pageNumber + 1) * pageSize);
  const totalPages = Math.ceil(all.length / pageSize);
  return {
    ...{ content, pageable: { pageSize, pageNumber }, totalElements: all.length, totalPages },
    ...{ last: pageNumber + 1 >= totalPages, first: pageNumber === 0, size: pageSize, number: pageNumber },
    ...{ numberOfElements: content.length, empty: content.length === 0 },
  };
}

function walletBalance(teller: Teller): Answer {
  const balance = teller.balance();
  if (balance === null) return { status: 200, body: '', wire: 'error_500' };
  const left = exact(balance);
  return ok({ availableBalance: left, ledgerBalance: left });
}

/**
 * Returns a response with the status word of a disbursement. If the bank contradicts itself, the response has two status words.
 */
function stated(made: object, says: Verdict): Answer {
  if (says.word !== 'both') {
    const reason = says.word === 'refused' ? { transactionDescription: says.reason ?? 'Failed' } : {};
    return ok({ ...made, ...reason, status: wordOf(says) });
  }
  const text = `${JSON.stringify({ ...made, status: 'SUCCESS' }).slice(0, -1)},"status":"${says.code}"}`;
  const envelope = '"requestSuccessful":true,"responseMessage":"success","responseCode":"0"';
  return { status: 200, body: `{${envelope},"responseBody":${text}}` };
}

function wordOf(says: Verdict): string {
  if (says.word === 'paid') return 'SUCCESS';
  return says.word === 'refused' ? says.code : 'PENDING';
}

/** An amount of naira as a JSON number. Every amount in this examination has few enough digits to be exact. */
function exact(kobo: bigint): number {
  return Number(nairaOf(kobo));
}

function ok(responseBody: object): Answer {
  return {
    status: 200,
    body: { requestSuccessful: true, responseMessage: 'success', responseCode: '0', responseBody },
  };
}

function refusedCall(status: number, responseCode: string, responseMessage: string): Answer {
  return { status, body: { requestSuccessful: false, responseMessage, responseCode } };
}

export function monnifyEvent(order: Order, says: 'paid' | 'failed'): string {
  const [eventType, status] =
    says === 'paid' ? ['SUCCESSFUL_DISBURSEMENT', 'SUCCESS'] : ['FAILED_DISBURSEMENT', 'FAILED'];
  return JSON.stringify({ eventType, eventData: { ...summaryBody(order), status } });
}
