// The options of a Paystack account in BANKS_FILE.
import type { RailTerms } from '../../../domain/rails/terms.ts';
import type { Problems } from '../../settings/problems.ts';
import { text, whole } from '../../settings/schema.ts';
import {
  ADDRESSES,
  BASE_URL,
  CREDITS_FROM,
  creditsFromMs,
  type Options,
  readTerms,
  splitAtCommas,
  TERMS,
  withoutSlash,
} from '../settings/options.ts';
import type { Secret, Secrets } from '../settings/secrets.ts';

export interface PaystackSettings {
  readonly baseUrl: string;
  readonly secretKey: Secret;
  /** The first words of every narration. */
  readonly narration: string;
  readonly timeoutMs: number;
  /** Codes and words that do not count as a refusal here, whatever the table says. Missing: none. */
  readonly unsureCodes?: ReadonlySet<string>;
  /** Missing: the least that the service demands. */
  readonly terms?: RailTerms;
  readonly mostBytes: number;
  /** Money that came in before is not read. Null: this rail reports nothing. */
  readonly creditsFromMs: number | null;
  /** A transaction is read once it is so old: until then one that was made before it may still appear. */
  readonly creditsLagMs: number;
  /** Those that events may come from; none: every address. */
  readonly eventAddresses: ReadonlySet<string>;
}

export const OPTIONS = {
  base_url: BASE_URL,
  narration: text(/^[A-Za-z0-9 ]{1,40}$/, 'up to 40 letters, digits and spaces', 'Payout'),
  ...TERMS,
  max_bytes: whole(16_384, 16_777_216, 4_194_304),
  credits_from: CREDITS_FROM,
  credits_lag_seconds: whole(0, 600, 20),
  event_addresses: ADDRESSES,
};
export const SECRETS = { secret_key: 'required' } as const;

export function readPaystackSettings(
  options: Options<typeof OPTIONS>,
  secrets: Secrets<typeof SECRETS>,
  at: Problems,
): PaystackSettings {
  return {
    baseUrl: withoutSlash(options.base_url),
    secretKey: secrets.secret_key,
    narration: options.narration,
    ...readTerms(options, at),
    mostBytes: options.max_bytes,
    creditsFromMs: creditsFromMs(options),
    creditsLagMs: options.credits_lag_seconds * 1_000,
    eventAddresses: splitAtCommas(options.event_addresses),
  };
}
