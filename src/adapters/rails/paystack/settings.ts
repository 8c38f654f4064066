// Defines the options of a Paystack account in BANKS_FILE.
import type { SettingsProblems } from '../../settings-problems.ts';
import { integerSchema } from '../../settings-reader.ts';
import {
  CREDIT_OPTIONS,
  type CreditSettings,
  type Options,
  PAYING_OPTIONS,
  type PayingSettings,
  readCreditSettings,
  readPayingSettings,
} from '../settings/options.ts';
import type { Secret, Secrets } from '../settings/secrets.ts';

export interface PaystackSettings extends PayingSettings, CreditSettings {
  readonly secretKey: Secret;
}

export const OPTIONS = {
  ...PAYING_OPTIONS,
  ...CREDIT_OPTIONS,
  max_bytes: integerSchema(16_384, 16_777_216, 4_194_304),
};
export const SECRETS = { secret_key: 'required' } as const;

export function readPaystackSettings(
  options: Options<typeof OPTIONS>,
  secrets: Secrets<typeof SECRETS>,
  at: SettingsProblems,
): PaystackSettings {
  return {
    ...readPayingSettings(options, at),
    ...readCreditSettings(options),
    secretKey: secrets.secret_key,
  };
}
