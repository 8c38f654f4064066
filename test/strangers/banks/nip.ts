// Imitates a bank with NIP transfers in the style of Providus, as its public pages describe it. The service sends JSON by POST
// to the name of the call, and amounts in naira are text. The response code has two digits, and the service queries the status
// of a transfer by its reference.
import { koboOfNaira, nairaOf } from './books.ts';
import type { Verdict } from './plan.ts';
import type { Teller } from './teller.ts';
import type { Answer, Asked } from './wire.ts';

export const NIP_LOGIN = { userName: 'stranger', password: 'a password of a stranger' } as const;

/** The codes that public tables of NIP transfers list as refusals, with their texts. */
export const NIP_REFUSALS: Readonly<Record<string, string>> = {
  '06': 'Dormant account',
  '07': 'Invalid account',
  '08': 'Account name mismatch',
  '12': 'Invalid transaction',
  '16': 'Unknown bank code',
  '51': 'No sufficient funds',
  '57': 'Transaction not permitted to sender',
  '58': 'Transaction not permitted on channel',
  '61': 'Transfer limit exceeded',
};

const SUCCESS = 'Approved or completed successfully';

export function answerAsNipBank(teller: Teller, ownAccount: string): (asked: Asked) => Answer {
  return ({ method, path, body }) => {
    const call = path.slice(path.lastIndexOf('/') + 1);
    if (call === 'GetNIPBanks') return { status: 200, body: { banks: [], responseCode: '00' } };
    if (method !== 'POST') return { status: 405, body: {} };
    if (body.userName !== NIP_LOGIN.userName || body.password !== NIP_LOGIN.password) {
      return { status: 200, body: { responseCode: '8004', responseMessage: 'Authentication Failed' } };
    }
    if (call === 'GetNIPAccount')
      return nameOf(teller, String(body.accountNumber), String(body.beneficiaryBank));
    if (call === 'GetProvidusAccount') return balanceOf(teller, ownAccount);
    if (call === 'NIPFundTransfer') return transfer(teller, body);
    if (call === 'GetNIPTransactionStatus') return statusOf(teller, String(body.transactionReference));
    teller.books.unknown.add(`providus ${path}`);
    return { status: 404, body: { message: `no such call: ${call}` } };
  };
}

function nameOf(teller: Teller, accountNumber: string, bankCode: string): Answer {
  if (!teller.knowsName(accountNumber)) return { status: 200, body: '', wire: 'error_500' };
  return {
    status: 200,
    body: {
      ...{ bankCode, accountName: 'ADAEZE OKAFOR', accountNumber, bvn: '22222222222' },
      ...{ transactionReference: '000023261117120000000000000001' },
      ...{ responseMessage: SUCCESS, responseCode: '00' },
    },
  };
}

function balanceOf(teller: Teller, accountNumber: string): Answer {
  const balance = teller.balance();
  if (balance === null) return { status: 200, body: '', wire: 'error_500' };
  const availableBalance = nairaOf(balance);
  const account = {
    accountStatus: 'ACTIVE',
    accountName: 'STRANGER LIMITED',
    accountNumber,
    availableBalance,
  };
  return { status: 200, body: { ...account, responseMessage: 'SUCCESSFUL', responseCode: '00' } };
}

function transfer(teller: Teller, body: Asked['body']): Answer {
  const reference = String(body.transactionReference);
  const { says, wire, isRepeat, afterwards } = teller.take({
    ...{ rail: 'providus', reference, account: String(body.beneficiaryAccountNumber) },
    kobo: koboOfNaira(String(body.transactionAmount)),
  });
  const [code, text] = isRepeat ? ['26', 'Duplicate record'] : codeOf(says);
  const session = code === '00' || says.word === 'both' ? { sessionId: sessionOf(reference) } : {};
  const whole = { transactionReference: reference, ...session, responseMessage: text, responseCode: code };
  return { status: 200, body: says.word === 'both' ? twice(whole, says.code) : whole, wire, afterwards };
}

function statusOf(teller: Teller, reference: string): Answer {
  const { says, wire, order, afterwards } = teller.answer(reference);
  const [code, text] = order === undefined ? ['25', 'Unable to locate record'] : codeOf(says);
  const found = order !== undefined && {
    ...{ amount: nairaOf(order.kobo), recipientBankCode: '000013', recipientAccountNumber: order.account },
    ...{ transactionDateTime: '2026-11-17 12:00:00', currency: 'NGN' },
    ...(code === '00' ? { sessionId: sessionOf(reference) } : {}),
  };
  const whole = { ...found, transactionReference: reference, responseMessage: text, responseCode: code };
  return { status: 200, body: says.word === 'both' ? twice(whole, says.code) : whole, wire, afterwards };
}

function codeOf(says: Verdict): readonly [code: string, text: string] {
  if (says.word === 'paid' || says.word === 'both') return ['00', SUCCESS];
  if (says.word === 'pending') return ['09', 'Request processing in progress'];
  if (says.word === 'not_found') return ['25', 'Unable to locate record'];
  return [says.code, NIP_REFUSALS[says.code] ?? 'Refused'];
}

function twice(whole: object, code: string): string {
  return `${JSON.stringify(whole).slice(0, -1)},"responseMessage":"${NIP_REFUSALS[code]}","responseCode":"${code}"}`;
}

/** Makes a session id of 30 digits: the institution, a time, and twelve digits that are unique to this reference. */
function sessionOf(reference: string): string {
  let digest = 0;
  for (const letter of reference) digest = (digest * 31 + letter.codePointAt(0)!) % 999_999_999_989;
  return `000023261117120000${String(digest).padStart(12, '0')}`;
}
