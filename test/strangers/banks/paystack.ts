// Imitates Paystack as its public documentation describes it. Amounts are whole numbers of kobo, and the service creates a
// recipient before a transfer. A transfer has a status word, and a refused call has `status: false` and a code.
import { nairaOf, type Order } from './books.ts';
import type { Verdict } from './plan.ts';
import type { Teller } from './teller.ts';
import type { Answer, Asked } from './wire.ts';

export const PAYSTACK_KEY = `sk_test_${'5f'.repeat(20)}`;

/** The codes of refused calls. The bank reports every other refusal as a status word of the transfer. */
const CALL_CODES: Readonly<Record<string, string>> = {
  insufficient_balance: 'Your balance is not enough to fulfil this request',
  duplicate_reference: 'Please provide a unique reference. Reference already exists on a transfer',
};
const SEEN_AT = '2026-11-17T12:00:00.000Z';

interface Recipient {
  readonly code: string;
  readonly account: string;
  readonly bank: string;
  readonly name: string;
}

export function answerAsPaystack(teller: Teller): (asked: Asked) => Answer {
  const recipients = new Map<string, Recipient>();
  return (asked) => {
    const { method, path, query, body, headers } = asked;
    if (headers.authorization !== `Bearer ${PAYSTACK_KEY}`) {
      return refusedCall(401, 'invalid_Key', 'Invalid key');
    }
    if (method === 'GET' && path === '/bank/resolve') return nameOf(teller, query);
    if (method === 'POST' && path === '/transferrecipient') return recipientOf(teller, recipients, body);
    if (method === 'POST' && path === '/transfer') return transfer(teller, recipients, body);
    if (method === 'GET' && path.startsWith('/transfer/verify/')) {
      return verified(teller, decodeURIComponent(path.slice('/transfer/verify/'.length)));
    }
    if (method === 'GET' && path === '/transfer') return listed(teller, query);
    if (method === 'GET' && path === '/balance') return balance(teller);
    if (method === 'GET' && path === '/transaction') {
      teller.books.note('paystack', 'credits');
      return ok('Transactions retrieved', [], {
        meta: { total: 0, skipped: 0, perPage: 50, page: 1, pageCount: 0 },
      });
    }
    teller.books.unknown.add(`paystack ${method} ${path}`);
    return refusedCall(404, 'unknown', 'Not found');
  };
}

function nameOf(teller: Teller, query: URLSearchParams): Answer {
  const account_number = query.get('account_number') ?? '';
  if (!teller.knowsName(account_number)) return { status: 200, body: '', wire: 'error_500' };
  return ok('Account number resolved', { account_number, account_name: 'ADAEZE OKAFOR', bank_id: 9 });
}

function recipientOf(teller: Teller, recipients: Map<string, Recipient>, body: Asked['body']): Answer {
  const account = String(body.account_number);
  teller.books.note('paystack', 'recipient', { account });
  const recipient = {
    code: `RCP_${account}`,
    account,
    bank: String(body.bank_code),
    name: String(body.name),
  };
  recipients.set(recipient.code, recipient);
  return { ...ok('Transfer recipient created successfully', recipientBody(recipient)), status: 201 };
}

function recipientBody({ code, account, bank, name }: Recipient) {
  return {
    ...{ active: true, createdAt: SEEN_AT, currency: 'NGN', domain: 'test', id: Number(account.slice(-6)) },
    ...{
      integration: 463_433,
      name,
      recipient_code: code,
      type: 'nuban',
      updatedAt: SEEN_AT,
      is_deleted: false,
    },
    details: {
      ...{ authorization_code: null, account_number: account, account_name: 'ADAEZE OKAFOR' },
      ...{ bank_code: bank, bank_name: 'Guaranty Trust Bank' },
    },
  };
}

function transfer(teller: Teller, recipients: Map<string, Recipient>, body: Asked['body']): Answer {
  const recipient = recipients.get(String(body.recipient));
  if (recipient === undefined)
    return refusedCall(404, 'transfer_recipient_not_found', 'Recipient specified is invalid');
  const reference = String(body.reference);
  const { says, wire, isRepeat, afterwards } = teller.take({
    ...{ rail: 'paystack', reference, account: recipient.account, kobo: BigInt(String(body.amount)) },
  });
  const code = isRepeat ? 'duplicate_reference' : says.word === 'refused' ? says.code : '';
  if (code in CALL_CODES) return { ...refusedCall(400, code, CALL_CODES[code]!), wire, afterwards };
  const data = {
    ...{ reference, integration: 463_433, domain: 'test', amount: Number(body.amount), currency: 'NGN' },
    ...{ source: 'balance', reason: body.reason ?? '', recipient: Number(recipient.account.slice(-6)) },
    ...{ transfer_code: `TRF_${reference}`, id: 860_670_817, createdAt: SEEN_AT, updatedAt: SEEN_AT },
  };
  return { ...stated('Transfer has been queued', data, says), wire, afterwards };
}

function verified(teller: Teller, reference: string): Answer {
  const { says, wire, order, afterwards } = teller.answer(reference);
  if (order === undefined) {
    return { ...refusedCall(404, 'transfer_not_found', 'Transfer not found'), wire, afterwards };
  }
  // At the real bank, a refused call may create no record or a failed record. Here it creates a failed record.
  const said: Verdict =
    says.word === 'refused' && says.code in CALL_CODES ? { word: 'refused', code: 'failed' } : says;
  return { ...stated('Transfer retrieved', transferBody(order), said), wire, afterwards };
}

function transferBody({ reference, account, kobo }: Order) {
  const recipient = { code: `RCP_${account}`, account, bank: '058', name: 'ADAEZE OKAFOR' };
  return {
    ...{ amount: Number(kobo), createdAt: SEEN_AT, currency: 'NGN', domain: 'test', failures: null },
    ...{ id: 860_670_817, integration: 463_433, reason: 'Payout', reference, source: 'balance' },
    ...{ source_details: null, titan_code: null, transfer_code: `TRF_${reference}`, request: 1_068_403_325 },
    ...{ transferred_at: null, updatedAt: SEEN_AT, recipient: recipientBody(recipient) },
    ...{
      session: { provider: null, id: null },
      fee_charged: 0,
      fees_breakdown: null,
      gateway_response: null,
    },
  };
}

function listed(teller: Teller, query: URLSearchParams): Answer {
  const perPage = Number(query.get('perPage') ?? 50);
  const page = Number(query.get('page') ?? 1);
  const all = teller.list();
  const data = all
    .slice((page - 1) * perPage, page * perPage)
    .map((paid) => ({ ...transferBody(paid), status: 'success' }));
  const meta = { total: all.length, skipped: 0, perPage, page, pageCount: Math.ceil(all.length / perPage) };
  return ok('Transfers retrieved', data, { meta });
}

function balance(teller: Teller): Answer {
  const left = teller.balance();
  if (left === null) return { status: 200, body: '', wire: 'error_500' };
  return ok('Balances retrieved', [{ currency: 'NGN', balance: Number(left) }]);
}

/** Returns a response with the status word of a transfer. If the bank contradicts itself, the response has two status words. */
function stated(message: string, data: object, says: Verdict): Answer {
  if (says.word !== 'both') {
    const reason = says.word === 'refused' ? { gateway_response: says.reason ?? null } : {};
    return ok(message, { ...data, ...reason, status: wordOf(says) });
  }
  const text = `${JSON.stringify({ ...data, status: 'success' }).slice(0, -1)},"status":"${says.code}"}`;
  return { status: 200, body: `{"status":true,"message":"${message}","data":${text}}` };
}

function wordOf(says: Verdict): string {
  if (says.word === 'paid') return 'success';
  return says.word === 'refused' ? says.code : 'pending';
}

function ok(message: string, data: object, more: object = {}): Answer {
  return { status: 200, body: { status: true, message, data, ...more } };
}

function refusedCall(status: number, code: string, message: string): Answer {
  const type = status === 401 || status === 404 ? 'validation_error' : 'api_error';
  return { status, body: { status: false, message, meta: { nextStep: 'Try again later' }, type, code } };
}

export function paystackEvent(order: Order, says: 'paid' | 'failed'): string {
  const [event, status] = says === 'paid' ? ['transfer.success', 'success'] : ['transfer.failed', 'failed'];
  return JSON.stringify({ event, data: { ...transferBody(order), status, naira: nairaOf(order.kobo) } });
}
