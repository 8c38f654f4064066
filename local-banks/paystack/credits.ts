// Money that arrives on dedicated accounts at Paystack. A client can list and verify these transactions. The account number of
// the payer is masked except for its last digits.
import type { BankCore } from '../books/bank.ts';
import type { Credit, OwnAccount } from '../books/entries.ts';
import { makeNuban } from '../books/identifiers.ts';
import { bankByCbn, bankByNip } from '../books/known-banks.ts';
import type { BankWebhooks } from '../http/bank-webhooks.ts';
import type { BankRequest, BankRoute, LocalBankAnswer } from '../http/server.ts';
import { paystackIsoTime, paystackNotFound, paystackPage, paystackSuccess } from './answers.ts';
import { makeRandomLookingCode, slugOf } from './recipients.ts';

export function dedicatedAccountRoutes(bank: BankCore, notices: () => BankWebhooks): readonly BankRoute[] {
  const get = (path: RegExp, handle: BankRoute['handle']): BankRoute => ({
    ...{ method: 'GET', path, operation: 'credits', handle },
  });
  return [
    get(/^\/transaction$/, (request) => listTransactions(bank, request)),
    get(/^\/transaction\/verify\/([^/]+)$/, ({ params }) => {
      const credit = bank.books.creditsOf('paystack').find(({ reference }) => reference === params[0]);
      if (credit === undefined)
        return paystackNotFound('Transaction reference not found.', 'transaction_not_found');
      return paystackSuccess('Verification successful', transactionRow(bank, credit));
    }),
    get(/^\/dedicated_account$/, (request) =>
      paystackPage(request, accountsOf(bank), {
        message: 'Managed accounts successfully retrieved',
        show: accountRow,
      }),
    ),
    get(/^\/dedicated_account\/requery$/, (request) => requeryAccount(bank, request, notices())),
    get(/^\/dedicated_account\/(\d+)$/, ({ params }) => {
      const account = accountsOf(bank).find(({ id }) => id === Number(params[0]));
      if (account === undefined)
        return paystackNotFound('Dedicated account not found', 'dedicated_account_not_found');
      return paystackSuccess('Customer retrieved', accountRow(account));
    }),
    {
      ...{ method: 'POST', path: /^\/dedicated_account$/, operation: 'credits' },
      handle: (request) => createAccount(bank, request),
    },
  ];
}

const accountsOf = (bank: BankCore): OwnAccount[] =>
  bank.books.ownAccounts.filter(({ rail, reference }) => rail === 'paystack' && reference.startsWith('CUS_'));

function listTransactions(bank: BankCore, request: BankRequest): LocalBankAnswer {
  const status = request.query.get('status');
  const rows = bank.books
    .creditsOf('paystack')
    .filter((credit) => status === null || status === statusOf(bank, credit));
  return paystackPage(request, rows, {
    message: 'Transactions retrieved',
    show: (credit) => transactionRow(bank, credit),
  });
}

/** At this request, the bank reports its credits of that day again. */
function requeryAccount(bank: BankCore, { query }: BankRequest, notices: BankWebhooks): LocalBankAnswer {
  const [number, date] = [query.get('account_number'), query.get('date')];
  for (const credit of bank.books.creditsOf('paystack'))
    if (credit.account === number && (date === null || paystackIsoTime(credit.at).startsWith(date)))
      notices.again(credit);
  const message =
    'We are checking the status of your transfer. We will send you a notification once it is confirmed';
  return { status: 200, body: { status: true, message } };
}

function createAccount(bank: BankCore, { json }: BankRequest): LocalBankAnswer {
  const id = bank.books.nextId();
  const [nip, at] = [bankByCbn('035')!.nip, bank.books.now()];
  const number = makeNuban('035', `88${String(id).padStart(7, '0')}`);
  const name = `SLIPROAD/${String(json.customer ?? 'CUSTOMER')}`.toUpperCase();
  const account = {
    rail: 'paystack',
    id,
    nip,
    number,
    name,
    reference: makeRandomLookingCode('CUS_', id),
    at,
  } as const;
  bank.books.write({ type: 'own-account', account });
  return paystackSuccess('NUBAN successfully created', accountRow(account));
}

function accountRow({ id, nip, number, name, reference, at }: OwnAccount) {
  const known = bankByNip(nip);
  return {
    customer: customerOf(reference),
    bank: { name: known?.name ?? '', id: 20, slug: slugOf(known?.name ?? '') },
    id,
    account_name: name,
    account_number: number,
    created_at: paystackIsoTime(at),
    updated_at: paystackIsoTime(at),
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

const statusOf = (bank: BankCore, credit: Credit): string =>
  bank.books.isTakenBack(credit) ? 'reversed' : 'success';

export function transactionRow(bank: BankCore, credit: Credit) {
  const account = accountsOf(bank).find(({ number }) => number === credit.account);
  const receiverBank = bankByNip(account?.nip ?? '')?.name ?? '';
  const [amount, at] = [Number(credit.amountKobo), paystackIsoTime(credit.at)];
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
    authorization_code: makeRandomLookingCode('AUTH_', id),
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
