// Defines the options of a Monnify rail in BANKS_FILE.
import { Type } from 'typebox';
import type { SettingsProblems } from '../../settings-problems.ts';
import { textSchema } from '../../settings-reader.ts';
import {
  ADDRESSES,
  CREDIT_OPTIONS,
  type CreditSettings,
  type Options,
  PAYING_OPTIONS,
  type PayingSettings,
  readCreditSettings,
  readPayingSettings,
  splitAtCommas,
} from '../settings/options.ts';
import type { Secret, Secrets } from '../settings/secrets.ts';
import { REFUSAL_CODES } from './codes.ts';

// These are the names of the fields in Monnify's validation request before a payout, and in the response of the service.
// Monnify does not publish these names, so an operator can set other names.

export const VALIDATION_FIELDS = {
  reference: 'reference',
  amount: 'amount',
  account: 'destinationAccountNumber',
  bank: 'destinationBankCode',
  currency: 'currency',
  source: 'sourceAccountNumber',
  list: 'transactionList',
  answer: 'action',
} as const;

export type ValidationFields = Readonly<Record<keyof typeof VALIDATION_FIELDS, string>>;

export interface MonnifySettings extends PayingSettings, CreditSettings {
  readonly apiKey: Secret;
  readonly secretKey: Secret;
  /** Refusal codes that Monnify confirmed as final: nothing was paid, and nothing will be paid. */
  readonly finalCodes: ReadonlySet<string>;
  readonly validation: ValidationSettings;
}

export interface ValidationSettings {
  /** The addresses from which the validation request may come. If the set is empty, every address is allowed. */
  readonly addresses: ReadonlySet<string>;
  /** The last part of the path, which is a secret and proves the caller. If this is null, the signature proves the caller. */
  readonly pathKey: Secret | null;
  readonly fields: Partial<ValidationFields>;
}

export const DEFAULT_VALIDATION: ValidationSettings = { addresses: new Set(), pathKey: null, fields: {} };

/**
 * For two minutes Monnify refuses a payout of the same amount to the same account (D07). So the service sends a payout again
 * only after a longer time.
 */
const REPEAT_AFTER_MS = 5 * 60_000;

/** The secret path must have this format, because the request log contains paths and masks texts with this format. */
const PATH_KEY = /^whsec_[A-Za-z0-9_-]{32,200}$/;

export const OPTIONS = {
  ...PAYING_OPTIONS,
  ...CREDIT_OPTIONS,
  narration: textSchema(/^[A-Za-z0-9][A-Za-z0-9 ]{0,29}$/, 'up to 30 letters, digits and spaces', 'Payout'),
  final_codes: Type.Optional(
    textSchema(/^[A-Z]\d{2}(?:,[A-Z]\d{2})*$/, 'codes such as "D06", separated by commas'),
  ),
  validation_addresses: ADDRESSES,
  validation_fields: Type.Optional(
    textSchema(
      /^[a-z]+=\w{1,60}(?:,[a-z]+=\w{1,60})*$/,
      'names such as "reference=transactionReference", separated by commas',
    ),
  ),
};
export const SECRETS = {
  api_key: 'required',
  secret_key: 'required',
  validation_path_key: 'optional',
} as const;

export function readMonnifySettings(
  options: Options<typeof OPTIONS>,
  secrets: Secrets<typeof SECRETS>,
  at: SettingsProblems,
): MonnifySettings {
  const finalCodes = splitAtCommas(options.final_codes);
  for (const code of finalCodes) {
    const meaning = Object.hasOwn(REFUSAL_CODES, code) ? REFUSAL_CODES[code] : undefined;
    if (code === 'D07' || meaning?.outcome === 'duplicate')
      at.at('final_codes').add(`must not contain ${code}: that code says nothing about this payout`);
  }
  return {
    ...readPayingSettings(options, at, REPEAT_AFTER_MS),
    ...readCreditSettings(options),
    apiKey: secrets.api_key,
    secretKey: secrets.secret_key,
    finalCodes,
    validation: readValidation(options, secrets.validation_path_key, at),
  };
}

function readValidation(
  options: Options<typeof OPTIONS>,
  pathKey: Secret | null,
  at: SettingsProblems,
): ValidationSettings {
  const addresses = splitAtCommas(options.validation_addresses);
  if (pathKey !== null && !PATH_KEY.test(pathKey()))
    at.at('validation_path_key_file').add(
      'must contain whsec_ and at least 32 letters, digits, hyphens and underscores',
    );
  if (pathKey !== null && addresses.size === 0)
    at.at('validation_addresses').add('is missing: a path key alone does not prove the caller');
  const pairs = [...splitAtCommas(options.validation_fields)];
  const fields = Object.fromEntries(pairs.map((pair) => pair.split('=') as [string, string]));
  for (const name of Object.keys(fields))
    if (!Object.hasOwn(VALIDATION_FIELDS, name))
      at.at('validation_fields').add(`must name only: ${Object.keys(VALIDATION_FIELDS).join(', ')}`);
  return { addresses, pathKey, fields };
}
