// One network of the networks file: the fields that all families have, and the limits of what is signed for it. A setting of a
// live network that the product cannot know has no default: without it the start is refused.
import { isMode, MODES, type Mode } from '../../../domain/values/mode.ts';
import type { SigningLimits } from '../../signer/guarded-signer.ts';
import { KEY_NAME } from '../../signer/key-file-format.ts';
import type { AddressFamily } from '../address-family.ts';
import { addressIn } from './addresses.ts';
import { FAMILY_FIELDS, familySettings } from './families.ts';
import { amount, type Fields, fieldsOf, oneOf, refuseUnknown, text, whole } from './fields.ts';
import { type KnownNetwork, knownNetwork } from './known.ts';
import type { CommonSettings, NetworkSettings } from './settings.ts';
import { countProviders, explorerIn, providersIn } from './urls.ts';

export interface ConfiguredNetwork {
  readonly settings: NetworkSettings;
  readonly limits: SigningLimits;
  /** The sum of deposits that may count by one provider alone in an hour; null: no limit. */
  readonly oneProviderPerHourMinor: bigint | null;
}

const COMMON_FIELDS = [
  'name',
  'mode',
  'family',
  'rpc',
  'asset',
  'token',
  'decimals',
  'native',
  'key',
  'confirmations',
  'final_after_ms',
  'explorer_tx_url',
  'agree_from',
  'one_provider_per_hour',
  'low_water',
  'batch',
  'signing',
] as const;
type CommonFields = Fields<(typeof COMMON_FIELDS)[number]>;

const NAME = { pattern: /^[A-Za-z][A-Za-z0-9 -]{0,38}[A-Za-z0-9]$/, what: 'a name such as Polygon' };
const CODE = { pattern: /^[A-Za-z0-9]{1,12}$/, what: 'a code of 1 to 12 letters and digits such as NGNC' };
const KEY = { pattern: KEY_NAME, what: 'the name of a key of the signer (never a key itself)' };
const FAMILIES = Object.keys(FAMILY_FIELDS) as readonly AddressFamily[];
const DECIMALS = [0, 18] as const;
const AGREE_FROM = '1000000';
const NEVER = 'never';

export function readNetwork(value: unknown, index: number): ConfiguredNetwork {
  const unnamed: CommonFields = fieldsOf(value, `Network ${index + 1}`);
  const written = text(unnamed, 'name', NAME);
  const known = knownNetwork(written);
  const name = known?.name ?? written;
  const given = unnamed.value('mode');
  const mode = typeof given === 'string' && isMode(given) ? given : undefined;
  const where = mode === undefined ? name : `${name} (${mode})`;
  const fields: CommonFields = fieldsOf(value, where);
  const family = familyIn(fields, known);
  refuseUnknown(fields, [...COMMON_FIELDS, ...FAMILY_FIELDS[family]], where);
  const row = { name, mode: oneOf(fields, 'mode', MODES), family };
  const common = commonSettings(fields, row, known);
  const settings = familySettings(fieldsOf(value, where), common, row.mode === 'live' ? known : undefined);
  return {
    settings,
    limits: limitsIn(fields, settings),
    oneProviderPerHourMinor: oneProviderPerHour(fields, settings),
  };
}

function familyIn(fields: CommonFields, known: KnownNetwork | undefined): AddressFamily {
  const family = oneOf(fields, 'family', FAMILIES, known?.family);
  if (known === undefined || family === known.family) return family;
  throw fields.problem('family', `must be "${known.family}" for ${known.name}`);
}

interface Row {
  readonly name: string;
  readonly mode: Mode;
  readonly family: AddressFamily;
}

function commonSettings(fields: CommonFields, row: Row, known: KnownNetwork | undefined): CommonSettings {
  const live = row.mode === 'live';
  // A test network of the same name shares only the family and the coin.
  const main = live ? known : undefined;
  const isOurToken = main !== undefined && main.tokenAddress !== null && fields.value('token') === undefined;
  const decimals = whole(fields, 'decimals', DECIMALS, isOurToken ? main.decimals : undefined);
  const native = nativeIn(fields, known);
  const rpc = providersIn(fields, row);
  const lowWater = fields.inside('low_water', ['token', 'native']);
  return {
    ...row,
    rpc,
    assetCode: text(fields, 'asset', CODE, 'NGNC'),
    token: addressIn(fields, 'token', row, main?.tokenAddress ?? undefined),
    decimals,
    native,
    key: text(fields, 'key', KEY),
    confirmations: whole(fields, 'confirmations', [1, 10_000], main?.confirmations),
    finalAfterMs: whole(fields, 'final_after_ms', [1, 3_600_000], main?.finalAfterMs),
    explorerTxUrl: explorerIn(fields, row.mode, live ? main?.explorerTxUrl : null),
    agreeFromMinor: agreeFrom(fields, live && countProviders(rpc) < 2, decimals),
    marks: {
      tokenMinor: amount(lowWater, 'token', decimals, live ? undefined : '0'),
      nativeMinor: amount(lowWater, 'native', native.decimals, live ? undefined : '0'),
    },
    batch: whole(fields, 'batch', [1, 100], 50),
  };
}

function nativeIn(fields: CommonFields, known: KnownNetwork | undefined) {
  if (fields.value('native') === undefined && known !== undefined) return known.native;
  const native = fields.inside('native', ['asset', 'decimals']);
  return { asset: text(native, 'asset', CODE), decimals: whole(native, 'decimals', DECIMALS) };
}

function agreeFrom(fields: CommonFields, alone: boolean, decimals: number): bigint | null {
  if (fields.value('agree_from') === NEVER) return null;
  if (alone) {
    throw fields.problem(
      'agree_from',
      `must be "${NEVER}" while "rpc" names one provider (URLs at one host are one): from this amount on two providers must ` +
        `agree before it counts as paid or received, and there is no second provider to ask. Add a second provider, or ` +
        `write "${NEVER}" to trust the only one`,
    );
  }
  return amount(fields, 'agree_from', decimals, AGREE_FROM);
}

/** The default is `agree_from`: the amount from which a single deposit needs two providers. */
function oneProviderPerHour(
  fields: CommonFields,
  { rpc, decimals, agreeFromMinor }: NetworkSettings,
): bigint | null {
  const alone = countProviders(rpc) < 2;
  const given = fields.value('one_provider_per_hour');
  if (given === null) return null;
  if (given === undefined) return alone ? null : agreeFromMinor;
  if (alone)
    throw fields.problem(
      'one_provider_per_hour',
      'must be null or left out while "rpc" names one provider (URLs at one host are one): above it two providers must ' +
        'agree, and there is no second provider to ask',
    );
  return amount(fields, 'one_provider_per_hour', decimals);
}

/** A live network must name each limit, or null where there is no limit; leaving it out is an error. */
function limitsIn(fields: CommonFields, settings: NetworkSettings): SigningLimits {
  const signing = fields.inside('signing', ['per_transaction', 'per_day', 'allow_list']);
  const cap = (name: 'per_transaction' | 'per_day'): bigint | null => {
    const value = signing.value(name);
    if (value === null) return null;
    if (value === undefined && settings.mode === 'test') return null;
    if (value === undefined) throw signing.problem(name, 'is missing; write null for no limit');
    const capMinor = amount(signing, name, settings.decimals);
    if (capMinor === 0n) throw signing.problem(name, 'must be above zero, or null for no limit');
    return capMinor;
  };
  const perTransactionMinor = cap('per_transaction');
  const perDayMinor = cap('per_day');
  if (perTransactionMinor !== null && perDayMinor !== null && perDayMinor < perTransactionMinor)
    throw signing.problem('per_day', 'is below "signing.per_transaction"');
  return { perTransactionMinor, perDayMinor, allowList: allowListIn(signing, settings) };
}

function allowListIn(signing: Fields<'allow_list'>, settings: NetworkSettings): readonly string[] | null {
  const list = signing.value('allow_list') ?? null;
  if (list === null) return null;
  if (!Array.isArray(list) || list.length === 0)
    throw signing.problem('allow_list', 'must be a list of the only addresses that may be paid, or null');
  return list.map((value, index) => {
    const entry: Fields<'allow_list'> = {
      ...signing,
      value: () => value,
      problem: (name, what) => signing.problem(name, `entry ${index + 1} ${what}`),
    };
    return addressIn(entry, 'allow_list', settings);
  });
}
