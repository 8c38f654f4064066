// The options of a bank with NIP transfers in BANKS_FILE.
import type { RailTerms } from '../../../domain/rails/terms.ts';
import { readAddresses } from '../connection/proof.ts';
import { readCreditsFrom } from '../settings/credits-from.ts';
import type { OptionReader, Secret } from '../settings/options.ts';
import { readTerms } from '../settings/terms.ts';

export interface NipBankSettings {
  /** With the path that the names of the calls are added to, such as `https://bank.example/postingrest`. */
  readonly baseUrl: string;
  readonly userName: string;
  readonly password: Secret;
  /** Sent as headers with every call; null: the bank wants none. */
  readonly client: { readonly id: string; readonly secret: Secret } | null;
  /** Our name, as the beneficiary sees it. */
  readonly sourceAccountName: string;
  /** The first words of every narration. */
  readonly narration: string;
  /** Whether its NIP call also pays accounts at the bank itself. Where it does not, other rails pay those. */
  readonly ownBankByNip: boolean;
  /** Codes beyond the table that the bank calls final in writing: nothing was paid, and nothing will be. */
  readonly finalCodes: ReadonlySet<string>;
  /** Null: what the bank tells us of money that came in is not taken. */
  readonly credits: {
    /** With the path that the names of the calls are added to, such as `https://bank.example/vps/api`. */
    readonly url: string;
    /** Money that came in before does not count. */
    readonly fromMs: number;
    /** Those that events may come from; none: every address. */
    readonly addresses: ReadonlySet<string>;
  } | null;
  readonly timeoutMs: number;
  /** Codes and words that do not count as a refusal here, whatever the table says. Missing: none. */
  readonly unsureCodes?: ReadonlySet<string>;
  /** Missing: the least that the service demands. */
  readonly terms?: RailTerms;
  readonly mostBytes: number;
}

const WORDS = {
  pattern: /^[\x20-\x7e]{1,100}$/,
  what: 'a text of 1 to 100 letters, digits and signs of ASCII',
};
const CODES = { pattern: /^\w{2,4}(?:,\w{2,4})*$/, what: 'codes with commas between them, such as "32,13"' };
const OWN_BANK = { pattern: /^(?:nip|other_rails)$/, what: '"nip" or "other_rails"' };
const NARRATION = { pattern: /^[A-Za-z0-9 ]{1,40}$/, what: 'up to 40 letters, digits and spaces' };

export function readNipBankSettings(options: OptionReader): NipBankSettings {
  const baseUrl = options.url('base_url');
  const client = clientIn(options);
  return {
    baseUrl,
    userName: options.text('user_name', WORDS),
    password: options.secret('password'),
    client,
    credits: creditsIn(options, client),
    sourceAccountName: options.text('source_account_name', WORDS),
    narration: options.optionalText('narration', NARRATION) ?? 'Payout',
    ownBankByNip: options.optionalText('own_bank', OWN_BANK) === 'nip',
    finalCodes: new Set(options.optionalText('final_codes', CODES)?.split(',') ?? []),
    ...readTerms(options),
    mostBytes: options.whole('max_bytes', [1_024, 1_048_576], 65_536),
  };
}

function creditsIn(options: OptionReader, client: NipBankSettings['client']): NipBankSettings['credits'] {
  const url = options.optionalUrl('credits_url');
  const fromMs = readCreditsFrom(options);
  const addresses = readAddresses(options, 'event_addresses');
  if ((url === null) !== (fromMs === null))
    options.problem('credits_url', 'and "credits_from" must be given together, or both left out');
  if (url !== null && client === null)
    options.problem('client_id', 'is missing: what the bank tells us is proven and asked about with it');
  return url === null || fromMs === null ? null : { url, fromMs, addresses };
}

function clientIn(options: OptionReader): NipBankSettings['client'] {
  const id = options.optionalText('client_id', WORDS);
  const secret = options.optionalSecret('client_secret');
  if ((id === null) !== (secret === null))
    options.problem('client_id', 'and "client_secret_file" must be given together, or both left out');
  return id === null || secret === null ? null : { id, secret };
}
