// Keeps the catalogue in memory. The catalogue is served only while it includes every change that this process was notified of.
import { feeSchedule } from '../../domain/catalogue/fees.ts';
import type { VendorAccount } from '../../domain/catalogue/vendors.ts';
import type { Wallet } from '../../domain/records/transaction.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { ApiKey, Business, Catalogue, CatalogueSnapshot, Vendor } from '../../ports/catalogue.ts';
import { FEE_COLUMNS, SELECT_FEES } from './back-office/fees.ts';
import { LIMIT_COLUMNS, SELECT_LIMITS } from './back-office/limits.ts';
import type { ConnectionSettings, Database } from './connection/database.ts';
import { keepSnapshot } from './connection/kept-snapshot.ts';
import {
  all,
  defineColumns,
  plainColumn,
  type RecordColumns,
  timeColumn,
} from './connection/record-columns.ts';
import { readRailSettings } from './rails/settings.ts';

interface StoredKey extends Omit<ApiKey, 'business'> {
  readonly hash: string;
  readonly businessId: string;
}
const KEY = defineColumns<StoredKey>({
  ...all(plainColumn, 'hash', 'id', 'mode', 'scope', 'businessId'),
  expiresAtMs: timeColumn,
});
type BareBusiness = Omit<Business, 'defaultWallets'>;
const BUSINESS = defineColumns<BareBusiness>(all(plainColumn, 'id', 'name', 'linkTag', 'tier'));
interface DefaultWallet extends Wallet {
  readonly businessId: string;
  readonly mode: Mode;
}
const WALLET = defineColumns<DefaultWallet>(all(plainColumn, 'businessId', 'mode', 'network', 'address'));
interface StoredVendor extends Vendor, VendorAccount {
  readonly updatedAtMs: number;
}
const VENDOR = defineColumns<StoredVendor>({
  ...all(plainColumn, 'id', 'mode', 'name', 'number', 'bank', 'bankCode', 'active'),
  updatedAtMs: timeColumn,
});

/** All parts of the catalogue are read in one repeatable-read transaction, so that they agree with each other. */
export async function readSnapshot(database: Database, generation: number): Promise<CatalogueSnapshot> {
  return database.transaction(async (client) => {
    await client.query('set transaction isolation level repeatable read read only');
    const list = async <Each>({ list: names, read }: RecordColumns<Each>, where: string) =>
      (await client.query(`select ${names()} from ${where}`)).rows.map(read);
    const businesses = await list(BUSINESS, 'businesses');
    const wallets = await list(WALLET, 'business_wallets');
    const keys = await list(
      KEY,
      'api_keys where revoked_at is null and (expires_at is null or expires_at > now())',
    );
    const vendors = await list(VENDOR, 'vendors order by name, id');
    const fees = (await client.query(SELECT_FEES)).rows.map(FEE_COLUMNS.read);
    const limits = await client.query(SELECT_LIMITS);
    const paused = await client.query<{ value: boolean }>(
      `select value from controls where name = 'movements_paused'`,
    );
    const frozen = await client.query<{ business_id: string; mode: Mode }>(
      'select business_id, mode from freezes',
    );
    const halts = await client.query<{ mode: Mode; asset: string }>('select mode, asset from halts');
    const rails = await readRailSettings((text) => client.query(text));
    return {
      generation,
      keysByHash: makeKeyMap(keys, makeBusinessMap(businesses, wallets)),
      vendors: { live: activeVendors(vendors, 'live'), test: activeVendors(vendors, 'test') },
      vendorAccounts: {
        live: vendorAccounts(vendors, 'live'),
        test: vendorAccounts(vendors, 'test'),
      },
      vendorsUpdatedAtMs: {
        live: lastVendorChange(vendors, 'live'),
        test: lastVendorChange(vendors, 'test'),
      },
      fees: {
        live: feeSchedule(fees.filter(({ mode }) => mode === 'live')),
        test: feeSchedule(fees.filter(({ mode }) => mode === 'test')),
      },
      limits: limits.rows.map(LIMIT_COLUMNS.read),
      movementsPaused: paused.rows[0]?.value ?? false,
      frozen: new Set(frozen.rows.map(({ business_id, mode }) => `${business_id} ${mode}`)),
      halts: new Set(halts.rows.map(({ mode, asset }) => `${mode} ${asset}`)),
      rails,
    };
  });
}

function makeBusinessMap(
  rows: readonly BareBusiness[],
  wallets: readonly DefaultWallet[],
): Map<string, Business> {
  const map = new Map<string, Business>();
  for (const business of rows) {
    const own = wallets.filter(({ businessId }) => businessId === business.id);
    const defaultWallets = Object.fromEntries(
      own.map(({ mode, network, address }) => [mode, { network, address }]),
    );
    map.set(business.id, { ...business, defaultWallets });
  }
  return map;
}

function makeKeyMap(rows: readonly StoredKey[], businesses: Map<string, Business>): Map<string, ApiKey> {
  return new Map(
    rows.map(({ hash, businessId, ...key }) => [hash, { ...key, business: businesses.get(businessId)! }]),
  );
}

function activeVendors(all: readonly StoredVendor[], of: Mode): Vendor[] {
  return all
    .filter(({ mode, active }) => mode === of && active)
    .map(({ active, updatedAtMs, ...vendor }) => vendor);
}

function vendorAccounts(all: readonly StoredVendor[], of: Mode): VendorAccount[] {
  return all
    .filter(({ mode }) => mode === of)
    .map(({ number, bankCode, active }) => ({ number, bankCode, active }));
}

function lastVendorChange(all: readonly StoredVendor[], of: Mode): number {
  return Math.max(0, ...all.filter(({ mode }) => mode === of).map(({ updatedAtMs }) => updatedAtMs));
}

export interface PostgresCatalogue extends Catalogue {
  close(): Promise<void>;
}

export function openCatalogue(
  database: Database,
  connection: ConnectionSettings,
  onError: (error: Error) => void,
): PostgresCatalogue {
  return keepSnapshot({
    // The triggers in migrations/0001_catalogue.sql notify on this channel.
    channel: 'sliproad_catalogue',
    connection,
    read: (generation) => readSnapshot(database, generation),
    concerns: () => true,
    patienceMs: 0,
    onError,
  });
}
