// The options of a Monnify rail.
import type { RailTerms } from '../../../domain/rails/terms.ts';
import { readAddresses } from '../connection/proof.ts';
import { readCreditsFrom } from '../settings/credits-from.ts';
import type { OptionReader, Secret } from '../settings/options.ts';
import { readTerms } from '../settings/terms.ts';
import { REFUSAL_CODES } from './codes.ts';
import { VALIDATION_FIELDS, type ValidationFields } from './validation-fields.ts';

export interface MonnifySettings {
  readonly baseUrl: string;
  readonly apiKey: Secret;
  readonly secretKey: Secret;
  /** The first words of every narration. */
  readonly narration: string;
  /** Codes of refusals that Monnify confirmed as final: nothing was paid, and nothing will be. */
  readonly finalCodes: ReadonlySet<string>;
  readonly timeoutMs: number;
  /** Codes and words that do not count as a refusal here, whatever the table says. Missing: none. */
  readonly unsureCodes?: ReadonlySet<string>;
  /** Missing: the least that the service demands. */
  readonly terms?: RailTerms;
  readonly mostBytes: number;
  readonly validation: ValidationSettings;
  /** Money that came in before is not read. Null: this rail reports nothing. */
  readonly creditsFromMs: number | null;
  /** A transaction is read once it is so old: until then one that was made before it may still appear. */
  readonly creditsLagMs: number;
  /** Those that events may come from; none: every address. */
  readonly eventAddresses: ReadonlySet<string>;
}

/** Monnify's question before it pays. */
export interface ValidationSettings {
  /** Those it may come from; none: every address. */
  readonly addresses: ReadonlySet<string>;
  /** The end of the path that proves the caller; null: its signature does. */
  readonly pathKey: Secret | null;
  readonly fields: Partial<ValidationFields>;
}

export const USUAL_VALIDATION: ValidationSettings = { addresses: new Set(), pathKey: null, fields: {} };

/** An equal payout is refused for two minutes (D07): one that is given again is given after them. */
const REPEAT_AFTER_MS = 5 * 60_000;

const NARRATION = {
  pattern: /^[A-Za-z0-9][A-Za-z0-9 ]{0,29}$/,
  what: 'up to 30 letters, digits and spaces',
};
const CODES = { pattern: /^[A-Z]\d{2}(?:,[A-Z]\d{2})*$/, what: 'codes such as "D06", with commas between' };

const FIELDS = {
  pattern: /^[a-z]+=\w{1,60}(?:,[a-z]+=\w{1,60})*$/,
  what: 'names such as "reference=transactionReference", with commas between',
};
/** Texts of this form are masked in the log of requests, which shows paths. */
const PATH_KEY = /^whsec_[A-Za-z0-9_-]{32,200}$/;

export function readMonnifySettings(options: OptionReader): MonnifySettings {
  const codes = options.optionalText('final_codes', CODES)?.split(',') ?? [];
  for (const code of codes) {
    const meaning = Object.hasOwn(REFUSAL_CODES, code) ? REFUSAL_CODES[code] : undefined;
    if (code === 'D07' || meaning?.outcome === 'duplicate')
      options.problem('final_codes', `must not have ${code}: it says nothing about this payout`);
  }
  return {
    baseUrl: options.url('base_url'),
    apiKey: options.secret('api_key'),
    secretKey: options.secret('secret_key'),
    narration: options.optionalText('narration', NARRATION) ?? 'Payout',
    finalCodes: new Set(codes),
    ...readTerms(options, REPEAT_AFTER_MS),
    mostBytes: options.whole('max_bytes', [1_024, 16_777_216], 1_048_576),
    validation: readValidation(options),
    creditsFromMs: readCreditsFrom(options),
    creditsLagMs: options.whole('credits_lag_seconds', [0, 600], 20) * 1_000,
    eventAddresses: readAddresses(options, 'event_addresses'),
  };
}

function readValidation(options: OptionReader): ValidationSettings {
  const addresses = readAddresses(options, 'validation_addresses');
  const pathKey = options.optionalSecret('validation_path_key');
  if (pathKey !== null && !PATH_KEY.test(pathKey()))
    options.problem(
      'validation_path_key_file',
      'must hold whsec_ and at least 32 letters, digits, hyphens and underscores',
    );
  if (pathKey !== null && addresses.size === 0)
    options.problem('validation_addresses', 'is missing: a path key alone does not prove the caller');
  const pairs = options.optionalText('validation_fields', FIELDS)?.split(',') ?? [];
  const fields = Object.fromEntries(pairs.map((pair) => pair.split('=') as [string, string]));
  for (const name of Object.keys(fields))
    if (!Object.hasOwn(VALIDATION_FIELDS, name))
      options.problem('validation_fields', `must name only: ${Object.keys(VALIDATION_FIELDS).join(', ')}`);
  return { addresses, pathKey, fields };
}
