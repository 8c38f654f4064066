// The options of a Paystack account in BANKS_FILE.
import type { RailTerms } from '../../../domain/rails/terms.ts';
import { readAddresses } from '../connection/proof.ts';
import { readCreditsFrom } from '../settings/credits-from.ts';
import type { OptionReader, Secret } from '../settings/options.ts';
import { readTerms } from '../settings/terms.ts';

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

const NARRATION = { pattern: /^[A-Za-z0-9 ]{1,40}$/, what: 'up to 40 letters, digits and spaces' };

export function readPaystackSettings(options: OptionReader): PaystackSettings {
  return {
    baseUrl: options.url('base_url'),
    secretKey: options.secret('secret_key'),
    narration: options.optionalText('narration', NARRATION) ?? 'Payout',
    ...readTerms(options),
    mostBytes: options.whole('max_bytes', [16_384, 16_777_216], 4_194_304),
    creditsFromMs: readCreditsFrom(options),
    creditsLagMs: options.whole('credits_lag_seconds', [0, 600], 20) * 1_000,
    eventAddresses: readAddresses(options, 'event_addresses'),
  };
}
