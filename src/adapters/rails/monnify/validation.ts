// Answers Monnify's validation request before a payout (developers.monnify.com, docs/disbursements/transaction-validation). The
// documentation has the words APPROVE and REJECT, and says that every other answer means no. It does not contain the field
// names or the proof of the caller. So the names are settings whose defaults are the names in a disbursement. The proof is the
// same as for Monnify's other calls: HMAC-SHA512 of the bytes.
import type { ApprovalRequest } from '../../../domain/rails/approval-request.ts';
import type {
  ParsedRailQuestion,
  PayoutValidation,
  RailAccount,
  RailQuestion,
} from '../../../ports/rails/rail.ts';
import { fieldOf, numberTextOf, readJson, textOf } from '../../json.ts';
import { parseNairaAsKobo } from '../connection/amounts-and-times.ts';
import { hasValidHmac, isFromAddress, isSameSecret } from '../connection/caller-proof.ts';
import { type MonnifySettings, VALIDATION_FIELDS, type ValidationFields } from './settings.ts';

export interface ValidationParts {
  readonly settings: Pick<MonnifySettings, 'secretKey' | 'validation'>;
  readonly account: RailAccount;
  /** Returns the service's bank code for Monnify's bank code, or null if Monnify's code is not known. */
  readonly bankOf: (code: string) => string | null;
}

const REFERENCE = /^[\w.:|-]{1,100}$/;
const ACCOUNT_NUMBER = /^\d{10}$/;

export function makeMonnifyValidation({ settings, account, bankOf }: ValidationParts): PayoutValidation {
  const fields = { ...VALIDATION_FIELDS, ...settings.validation.fields };
  return {
    place: 'monnify',
    answer: (approved) => ({ [fields.answer]: approved ? 'APPROVE' : 'REJECT' }),
    read: (question) =>
      isFromMonnify(settings, question)
        ? readQuestion(question.body, { fields, account, bankOf })
        : { kind: 'forged' },
  };
}

/** The key in the path replaces the signature if Monnify does not sign this call. */
function isFromMonnify(
  { secretKey, validation: { addresses, pathKey } }: ValidationParts['settings'],
  question: RailQuestion,
): boolean {
  const { pathKey: given } = question;
  if (!isFromAddress(addresses, question)) return false;
  if (pathKey !== null) return given !== null && isSameSecret(given, pathKey());
  return given === null && hasValidHmac(question, 'monnify-signature', secretKey());
}

interface QuestionContext {
  readonly fields: ValidationFields;
  readonly account: RailAccount;
  bankOf(code: string): string | null;
}

function readQuestion(body: Uint8Array, reading: QuestionContext): ParsedRailQuestion {
  const { fields, account } = reading;
  const json = readJson(body);
  if (json === undefined) return { kind: 'unreadable', why: 'is not valid JSON' };
  const list = fieldOf(json, fields.list);
  const items: readonly unknown[] = Array.isArray(list) ? list : [json];
  const source = (of: unknown) => fieldOf(of, fields.source) ?? account.number;
  if ([json, ...items].some((each) => source(each) !== account.number)) return { kind: 'other_account' };
  const orders: ApprovalRequest[] = [];
  for (const item of items) {
    const order = readAskedPayout(item, reading);
    if (typeof order === 'string') return { kind: 'unreadable', why: order };
    orders.push(order);
  }
  return orders.length === 0
    ? { kind: 'unreadable', why: `has no order in ${fields.list}` }
    : { kind: 'asked', orders };
}

/** Reads one payout of the validation request. If the result is a string, it is the problem that was found. */
function readAskedPayout(item: unknown, { fields, bankOf }: QuestionContext): ApprovalRequest | string {
  const [reference, accountNumber] = [textOf(item, fields.reference), textOf(item, fields.account)];
  const [amount, bank] = [numberTextOf(item, fields.amount), textOf(item, fields.bank)];
  const amountMinor = amount === null ? null : parseNairaAsKobo(amount, 'exact');
  if (reference === null || !REFERENCE.test(reference)) return `has no reference in ${fields.reference}`;
  if (amountMinor === null || amountMinor === 0n) return `has no amount of naira in ${fields.amount}`;
  if (accountNumber === null || !ACCOUNT_NUMBER.test(accountNumber))
    return `has no account number of 10 digits in ${fields.account}`;
  if (bank === null) return `has no bank in ${fields.bank}`;
  if ((fieldOf(item, fields.currency) ?? 'NGN') !== 'NGN') return 'is not about NGN';
  return { reference, amountMinor, bankCode: bankOf(bank), accountNumber };
}
