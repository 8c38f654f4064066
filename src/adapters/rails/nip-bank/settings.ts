// Defines the options of a bank with NIP transfers in BANKS_FILE.
import { Type } from 'typebox';
import type { SettingsProblems } from '../../settings-problems.ts';
import { enumSchema, integerSchema, textSchema } from '../../settings-reader.ts';
import {
  ADDRESSES,
  BASE_URL,
  CREDITS_FROM,
  creditsFromMs,
  type Options,
  PAYING_OPTIONS,
  type PayingSettings,
  readPayingSettings,
  splitAtCommas,
} from '../settings/options.ts';
import type { Secret, Secrets } from '../settings/secrets.ts';

export interface NipBankSettings extends PayingSettings {
  readonly userName: string;
  readonly password: Secret;
  /** The client id and secret are sent as headers with every call. Null if the bank does not need them. */
  readonly client: { readonly id: string; readonly secret: Secret } | null;
  /** The operator's name, as the recipient of a payout sees it. */
  readonly sourceAccountName: string;
  /** Whether the NIP call of the bank also pays accounts at the bank itself. If it does not, other rails pay these accounts. */
  readonly ownBankByNip: boolean;
  /** Codes outside the table that the bank confirmed in writing as final: nothing was paid, and nothing will be paid. */
  readonly finalCodes: ReadonlySet<string>;
  /** If this is null, the service does not accept the bank's notices of incoming money. */
  readonly credits: {
    /** The base URL, such as `https://bank.example/vps/api`. The names of the calls are added to it. */
    readonly url: string;
    /** Money that came in before this time does not count. */
    readonly fromMs: number;
    /** The addresses from which events may come. If the set is empty, every address is allowed. */
    readonly addresses: ReadonlySet<string>;
  } | null;
}

const WORDS = textSchema(/^[\x20-\x7e]{1,100}$/, 'a text of 1 to 100 ASCII letters, digits and signs');

export const OPTIONS = {
  ...PAYING_OPTIONS,
  max_bytes: integerSchema(1_024, 1_048_576, 65_536),
  user_name: WORDS,
  client_id: Type.Optional(WORDS),
  credits_url: Type.Optional(BASE_URL),
  credits_from: CREDITS_FROM,
  event_addresses: ADDRESSES,
  source_account_name: WORDS,
  own_bank: enumSchema(['nip', 'other_rails'], 'other_rails'),
  final_codes: Type.Optional(
    textSchema(/^\w{2,4}(?:,\w{2,4})*$/, 'codes with commas between them, such as "32,13"'),
  ),
};
export const SECRETS = { password: 'required', client_secret: 'optional' } as const;
type NipBankOptions = Options<typeof OPTIONS>;

export function readNipBankSettings(
  options: NipBankOptions,
  secrets: Secrets<typeof SECRETS>,
  at: SettingsProblems,
): NipBankSettings {
  const { client_id: id = null } = options;
  const { client_secret: secret } = secrets;
  if ((id === null) !== (secret === null))
    at.at('client_id').add('and "client_secret_file" must be given together, or both left out');
  const client = id === null || secret === null ? null : { id, secret };
  return {
    ...readPayingSettings(options, at),
    userName: options.user_name,
    password: secrets.password,
    client,
    credits: creditsIn(options, client, at),
    sourceAccountName: options.source_account_name,
    ownBankByNip: options.own_bank === 'nip',
    finalCodes: splitAtCommas(options.final_codes),
  };
}

function creditsIn(
  options: NipBankOptions,
  client: NipBankSettings['client'],
  at: SettingsProblems,
): NipBankSettings['credits'] {
  const { credits_url: url } = options;
  const fromMs = creditsFromMs(options);
  if ((url === undefined) !== (fromMs === null))
    at.at('credits_url').add('and "credits_from" must be given together, or both left out');
  if (url !== undefined && client === null)
    at.at('client_id').add("is missing: it is needed to verify the bank's events and to ask about them");
  if (url === undefined || fromMs === null) return null;
  return { url: url.replace(/\/+$/, ''), fromMs, addresses: splitAtCommas(options.event_addresses) };
}
