// The API for payouts of a bank like Providus: name enquiry, NIP transfer, its status, and the balance of the account.
import type { BankCore, ProviderManners, TransferOrder } from '../books/bank.ts';
import type { OwnAccount } from '../books/entries.ts';
import { bankByNip, cbnCodeOf, KNOWN_BANKS } from '../books/known-banks.ts';
import { nairaText, parseNairaAsKobo } from '../books/money.ts';
import type { BankRequest, BankRoute, LocalBankAnswer } from '../http/server.ts';
import { codeBody, codeOfReason, codeOfStanding } from './codes.ts';
import { providusTime } from './times.ts';

export interface PostingLogin {
  readonly userName: string;
  readonly password: string;
}

export const PROVIDUS_NIP = '000023';
const PAID = [{ afterMs: 0, state: 'paid' }] as const;
const WAYS: ProviderManners = {
  senderNip: PROVIDUS_NIP,
  paid: PAID,
  refused: (reason) => [{ afterMs: 0, state: 'failed', reason }],
  words: { '00': 'paid', '36': 'paid', '32': 'failed', '51': 'failed' },
};

export function postingRoutes(
  bank: BankCore,
  login: PostingLogin,
  ours: () => OwnAccount,
): readonly BankRoute[] {
  const guarded =
    (handle: (request: BankRequest) => LocalBankAnswer) =>
    (request: BankRequest): LocalBankAnswer => {
      const { userName, password } = request.json;
      const isRight = userName === login.userName && password === login.password;
      return isRight ? handle(request) : okAnswer(codeBody('8004'));
    };
  const post = (name: string) => ({ method: 'POST', path: new RegExp(`/${name}$`) }) as const;
  const subject = ({ json }: BankRequest) => ({
    account: textOf(json.beneficiaryAccountNumber ?? json.accountNumber),
    reference: textOf(json.transactionReference),
  });
  return [
    {
      ...{ method: 'GET', path: /\/GetNIPBanks$/, operation: 'banks' },
      handle: () =>
        okAnswer({ banks: KNOWN_BANKS.map(bankRow), responseMessage: 'SUCCESS', responseCode: '00' }),
    },
    {
      ...{ ...post('GetNIPAccount'), operation: 'name', subject },
      handle: guarded((request) => enquireName(bank, request)),
    },
    {
      ...{ ...post('NIPFundTransfer'), operation: 'pay', subject },
      handle: guarded((request) => orderTransfer(bank, request)),
    },
    {
      ...{ ...post('GetNIPTransactionStatus'), operation: 'status', subject },
      handle: guarded((request) => readStatus(bank, request)),
    },
    {
      ...{ ...post('GetProvidusAccount'), operation: 'balance', subject },
      handle: guarded((request) => readAccount(bank, request, ours())),
    },
  ];
}

const bankRow = ({ nip, name }: (typeof KNOWN_BANKS)[number]) => ({
  bankCode: nip,
  bankName: name.toUpperCase(),
});

function enquireName(bank: BankCore, { json }: BankRequest): LocalBankAnswer {
  const [nip, number] = [nipOf(json.beneficiaryBank), textOf(json.accountNumber)];
  const owner = bank.enquire('providus', nip, number);
  const found = {
    bankCode: textOf(json.beneficiaryBank),
    accountNumber: number,
    transactionReference: '',
    bvn: '',
  };
  if (!owner.ok) return okAnswer({ ...found, accountName: '', ...codeBody(codeOfReason(owner.reason)) });
  return okAnswer({ ...found, accountName: owner.name, ...codeBody('00') });
}

function orderTransfer(bank: BankCore, { json }: BankRequest): LocalBankAnswer {
  const reference = textOf(json.transactionReference);
  const amountKobo = parseNairaAsKobo(json.transactionAmount);
  const refuse = (code: string) =>
    okAnswer({ transactionReference: reference, sessionId: '', ...codeBody(code) });
  if (reference === '' || json.currencyCode !== 'NGN') return refuse('30');
  if (amountKobo === undefined || amountKobo === 0n) return refuse('13');
  if (bank.books.payout('providus', reference) !== undefined) return refuse('26');
  const order: TransferOrder = {
    ...{ rail: 'providus', reference, amountKobo, nip: nipOf(json.beneficiaryBank) },
    number: textOf(json.beneficiaryAccountNumber),
    name: textOf(json.beneficiaryAccountName),
    narration: textOf(json.narration),
  };
  const payout = bank.send(order, WAYS, bank.refusal(order, { comparesName: false }));
  const code = codeOfStanding(bank.books.standing(payout));
  const { sessionId } = payout;
  // In the response to a failed transfer, the session id field contains the message.
  const session = code === '32' ? codeBody(code).responseMessage : sessionId;
  return okAnswer({ transactionReference: reference, sessionId: session, ...codeBody(code) });
}

function readStatus(bank: BankCore, { json }: BankRequest): LocalBankAnswer {
  const reference = textOf(json.transactionReference);
  const looked = bank.lookUp('providus', reference);
  if (looked.found === undefined)
    return okAnswer({ transactionReference: reference, ...codeBody(looked.code ?? '01') });
  const payout = looked.found;
  return okAnswer({
    amount: nairaText(payout.amountKobo),
    recipientBankCode: payout.nip,
    recipientAccountNumber: payout.number,
    transactionReference: reference,
    transactionDateTime: providusTime(payout.at),
    currency: 'NGN',
    ...codeBody(codeOfStanding(bank.books.standing(payout))),
  });
}

function readAccount(bank: BankCore, { json }: BankRequest, ours: OwnAccount): LocalBankAnswer {
  const number = textOf(json.accountNumber);
  if (number !== ours.number) return okAnswer({ accountNumber: number, ...codeBody('07') });
  return okAnswer({
    accountNumber: number,
    accountName: ours.name,
    accountStatus: 'ACTIVE',
    availableBalance: nairaText(bank.shownBalance('providus', number)),
    emailAddress: '',
    phoneNumber: '',
    bvn: '',
    ...codeBody('00'),
  });
}

const okAnswer = (body: unknown): LocalBankAnswer => ({ status: 200, body });
export const textOf = (value: unknown): string =>
  value === undefined || value === null ? '' : String(value);

/** The bank also accepts three-digit CBN codes, as the documentation of GetNIPAccount says. */
function nipOf(value: unknown): string {
  const code = textOf(value);
  if (bankByNip(code) !== undefined) return code;
  return KNOWN_BANKS.find((each) => cbnCodeOf(each) === code)?.nip ?? code;
}
