// Makes a new installation usable at once. Every database gets vendors and rates for test mode. The embedded database also gets
// a sandbox business, whose credentials are written to a file. These functions may run at every start.
import {
  CURRENCIES,
  type Currency,
  parseRate,
  RATE_PRODUCTS,
  type RateProduct,
} from '../../domain/rates/rates.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { DeskWrites, RateStore } from '../../ports/rates.ts';
import type { SandboxCredentials, SandboxFile, StoredSandboxCredentials } from '../../ports/sandbox-file.ts';
import { changeSetting } from '../back-office/change-setting.ts';
import { addBusiness } from '../back-office/manage-businesses.ts';
import { type BackOfficeDeps, issueKey } from '../back-office/manage-keys.ts';
import type { SettingDeps } from '../back-office/setting-deps.ts';
import { hashSecretKey } from '../intake/authenticate.ts';
import type { PeopleDeps } from '../people/people-deps.ts';
import { NO_SANDBOX_PEOPLE, prepareSandboxPeople } from './prepare-sandbox-people.ts';

export interface TestModeSample {
  readonly vendors: readonly { readonly name: string; readonly number: string; readonly bank: string }[];
  /** The price of one unit of each currency in naira. */
  readonly rates: Readonly<Record<Currency, string>>;
}

/** The sample spreads differ, so that an integrator can tell the products apart. */
const SAMPLE_SPREAD_BPS: Readonly<Record<RateProduct, number>> = { otc_buy: 100, usdc_ngnc: 50 };

/** Adds only what test mode has never had. The operator's own vendors and rates stay unchanged. */
export async function prepareTestMode(
  deps: BackOfficeDeps & SettingDeps & SampleRateDeps,
  sample: TestModeSample,
): Promise<void> {
  const vendors = await deps.backOffice.listVendors();
  if (!vendors.some((vendor) => vendor.mode === 'test')) {
    for (const vendor of sample.vendors) {
      const request = { setting: 'vendor_added', vendor: { mode: 'test', ...vendor } } as const;
      const added = await changeSetting(deps, request, deps);
      if (!added.ok) throw new Error(`sample vendor ${vendor.name}: ${added.error.message}`);
    }
  }
  for (const product of RATE_PRODUCTS) await addSampleRates(deps, product, sample.rates);
}

type SampleRateDeps = Pick<BackOfficeDeps, 'clock' | 'actor'> & {
  readonly rateStore: Pick<RateStore, 'currentDeskPrices' | 'listSpreads'>;
  readonly deskWrites: DeskWrites;
};

/**
 * Sample rates are labelled, and only test mode has them. The rates and the spread are set separately, because an operator may
 * have set only one of the two.
 */
async function addSampleRates(
  { rateStore, deskWrites, clock, actor }: SampleRateDeps,
  product: RateProduct,
  rates: TestModeSample['rates'],
): Promise<void> {
  const atMs = clock.now();
  const doing = { actor, atMs };
  const common = { mode: 'test', product, setBy: actor } as const;
  if ((await rateStore.currentDeskPrices('test', product)).length === 0) {
    const plain = { override: false, confirmed: false, approvedBy: null, sample: true };
    const prices = CURRENCIES.map((currency) => {
      const valueE4 = parseRate(rates[currency])!;
      return { ...common, ...plain, currency, valueE4, asOfMs: atMs, validUntilMs: null };
    });
    await deskWrites.addDeskPrices(prices, doing);
  }
  const spreads = await rateStore.listSpreads('test');
  if (!spreads.some((rule) => rule.product === product)) {
    const rule = { currency: null, tier: null, spreadBps: SAMPLE_SPREAD_BPS[product], fromMs: atMs };
    await deskWrites.addSpread({ ...common, ...rule }, doing);
  }
}

const SANDBOX_BUSINESS = { name: 'Sandbox', linkTag: 'sandbox', sandbox: true } as const;

/**
 * Makes the sandbox business and a file with its keys. If the file is lost or out of date, it is written again with a new test
 * key. A live key is created only once, together with the business. If the live key is lost or revoked, only a person can
 * replace it.
 */
export async function prepareSandbox(
  deps: BackOfficeDeps & {
    readonly file: SandboxFile;
    readonly people: PeopleDeps;
    /** True if the installation moves real money. Then no person has credentials in a file. */
    readonly isReal: boolean;
  },
  urls: Pick<SandboxCredentials, 'base_url' | 'otc_base_url'>,
): Promise<SandboxCredentials> {
  const business =
    (await deps.backOffice.listBusinesses()).find((each) => each.sandbox) ?? (await addSandboxBusiness(deps));
  const found = await deps.file.read();
  const known = found?.business_id === business.id ? found : undefined;
  const keys = {
    test_key:
      (await validKey(deps, business.id, 'test', known)) ??
      (await issueKey(deps, business.id, 'test'))!.secretKey,
    live_key:
      (await validKey(deps, business.id, 'live', known)) ?? (await issueFirstLiveKey(deps, business.id)),
  };
  const people = deps.isReal
    ? NO_SANDBOX_PEOPLE
    : await prepareSandboxPeople(deps.people, business.id, found ?? {}, deps.actor);
  const credentials = { ...urls, business_id: business.id, link_tag: business.linkTag, ...keys, ...people };
  await deps.file.write(credentials);
  return credentials;
}

async function addSandboxBusiness(deps: BackOfficeDeps) {
  const added = await addBusiness(deps, SANDBOX_BUSINESS);
  if (!added.ok) throw new Error(`the sandbox business could not be created: ${added.error.message}`);
  return added.value;
}

async function validKey(
  { backOffice }: BackOfficeDeps,
  businessId: string,
  mode: Mode,
  known: StoredSandboxCredentials | undefined,
): Promise<string | null> {
  const key = known?.[`${mode}_key`] ?? null;
  return key !== null && (await backOffice.hasActiveKey(businessId, mode, hashSecretKey(key))) ? key : null;
}

async function issueFirstLiveKey(deps: BackOfficeDeps, businessId: string): Promise<string | null> {
  const keys = await deps.backOffice.listKeys(businessId);
  if (keys.some(({ mode }) => mode === 'live')) return null;
  return (await issueKey(deps, businessId, 'live'))!.secretKey;
}
