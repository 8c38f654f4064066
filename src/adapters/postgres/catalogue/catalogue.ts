// The catalogue in memory. It is served only while it includes every change that was heard of.
import { feeSchedule } from '../../../domain/catalogue/fees.ts';
import type { KeyScope } from '../../../domain/catalogue/secret-keys.ts';
import type { VendorAccount } from '../../../domain/catalogue/vendors.ts';
import type { Mode } from '../../../domain/values/mode.ts';
import type { ApiKey, Business, Catalogue, CatalogueSnapshot, Vendor } from '../../../ports/catalogue.ts';
import { FEES, SELECT_FEES } from '../back-office/fees.ts';
import { LIMITS, SELECT_LIMITS } from '../back-office/limits.ts';
import type { ConnectionSettings, Database } from '../connection/database.ts';
import { keepSnapshot } from '../connection/kept-snapshot.ts';
import { readRailSettings } from '../rails/settings.ts';

// Reads the catalogue whole: keys, businesses, vendors, fees and limits as of one moment.
interface KeyRow {
  hash: string;
  id: string;
  mode: Mode;
  scope: KeyScope;
  business_id: string;
  expires_at: Date | null;
}
interface BusinessRow {
  id: string;
  name: string;
  link_tag: string;
  tier: string;
}
interface WalletRow {
  business_id: string;
  mode: Mode;
  network: string;
  address: string;
}
interface VendorRow {
  id: string;
  mode: Mode;
  name: string;
  number: string;
  bank: string;
  bank_code: string;
  active: boolean;
  updated_at: Date;
}

/** Everything in one repeatable-read transaction: the parts of a snapshot agree with each other. */
export async function readSnapshot(database: Database, generation: number): Promise<CatalogueSnapshot> {
  return database.transaction(async (client) => {
    await client.query('set transaction isolation level repeatable read read only');
    const businesses = await client.query<BusinessRow>('select id, name, link_tag, tier from businesses');
    const wallets = await client.query<WalletRow>(
      'select business_id, mode, network, address from business_wallets',
    );
    const keys = await client.query<KeyRow>(
      `select hash, id, mode, scope, business_id, expires_at from api_keys
       where revoked_at is null and (expires_at is null or expires_at > now())`,
    );
    const vendors = await client.query<VendorRow>(
      'select id, mode, name, number, bank, bank_code, active, updated_at from vendors order by name, id',
    );
    const fees = (await client.query(SELECT_FEES)).rows.map(FEES.read);
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
      keysByHash: keyMap(keys.rows, businessMap(businesses.rows, wallets.rows)),
      vendors: { live: activeVendors(vendors.rows, 'live'), test: activeVendors(vendors.rows, 'test') },
      vendorAccounts: {
        live: vendorAccounts(vendors.rows, 'live'),
        test: vendorAccounts(vendors.rows, 'test'),
      },
      vendorsUpdatedAtMs: { live: lastChange(vendors.rows, 'live'), test: lastChange(vendors.rows, 'test') },
      fees: {
        live: feeSchedule(fees.filter(({ mode }) => mode === 'live')),
        test: feeSchedule(fees.filter(({ mode }) => mode === 'test')),
      },
      limits: limits.rows.map(LIMITS.read),
      movementsPaused: paused.rows[0]?.value ?? false,
      frozen: new Set(frozen.rows.map(({ business_id, mode }) => `${business_id} ${mode}`)),
      halts: new Set(halts.rows.map(({ mode, asset }) => `${mode} ${asset}`)),
      rails,
    };
  });
}

function businessMap(rows: BusinessRow[], wallets: WalletRow[]): Map<string, Business> {
  const map = new Map<string, Business>();
  for (const { id, name, link_tag, tier } of rows) {
    const own = wallets.filter((wallet) => wallet.business_id === id);
    const defaultWallets = Object.fromEntries(
      own.map(({ mode, network, address }) => [mode, { network, address }]),
    );
    map.set(id, { id, name, linkTag: link_tag, tier, defaultWallets });
  }
  return map;
}

function keyMap(rows: KeyRow[], businesses: Map<string, Business>): Map<string, ApiKey> {
  return new Map(
    rows.map(({ hash, id, mode, scope, business_id, expires_at }) => [
      hash,
      { id, mode, scope, business: businesses.get(business_id)!, expiresAtMs: expires_at?.getTime() ?? null },
    ]),
  );
}

function activeVendors(rows: VendorRow[], mode: Mode): Vendor[] {
  return rows
    .filter((row) => row.mode === mode && row.active)
    .map(({ id, name, number, bank, bank_code }) => ({ id, mode, name, number, bank, bankCode: bank_code }));
}

function vendorAccounts(rows: VendorRow[], mode: Mode): VendorAccount[] {
  return rows
    .filter((row) => row.mode === mode)
    .map(({ number, bank_code, active }) => ({ number, bankCode: bank_code, active }));
}

function lastChange(rows: VendorRow[], mode: Mode): number {
  return Math.max(0, ...rows.filter((row) => row.mode === mode).map((row) => row.updated_at.getTime()));
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
    // What the triggers of migrations/0001_catalogue.sql notify.
    channel: 'sliproad_catalogue',
    connection,
    read: (generation) => readSnapshot(database, generation),
    concerns: () => true,
    patienceMs: 0,
    onError,
  });
}
