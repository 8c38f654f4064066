// The posting API of a Providus-style bank: name enquiry, transfer over NIP, its status, and the balance of the account.
import type { Bank, Order, Ways } from '../books/bank.ts';
import type { OwnAccount } from '../books/entries.ts';
import { bankByNip, cbnCodeOf, KNOWN_BANKS } from '../books/known-banks.ts';
import { koboOfNaira, nairaText } from '../books/money.ts';
import type { Answer, BankRequest, Route } from '../http/server.ts';
import { coded, codeOf, codeOfReason } from './codes.ts';
import { lagosText } from './times.ts';

export interface PostingLogin {
  readonly userName: string;
  readonly password: string;
}

export const PROVIDUS_NIP = '000023';
const PAID = [{ afterMs: 0, state: 'paid' }] as const;
const WAYS: Ways = {
  senderNip: PROVIDUS_NIP,
  paid: PAID,
  refused: (reason) => [{ afterMs: 0, state: 'failed', reason }],
  words: { '00': 'paid', '36': 'paid', '32': 'failed', '51': 'failed' },
};

export function postingRoutes(bank: Bank, login: PostingLogin, ours: () => OwnAccount): readonly Route[] {
  const guarded =
    (handle: (request: BankRequest) => Answer) =>
    (request: BankRequest): Answer => {
      const { userName, password } = request.json;
      const isRight = userName === login.userName && password === login.password;
      return isRight ? handle(request) : ok(coded('8004'));
    };
  const post = (name: string) => ({ method: 'POST', path: new RegExp(`/${name}$`) }) as const;
  const subject = ({ json }: BankRequest) => ({
    account: textOf(json.beneficiaryAccountNumber ?? json.accountNumber),
    reference: textOf(json.transactionReference),
  });
  return [
    {
      ...{ method: 'GET', path: /\/GetNIPBanks$/, operation: 'banks' },
      handle: () => ok({ banks: KNOWN_BANKS.map(bankRow), responseMessage: 'SUCCESS', responseCode: '00' }),
    },
    {
      ...{ ...post('GetNIPAccount'), operation: 'name', subject },
      handle: guarded((request) => enquire(bank, request)),
    },
    {
      ...{ ...post('NIPFundTransfer'), operation: 'pay', subject },
      handle: guarded((request) => transfer(bank, request)),
    },
    {
      ...{ ...post('GetNIPTransactionStatus'), operation: 'status', subject },
      handle: guarded((request) => status(bank, request)),
    },
    {
      ...{ ...post('GetProvidusAccount'), operation: 'balance', subject },
      handle: guarded((request) => account(bank, request, ours())),
    },
  ];
}

const bankRow = ({ nip, name }: (typeof KNOWN_BANKS)[number]) => ({
  bankCode: nip,
  bankName: name.toUpperCase(),
});

function enquire(bank: Bank, { json }: BankRequest): Answer {
  const [nip, number] = [nipOf(json.beneficiaryBank), textOf(json.accountNumber)];
  const owner = bank.enquire('providus', nip, number);
  const found = {
    bankCode: textOf(json.beneficiaryBank),
    accountNumber: number,
    transactionReference: '',
    bvn: '',
  };
  if (!owner.ok) return ok({ ...found, accountName: '', ...coded(codeOfReason(owner.reason)) });
  return ok({ ...found, accountName: owner.name, ...coded('00') });
}

function transfer(bank: Bank, { json }: BankRequest): Answer {
  const reference = textOf(json.transactionReference);
  const amountKobo = koboOfNaira(json.transactionAmount);
  const refuse = (code: string) => ok({ transactionReference: reference, sessionId: '', ...coded(code) });
  if (reference === '' || json.currencyCode !== 'NGN') return refuse('30');
  if (amountKobo === undefined || amountKobo === 0n) return refuse('13');
  if (bank.books.payout('providus', reference) !== undefined) return refuse('26');
  const order: Order = {
    ...{ rail: 'providus', reference, amountKobo, nip: nipOf(json.beneficiaryBank) },
    number: textOf(json.beneficiaryAccountNumber),
    name: textOf(json.beneficiaryAccountName),
    narration: textOf(json.narration),
  };
  const payout = bank.send(order, WAYS, bank.refusal(order, { comparesName: false }));
  const code = codeOf(bank.books.standing(payout));
  const { sessionId } = payout;
  // A transfer that did not go through has its message where the session id is otherwise.
  const session = code === '32' ? coded(code).responseMessage : sessionId;
  return ok({ transactionReference: reference, sessionId: session, ...coded(code) });
}

function status(bank: Bank, { json }: BankRequest): Answer {
  const reference = textOf(json.transactionReference);
  const looked = bank.lookUp('providus', reference);
  if (looked.found === undefined)
    return ok({ transactionReference: reference, ...coded(looked.code ?? '01') });
  const payout = looked.found;
  return ok({
    amount: nairaText(payout.amountKobo),
    recipientBankCode: payout.nip,
    recipientAccountNumber: payout.number,
    transactionReference: reference,
    transactionDateTime: lagosText(payout.at),
    currency: 'NGN',
    ...coded(codeOf(bank.books.standing(payout))),
  });
}

function account(bank: Bank, { json }: BankRequest, ours: OwnAccount): Answer {
  const number = textOf(json.accountNumber);
  if (number !== ours.number) return ok({ accountNumber: number, ...coded('07') });
  return ok({
    accountNumber: number,
    accountName: ours.name,
    accountStatus: 'ACTIVE',
    availableBalance: nairaText(bank.shownBalance('providus', number)),
    emailAddress: '',
    phoneNumber: '',
    bvn: '',
    ...coded('00'),
  });
}

const ok = (body: unknown): Answer => ({ status: 200, body });
export const textOf = (value: unknown): string =>
  value === undefined || value === null ? '' : String(value);

/** Three digits of the CBN are accepted too, as the documentation of GetNIPAccount says. */
function nipOf(value: unknown): string {
  const code = textOf(value);
  if (bankByNip(code) !== undefined) return code;
  return KNOWN_BANKS.find((each) => cbnCodeOf(each) === code)?.nip ?? code;
}
