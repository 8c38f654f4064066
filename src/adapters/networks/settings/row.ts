// One network of the networks file: the fields that all families have, and the limits of what is signed for it. A setting of a
// live network that the product cannot know has no default: without it the start is refused.
import { type Static, type TObject, Type } from 'typebox';
import { Check } from 'typebox/schema';
import { MODES } from '../../../domain/values/mode.ts';
import { fieldOf, isObject } from '../../json.ts';
import type { Problems } from '../../settings-problems.ts';
import {
  isSafe,
  object,
  oneOf,
  orNull,
  readBy,
  text,
  urlIn,
  whole,
  withRule,
} from '../../settings-reader.ts';
import type { SigningLimits } from '../../signer/guarded-signer.ts';
import { KEY_NAME } from '../../signer/key-file-format.ts';
import type { AddressFamily } from '../address-check.ts';
import { FAMILY_FIELDS, familySettings, type RowFacts } from './families.ts';
import { type KnownNetwork, knownNetwork } from './known.ts';
import type { CommonSettings, NetworkSettings } from './settings.ts';
import { AMOUNT_TEXT, amount, minorOf, spell, tokenAddress, walletAddress } from './values.ts';

export interface ConfiguredNetwork {
  readonly settings: NetworkSettings;
  readonly limits: SigningLimits;
  /** The sum of deposits that may count by one provider alone in an hour; null: no limit. */
  readonly oneProviderPerHourMinor: bigint | null;
}

const NAME = text(/^[A-Za-z][A-Za-z0-9 -]{0,38}[A-Za-z0-9]$/, 'a name such as Polygon');
const CODE_FORM = /^[A-Za-z0-9]{1,12}$/;
const CODE_WHAT = 'a code of 1 to 12 letters and digits such as NGNC';
const FAMILIES = Object.keys(FAMILY_FIELDS) as [AddressFamily];
const MOST_PROVIDERS = 10;
const NEVER = 'never';

/** Undefined: it has no name that can be shown. */
export function titleIn(value: unknown): string | undefined {
  const [written, mode] = [fieldOf(value, 'name'), fieldOf(value, 'mode')];
  if (!Check(NAME, written)) return undefined;
  const name = knownNetwork(written)?.name ?? written;
  return Check(oneOf(MODES), mode) ? `${name} (${mode})` : name;
}

/** Undefined: there are mistakes, which are noted. */
export function readNetwork(value: unknown, at: Problems): ConfiguredNetwork | undefined {
  const facts = factsIn(value, at);
  if (facts === undefined) return undefined;
  const common = commonFields(facts);
  const row = readBy(object({ ...common, ...FAMILY_FIELDS[facts.family](facts) }), value, at) as
    | Static<TObject<typeof common>>
    | undefined;
  if (row === undefined) return undefined;
  const settings = familySettings(row, commonSettings(row, facts, at), at);
  return {
    settings,
    limits: limitsIn(row, settings, at.at('signing')),
    oneProviderPerHourMinor: oneProviderPerHour(row, settings, at.at('one_provider_per_hour')),
  };
}

/** What decides about the other fields. */
function factsIn(value: unknown, at: Problems): RowFacts | undefined {
  const written = fieldOf(value, 'name');
  const known = Check(NAME, written) ? knownNetwork(written) : undefined;
  const family = withRule(
    oneOf(FAMILIES, known?.family),
    (each) => known === undefined || each === known.family,
    () => `must be "${known?.family}" for ${known?.name}`,
  );
  const schema = object({ name: NAME, mode: oneOf(MODES), family });
  const given = ['name', 'mode', 'family'].filter((name) => fieldOf(value, name) !== undefined);
  const head = isObject(value)
    ? Object.fromEntries(given.map((name) => [name, fieldOf(value, name)]))
    : value;
  const row = readBy(schema, head, at);
  if (row === undefined) return undefined;
  const isLive = row.mode === 'live';
  // A test network of the same name shares only the family and the coin.
  const main = isLive ? known : undefined;
  const isOurToken =
    main !== undefined && main.tokenAddress !== null && fieldOf(value, 'token') === undefined;
  return { ...row, name: known?.name ?? row.name, isLive, known, main, isOurToken };
}

function commonFields(facts: RowFacts) {
  const { isLive, known, main, isOurToken } = facts;
  const cap = orNull(amount(), `${AMOUNT_TEXT}, or null for no limit`, isLive ? undefined : null);
  const unlessLive = isLive ? undefined : '0';
  return {
    name: NAME,
    mode: oneOf(MODES),
    family: oneOf(FAMILIES, known?.family),
    rpc: Type.Array(provider(facts), {
      minItems: 1,
      maxItems: MOST_PROVIDERS,
      description: `a list of 1 to ${MOST_PROVIDERS} URLs of providers`,
    }),
    asset: text(CODE_FORM, CODE_WHAT, 'NGNC'),
    token: tokenAddress(facts, main?.tokenAddress ?? undefined),
    decimals: whole(0, 18, isOurToken ? main?.decimals : undefined),
    native: native(known),
    key: text(KEY_NAME, 'the name of a key of the signer (never a key itself)'),
    confirmations: whole(1, 10_000, main?.confirmations),
    final_after_ms: whole(1, 3_600_000, main?.finalAfterMs),
    explorer_tx_url: orNull(
      withRule(
        Type.String({ description: 'an https:// URL with {hash} in it, or null' }),
        (url) => isSafeIn(facts, urlIn(url)) && url.includes('{hash}'),
      ),
      'an https:// URL with {hash} in it, or null for no explorer',
      isLive ? main?.explorerTxUrl : null,
    ),
    agree_from: amount('1000000', NEVER),
    one_provider_per_hour: Type.Optional(orNull(amount(), `${AMOUNT_TEXT}, or null`)),
    low_water: object({ token: amount(unlessLive), native: amount(unlessLive) }, !isLive),
    batch: whole(1, 100, 50),
    signing: object(
      {
        per_transaction: cap,
        per_day: cap,
        allow_list: orNull(
          Type.Array(walletAddress(facts), { minItems: 1 }),
          'a list of the only addresses that may be paid, or null',
          null,
        ),
      },
      !isLive,
    ),
  };
}
type CommonRow = Static<TObject<ReturnType<typeof commonFields>>>;

function native(known: KnownNetwork | undefined) {
  const fields = { asset: text(CODE_FORM, CODE_WHAT), decimals: whole(0, 18) };
  return Type.Object(fields, {
    description: 'an object with "asset" and "decimals" of the coin that pays fees',
    ...(known !== undefined && { default: known.native }),
  });
}

/** Plain HTTP can be changed on the way: it is accepted only on this machine, or in test mode. */
function isSafeIn({ isLive }: RowFacts, url: URL | undefined): boolean {
  return isSafe(url) || (!isLive && url?.protocol === 'http:');
}

function provider(facts: RowFacts) {
  const rules: readonly (readonly [(url: URL) => boolean, string])[] = [
    [(url) => isSafeIn(facts, url), 'must be https:// (http:// only in test mode, or on this machine)'],
    [
      ({ username }) => facts.family !== 'solana' || username === '',
      'has a user name, which cannot be used on this network: the key goes into the path or query',
    ],
    [
      ({ search }) => facts.family !== 'stellar' || search === '',
      'has a query, which would be lost on this network: the key goes into the path or before an @',
    ],
  ];
  const isUrl = (text: string) => urlIn(text) !== undefined;
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

/** Two URLs at one host are one provider. */
function countProviders(urls: readonly string[]): number {
  return new Set(urls.map((url) => new URL(url).host)).size;
}

function commonSettings(
  row: CommonRow,
  { name, mode, family, isLive }: RowFacts,
  at: Problems,
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
    token: spell(row.token, { name, family }),
    decimals,
    native: row.native,
    key: row.key,
    confirmations: row.confirmations,
    finalAfterMs: row.final_after_ms,
    explorerTxUrl: row.explorer_tx_url,
    agreeFromMinor: agreeFrom(row, isLive && countProviders(rpc) < 2, at.at('agree_from')),
    marks: {
      tokenMinor: minorOf(row.low_water.token, decimals, lowWater.at('token')),
      nativeMinor: minorOf(row.low_water.native, row.native.decimals, lowWater.at('native')),
    },
    batch: row.batch,
  };
}

function agreeFrom(
  { agree_from: given, decimals }: CommonRow,
  isAlone: boolean,
  at: Problems,
): bigint | null {
  if (given === NEVER) return null;
  if (isAlone)
    at.add(
      `must be "${NEVER}" while "rpc" names one provider (URLs at one host are one): from this amount on two providers must ` +
        `agree before it counts as paid or received, and there is no second provider to ask. Add a second provider, or ` +
        `write "${NEVER}" to trust the only one`,
    );
  return minorOf(given, decimals, at);
}

/** Without a limit of its own it is the amount from which a single deposit needs two providers. */
function oneProviderPerHour(
  { one_provider_per_hour: given }: CommonRow,
  { rpc, decimals, agreeFromMinor }: NetworkSettings,
  at: Problems,
): bigint | null {
  const isAlone = countProviders(rpc) < 2;
  if (given === null) return null;
  if (given === undefined) return isAlone ? null : agreeFromMinor;
  if (isAlone)
    at.add(
      'must be null or left out while "rpc" names one provider (URLs at one host are one): above it two providers must ' +
        'agree, and there is no second provider to ask',
    );
  return minorOf(given, decimals, at);
}

/** A live network must name each limit, or null where there is no limit; leaving it out is an error. */
function limitsIn({ signing }: CommonRow, settings: NetworkSettings, at: Problems): SigningLimits {
  const cap = (name: 'per_transaction' | 'per_day'): bigint | null => {
    const given = signing[name];
    if (given === null) return null;
    const capMinor = minorOf(given, settings.decimals, at.at(name));
    if (capMinor === 0n) at.at(name).add('must be above zero, or null for no limit');
    return capMinor;
  };
  const perTransactionMinor = cap('per_transaction');
  const perDayMinor = cap('per_day');
  if (perTransactionMinor !== null && perDayMinor !== null && perDayMinor < perTransactionMinor)
    at.at('per_day').add('is below "signing.per_transaction"');
  const allowList = signing.allow_list?.map((each) => spell(each, settings)) ?? null;
  return { perTransactionMinor, perDayMinor, allowList };
}
