// Makes a new installation usable at once: vendors and rates for test mode on every database, and on the embedded one
// a sandbox business whose credentials are written to a file. Safe to run at every start.
import { RATE_PRODUCTS, type RateProduct } from '../../domain/catalogue/rates.ts';
import type { RateSource } from '../../ports/rates.ts';
import type { KnownCredentials, SandboxCredentials, SandboxFile } from '../../ports/sandbox-file.ts';
import { changeSetting } from '../back-office/change-setting.ts';
import { addBusiness } from '../back-office/manage-businesses.ts';
import { type BackOfficeDeps, issueKey } from '../back-office/manage-keys.ts';
import { setRates } from '../back-office/set-rates.ts';
import type { SettingDeps } from '../back-office/setting-deps.ts';
import { hashSecretKey } from '../intake/authenticate.ts';
import type { PeopleDeps } from '../people/people-deps.ts';
import { NO_PEOPLE, prepareSandboxPeople } from './prepare-people.ts';

export interface TestModeSample {
  readonly vendors: readonly { readonly name: string; readonly number: string; readonly bank: string }[];
  readonly rates: RateSource;
}

/** So that an integrator sees the two products differ. */
const SAMPLE_SPREAD_BPS: Readonly<Record<RateProduct, number>> = { otc_buy: 100, usdc_ngnc: 50 };

/** Fills in what test mode has never had; an operator's own vendors and rates are left alone. */
export async function prepareTestMode(
  deps: BackOfficeDeps & SettingDeps,
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
  for (const product of RATE_PRODUCTS) {
    if ((await deps.backOffice.readRateBook('test', product)) !== undefined) continue;
    const { values } = await sample.rates.quotes();
    const spreadBps = SAMPLE_SPREAD_BPS[product];
    const set = await setRates(deps, { mode: 'test', product, values, spreadBps, validForMs: null });
    if (!set.ok) throw new Error(`rates of ${sample.rates.name}: ${set.error}`);
  }
}

const SANDBOX = { name: 'Sandbox', linkTag: 'sandbox', sandbox: true } as const;

/** The sandbox business, and a file whose keys open it. A lost or stale file is written anew, with new keys. */
export async function prepareSandbox(
  deps: BackOfficeDeps & {
    readonly file: SandboxFile;
    readonly people: PeopleDeps;
    readonly hasLive: boolean;
  },
  urls: Pick<SandboxCredentials, 'base_url' | 'otc_base_url'>,
): Promise<SandboxCredentials> {
  const business =
    (await deps.backOffice.listBusinesses()).find((each) => each.sandbox) ?? (await addSandbox(deps));
  const known = await deps.file.read();
  const keys =
    known !== undefined && known.business_id === business.id && (await keysWork(deps, known))
      ? { test_key: known.test_key, live_key: known.live_key }
      : {
          test_key: (await issueKey(deps, business.id, 'test'))!.secretKey,
          live_key: (await issueKey(deps, business.id, 'live'))!.secretKey,
        };
  const people = deps.hasLive
    ? NO_PEOPLE
    : await prepareSandboxPeople(deps.people, business.id, known ?? {}, deps.actor);
  const credentials = { ...urls, business_id: business.id, link_tag: business.linkTag, ...keys, ...people };
  await deps.file.write(credentials);
  return credentials;
}

async function addSandbox(deps: BackOfficeDeps) {
  const added = await addBusiness(deps, SANDBOX);
  if (!added.ok) throw new Error(`the sandbox business could not be made: ${added.error.message}`);
  return added.value;
}

async function keysWork({ backOffice }: BackOfficeDeps, known: KnownCredentials): Promise<boolean> {
  const { business_id, test_key, live_key } = known;
  return (
    (await backOffice.hasActiveKey(business_id, 'test', hashSecretKey(test_key))) &&
    (await backOffice.hasActiveKey(business_id, 'live', hashSecretKey(live_key)))
  );
}
