// Money that arrives on dedicated accounts at Paystack: as transactions that can be listed and verified. The payer's account
// number is masked but for its last digits.
import type { Bank } from '../books/bank.ts';
import type { Credit, OwnAccount } from '../books/entries.ts';
import { nuban } from '../books/identifiers.ts';
import { bankByCbn, bankByNip } from '../books/known-banks.ts';
import type { Notices } from '../http/notices.ts';
import type { Answer, BankRequest, Route } from '../http/server.ts';
import { isoOf, notFound, paged, success } from './answers.ts';
import { codeOf, slugOf } from './recipients.ts';

export function creditRoutes(bank: Bank, notices: () => Notices): readonly Route[] {
  const get = (path: RegExp, handle: Route['handle']): Route => ({
    ...{ method: 'GET', path, operation: 'credits', handle },
  });
  return [
    get(/^\/transaction$/, (request) => list(bank, request)),
    get(/^\/transaction\/verify\/([^/]+)$/, ({ params }) => {
      const credit = bank.books.creditsOf('paystack').find(({ reference }) => reference === params[0]);
      if (credit === undefined) return notFound('Transaction reference not found.', 'transaction_not_found');
      return success('Verification successful', transactionRow(bank, credit));
    }),
    get(/^\/dedicated_account$/, (request) =>
      paged(request, accountsOf(bank), {
        message: 'Managed accounts successfully retrieved',
        show: accountRow,
      }),
    ),
    get(/^\/dedicated_account\/requery$/, (request) => requery(bank, request, notices())),
    get(/^\/dedicated_account\/(\d+)$/, ({ params }) => {
      const account = accountsOf(bank).find(({ id }) => id === Number(params[0]));
      if (account === undefined)
        return notFound('Dedicated account not found', 'dedicated_account_not_found');
      return success('Customer retrieved', accountRow(account));
    }),
    {
      ...{ method: 'POST', path: /^\/dedicated_account$/, operation: 'credits' },
      handle: (request) => create(bank, request),
    },
  ];
}

const accountsOf = (bank: Bank): OwnAccount[] =>
  bank.books.ownAccounts.filter(({ rail, reference }) => rail === 'paystack' && reference.startsWith('CUS_'));

function list(bank: Bank, request: BankRequest): Answer {
  const status = request.query.get('status');
  const rows = bank.books
    .creditsOf('paystack')
    .filter((credit) => status === null || status === statusOf(bank, credit));
  return paged(request, rows, {
    message: 'Transactions retrieved',
    show: (credit) => transactionRow(bank, credit),
  });
}

/** Asks the bank again: what it knows of that day is reported once more. */
function requery(bank: Bank, { query }: BankRequest, notices: Notices): Answer {
  const [number, date] = [query.get('account_number'), query.get('date')];
  for (const credit of bank.books.creditsOf('paystack'))
    if (credit.account === number && (date === null || isoOf(credit.at).startsWith(date)))
      notices.again(credit);
  const message =
    'We are checking the status of your transfer. We will send you a notification once it is confirmed';
  return { status: 200, body: { status: true, message } };
}

function create(bank: Bank, { json }: BankRequest): Answer {
  const id = bank.books.nextId();
  const [nip, at] = [bankByCbn('035')!.nip, bank.books.now()];
  const number = nuban('035', `88${String(id).padStart(7, '0')}`);
  const name = `SLIPROAD/${String(json.customer ?? 'CUSTOMER')}`.toUpperCase();
  const account = { rail: 'paystack', id, nip, number, name, reference: codeOf('CUS_', id), at } as const;
  bank.books.write({ type: 'own-account', account });
  return success('NUBAN successfully created', accountRow(account));
}

function accountRow({ id, nip, number, name, reference, at }: OwnAccount) {
  const known = bankByNip(nip);
  return {
    customer: customerOf(reference),
    bank: { name: known?.name ?? '', id: 20, slug: slugOf(known?.name ?? '') },
    id,
    account_name: name,
    account_number: number,
    created_at: isoOf(at),
    updated_at: isoOf(at),
    currency: 'NGN',
    split_config: null,
    active: true,
    assigned: true,
  };
}

function customerOf(code: string) {
  return {
    id: 1_530_104,
    first_name: 'Sliproad',
    last_name: 'Vendor',
    email: 'vendor@sliproad.example',
    customer_code: code,
    phone: null,
    metadata: null,
    risk_action: 'default',
    international_format_phone: null,
  };
}

const statusOf = (bank: Bank, credit: Credit): string =>
  bank.books.isTakenBack(credit) ? 'reversed' : 'success';

export function transactionRow(bank: Bank, credit: Credit) {
  const account = accountsOf(bank).find(({ number }) => number === credit.account);
  const receiverBank = bankByNip(account?.nip ?? '')?.name ?? '';
  const [amount, at] = [Number(credit.amountKobo), isoOf(credit.at)];
  return {
    id: credit.id,
    domain: 'live',
    status: statusOf(bank, credit),
    reference: credit.reference,
    amount,
    message: null,
    gateway_response: 'Approved',
    paid_at: at,
    created_at: at,
    channel: 'dedicated_nuban',
    currency: 'NGN',
    ip_address: null,
    metadata: {
      receiver_account_number: credit.account,
      receiver_bank: receiverBank,
      receiver_account_type: null,
      custom_fields: [],
    },
    fees_breakdown: null,
    log: null,
    fees: Number(credit.feeKobo),
    fees_split: null,
    authorization: authorizationOf(credit, receiverBank),
    customer: customerOf(account?.reference ?? ''),
    plan: {},
    subaccount: {},
    split: {},
    order_id: null,
    paidAt: at,
    createdAt: at,
    requested_amount: credit.dueKobo === undefined ? amount : Number(credit.dueKobo),
    pos_transaction_data: null,
  };
}

function authorizationOf({ id, payer, narration, account }: Credit, receiverBank: string) {
  const shown = {
    usual: `XXXXXX${payer.number.slice(-4)}`,
    full: payer.number,
    blank: '',
    null: null,
  }[payer.shown];
  const isShown = payer.shown === 'usual' || payer.shown === 'full';
  return {
    authorization_code: codeOf('AUTH_', id),
    bin: `${payer.number.slice(0, 3)}XXX`,
    last4: payer.number.slice(-4),
    exp_month: '12',
    exp_year: '2030',
    channel: 'dedicated_nuban',
    card_type: 'transfer',
    bank: isShown ? (bankByNip(payer.nip)?.name ?? null) : null,
    country_code: 'NG',
    brand: 'Managed Account',
    reusable: false,
    signature: null,
    account_name: null,
    sender_country: 'NG',
    sender_bank: isShown ? (bankByNip(payer.nip)?.name ?? null) : null,
    sender_bank_account_number: shown,
    sender_name: isShown ? payer.name : shown,
    narration,
    receiver_bank_account_number: account,
    receiver_bank: receiverBank,
  };
}
