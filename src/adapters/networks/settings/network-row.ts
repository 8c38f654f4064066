// One network in the networks file: the fields that all families have, and the signing limits. If the product cannot know a
// setting of a live network, the setting has no default. Without it the service does not start.
import { type Static, type TObject, Type } from 'typebox';
import { Check } from 'typebox/schema';
import { MODES } from '../../../domain/values/mode.ts';
import { fieldOf, isObject } from '../../json.ts';
import type { SettingsProblems } from '../../settings-problems.ts';
import {
  enumSchema,
  integerSchema,
  isSafeUrl,
  nullableSchema,
  objectSchema,
  parseUrl,
  readBySchema,
  textSchema,
  withRule,
} from '../../settings-reader.ts';
import type { SigningLimits } from '../../signer/guarded-signer.ts';
import { KEY_NAME } from '../../signer/key-file-format.ts';
import type { AddressFamily } from '../address-check.ts';
import { FAMILY_FIELDS, type RowFacts, readFamilySettings } from './families.ts';
import { findKnownNetwork, type KnownNetwork } from './known-network.ts';
import type { CommonSettings, NetworkSettings } from './settings.ts';
import {
  AMOUNT_TEXT,
  amountSchema,
  parseMinor,
  spellAddress,
  tokenAddressSchema,
  walletAddressSchema,
} from './values.ts';

export interface ConfiguredNetwork {
  readonly settings: NetworkSettings;
  readonly limits: SigningLimits;
  /** The maximum sum of deposits per hour that one provider alone may confirm. Null means no limit. */
  readonly oneProviderPerHourMinor: bigint | null;
}

const NAME = textSchema(/^[A-Za-z][A-Za-z0-9 -]{0,38}[A-Za-z0-9]$/, 'a name such as Polygon');
const CODE_FORM = /^[A-Za-z0-9]{1,12}$/;
const CODE_WHAT = 'a code of 1 to 12 letters and digits such as NGNC';
const FAMILIES = Object.keys(FAMILY_FIELDS) as [AddressFamily];
const MOST_PROVIDERS = 10;
const NEVER = 'never';

/** Undefined means that the row has no usable name. */
export function titleIn(value: unknown): string | undefined {
  const [written, mode] = [fieldOf(value, 'name'), fieldOf(value, 'mode')];
  if (!Check(NAME, written)) return undefined;
  const name = findKnownNetwork(written)?.name ?? written;
  return Check(enumSchema(MODES), mode) ? `${name} (${mode})` : name;
}

/** Adds mistakes to `at`, and then returns undefined. */
export function readNetwork(value: unknown, at: SettingsProblems): ConfiguredNetwork | undefined {
  const facts = readRowFacts(value, at);
  if (facts === undefined) return undefined;
  const common = commonFields(facts);
  const row = readBySchema(objectSchema({ ...common, ...FAMILY_FIELDS[facts.family](facts) }), value, at) as
    | Static<TObject<typeof common>>
    | undefined;
  if (row === undefined) return undefined;
  const settings = readFamilySettings(row, readCommonSettings(row, facts, at), at);
  return {
    settings,
    limits: readSigningLimits(row, settings, at.at('signing')),
    oneProviderPerHourMinor: readOneProviderPerHour(row, settings, at.at('one_provider_per_hour')),
  };
}

function readRowFacts(value: unknown, at: SettingsProblems): RowFacts | undefined {
  const written = fieldOf(value, 'name');
  const known = Check(NAME, written) ? findKnownNetwork(written) : undefined;
  const family = withRule(
    enumSchema(FAMILIES, known?.family),
    (each) => known === undefined || each === known.family,
    () => `must be "${known?.family}" for ${known?.name}`,
  );
  const schema = objectSchema({ name: NAME, mode: enumSchema(MODES), family });
  const given = ['name', 'mode', 'family'].filter((name) => fieldOf(value, name) !== undefined);
  const head = isObject(value)
    ? Object.fromEntries(given.map((name) => [name, fieldOf(value, name)]))
    : value;
  const row = readBySchema(schema, head, at);
  if (row === undefined) return undefined;
  const isLive = row.mode === 'live';
  // A test network with the same name has only the family and the coin in common with the main network.
  const main = isLive ? known : undefined;
  const isOurToken =
    main !== undefined && main.tokenAddress !== null && fieldOf(value, 'token') === undefined;
  return { ...row, name: known?.name ?? row.name, isLive, known, main, isOurToken };
}

function commonFields(facts: RowFacts) {
  const { isLive, known, main, isOurToken } = facts;
  const cap = nullableSchema(
    amountSchema(),
    `${AMOUNT_TEXT}, or null for no limit`,
    isLive ? undefined : null,
  );
  const unlessLive = isLive ? undefined : '0';
  return {
    name: NAME,
    mode: enumSchema(MODES),
    family: enumSchema(FAMILIES, known?.family),
    rpc: Type.Array(providerUrlSchema(facts), {
      minItems: 1,
      maxItems: MOST_PROVIDERS,
      description: `a list of 1 to ${MOST_PROVIDERS} URLs of providers`,
    }),
    asset: textSchema(CODE_FORM, CODE_WHAT, 'NGNC'),
    token: tokenAddressSchema(facts, main?.tokenAddress ?? undefined),
    decimals: integerSchema(0, 18, isOurToken ? main?.decimals : undefined),
    native: nativeCoinSchema(known),
    key: textSchema(KEY_NAME, 'the name of a key of the signer (never a key itself)'),
    confirmations: integerSchema(1, 10_000, main?.confirmations),
    final_after_ms: integerSchema(1, 3_600_000, main?.finalAfterMs),
    explorer_tx_url: nullableSchema(
      withRule(
        Type.String({ description: 'an https:// URL with {hash} in it, or null' }),
        (url) => isUrlSafeIn(facts, parseUrl(url)) && url.includes('{hash}'),
      ),
      'an https:// URL with {hash} in it, or null for no explorer',
      isLive ? main?.explorerTxUrl : null,
    ),
    agree_from: amountSchema('1000000', NEVER),
    one_provider_per_hour: Type.Optional(nullableSchema(amountSchema(), `${AMOUNT_TEXT}, or null`)),
    low_water: objectSchema({ token: amountSchema(unlessLive), native: amountSchema(unlessLive) }, !isLive),
    batch: integerSchema(1, 100, 50),
    signing: objectSchema(
      {
        per_transaction: cap,
        per_day: cap,
        allow_list: nullableSchema(
          Type.Array(walletAddressSchema(facts), { minItems: 1 }),
          'a list of the only addresses that may be paid, or null',
          null,
        ),
      },
      !isLive,
    ),
  };
}
type CommonRow = Static<TObject<ReturnType<typeof commonFields>>>;

function nativeCoinSchema(known: KnownNetwork | undefined) {
  const fields = { asset: textSchema(CODE_FORM, CODE_WHAT), decimals: integerSchema(0, 18) };
  return Type.Object(fields, {
    description: 'an object with "asset" and "decimals" of the coin that pays fees',
    ...(known !== undefined && { default: known.native }),
  });
}

/** Plain HTTP can be changed in transit, so it is accepted only on this machine or in test mode. */
function isUrlSafeIn({ isLive }: RowFacts, url: URL | undefined): boolean {
  return isSafeUrl(url) || (!isLive && url?.protocol === 'http:');
}

function providerUrlSchema(facts: RowFacts) {
  const rules: readonly (readonly [(url: URL) => boolean, string])[] = [
    [(url) => isUrlSafeIn(facts, url), 'must be https:// (http:// only in test mode, or on this machine)'],
    [
      ({ username }) => facts.family !== 'solana' || username === '',
      'has a user name, which cannot be used on this network: the key goes into the path or query',
    ],
    [
      ({ search }) => facts.family !== 'stellar' || search === '',
      'has a query, which would be lost on this network: the key goes into the path or before an @',
    ],
  ];
  const isUrl = (text: string) => parseUrl(text) !== undefined;
  const plain = withRule(Type.String({ description: 'a URL' }), isUrl, () => 'is not a URL');
  return rules.reduce(
    (schema, [keeps, mistake]) =>
      withRule(
        schema,
        (text) => !isUrl(text) || keeps(new URL(text)),
        () => mistake,
      ),
    plain,
  );
}

/** Two URLs at one host count as one provider. */
function countProviders(urls: readonly string[]): number {
  return new Set(urls.map((url) => new URL(url).host)).size;
}

function readCommonSettings(
  row: CommonRow,
  { name, mode, family, isLive }: RowFacts,
  at: SettingsProblems,
): CommonSettings {
  const { rpc, decimals } = row;
  if (new Set(rpc.map((url) => new URL(url).href)).size < rpc.length)
    at.at('rpc').add('names the same provider twice');
  const lowWater = at.at('low_water');
  return {
    name,
    mode,
    family,
    rpc,
    assetCode: row.asset,
    token: spellAddress(row.token, { name, family }),
    decimals,
    native: row.native,
    key: row.key,
    confirmations: row.confirmations,
    finalAfterMs: row.final_after_ms,
    explorerTxUrl: row.explorer_tx_url,
    agreeFromMinor: readAgreeFrom(row, isLive && countProviders(rpc) < 2, at.at('agree_from')),
    marks: {
      tokenMinor: parseMinor(row.low_water.token, decimals, lowWater.at('token')),
      nativeMinor: parseMinor(row.low_water.native, row.native.decimals, lowWater.at('native')),
    },
    batch: row.batch,
  };
}

function readAgreeFrom(
  { agree_from: given, decimals }: CommonRow,
  isAlone: boolean,
  at: SettingsProblems,
): bigint | null {
  if (given === NEVER) return null;
  if (isAlone)
    at.add(
      `must be "${NEVER}" while "rpc" names one provider (URLs at one host count as one): from this amount on, two providers must ` +
        `agree before a transfer counts as paid or received, and there is no second provider to ask. Add a second provider, or ` +
        `write "${NEVER}" to trust the only one`,
    );
  return parseMinor(given, decimals, at);
}

/** The default is the smallest amount for which a single deposit needs two providers. */
function readOneProviderPerHour(
  { one_provider_per_hour: given }: CommonRow,
  { rpc, decimals, agreeFromMinor }: NetworkSettings,
  at: SettingsProblems,
): bigint | null {
  const isAlone = countProviders(rpc) < 2;
  if (given === null) return null;
  if (given === undefined) return isAlone ? null : agreeFromMinor;
  if (isAlone)
    at.add(
      'must be null or left out while "rpc" names one provider (URLs at one host count as one): above it, two providers must ' +
        'agree, and there is no second provider to ask',
    );
  return parseMinor(given, decimals, at);
}

/** A live network must set each limit. Null means no limit, and a missing limit is an error. */
function readSigningLimits(
  { signing }: CommonRow,
  settings: NetworkSettings,
  at: SettingsProblems,
): SigningLimits {
  const cap = (name: 'per_transaction' | 'per_day'): bigint | null => {
    const given = signing[name];
    if (given === null) return null;
    const capMinor = parseMinor(given, settings.decimals, at.at(name));
    if (capMinor === 0n) at.at(name).add('must be above zero, or null for no limit');
    return capMinor;
  };
  const perTransactionMinor = cap('per_transaction');
  const perDayMinor = cap('per_day');
  if (perTransactionMinor !== null && perDayMinor !== null && perDayMinor < perTransactionMinor)
    at.at('per_day').add('is below "signing.per_transaction"');
  const allowList = signing.allow_list?.map((each) => spellAddress(each, settings)) ?? null;
  return { perTransactionMinor, perDayMinor, allowList };
}
