// The options of a Paystack account in BANKS_FILE.
import type { Problems } from '../../settings-problems.ts';
import { whole } from '../../settings-reader.ts';
import {
  CREDITS,
  type CreditSettings,
  type Options,
  PAYING,
  type PayingSettings,
  readCredits,
  readPaying,
} from '../settings/options.ts';
import type { Secret, Secrets } from '../settings/secrets.ts';

export interface PaystackSettings extends PayingSettings, CreditSettings {
  readonly secretKey: Secret;
}

export const OPTIONS = { ...PAYING, ...CREDITS, max_bytes: whole(16_384, 16_777_216, 4_194_304) };
export const SECRETS = { secret_key: 'required' } as const;

export function readPaystackSettings(
  options: Options<typeof OPTIONS>,
  secrets: Secrets<typeof SECRETS>,
  at: Problems,
): PaystackSettings {
  return { ...readPaying(options, at), ...readCredits(options), secretKey: secrets.secret_key };
}
