// The catalogue in memory: read whole, listened for through NOTIFY (sent by triggers inside the changing commit), and
// declared out of date the moment the listening connection is not known to be alive.
import pg from 'pg';
import type { Mode } from '../../domain/mode.ts';
import { CURRENCIES, type Currency, type RateBook, type RateProduct } from '../../domain/rates.ts';
import type { ApiKey, Business, Catalogue, CatalogueSnapshot, Vendor } from '../../ports/catalogue.ts';
import { StoreUnavailable } from '../../ports/store.ts';
import { type ConnectionSettings, type Database, withoutWaitingFor } from './database.ts';

const HEARTBEAT_MS = 1_000;
const RECONNECT_MS = 250;

export interface PostgresCatalogue extends Catalogue {
  close(): Promise<void>;
}

export function openCatalogue(
  database: Database,
  connection: ConnectionSettings,
  onError: (error: Error) => void,
): PostgresCatalogue {
  let snapshot: CatalogueSnapshot | undefined;
  let generation = 0;
  /** Changes heard of, and how many of them the snapshot has: it is current only while they are equal. */
  let heard = 0;
  let covered = 0;
  /** The read under way, and one that will start after it: whoever asks now must see what is committed now. */
  let reading: Promise<CatalogueSnapshot> | undefined;
  let next: Promise<CatalogueSnapshot> | undefined;

  const read = (): Promise<CatalogueSnapshot> => {
    const heardBefore = heard;
    reading = readSnapshot(database, ++generation)
      .then((fresh) => {
        snapshot = fresh;
        covered = heardBefore;
        return fresh;
      })
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };
  const refresh = (): Promise<CatalogueSnapshot> => {
    if (reading === undefined) return read();
    next ??= reading
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return read();
      });
    return next;
  };

  const listener = keepListening({
    connection,
    onUp: refresh,
    onDown: onError,
    onChange: () => {
      heard++;
      refresh().catch(onError);
    },
  });

  return {
    current: () => (listener.alive() && covered === heard ? snapshot : undefined),
    refresh,
    close: () => listener.close(),
  };
}

interface Listener {
  alive(): boolean;
  close(): Promise<void>;
}

/** Holds one connection that listens, asks after it every second, and opens another when it dies. */
function keepListening(options: {
  connection: ConnectionSettings;
  onUp: () => Promise<unknown>;
  onDown: (error: Error) => void;
  onChange: () => void;
}): Listener {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let up = false;
  let closed = false;

  const down = (error: Error) => {
    const dead = client;
    client = undefined;
    clearTimeout(timer);
    if (dead === undefined || closed) return;
    if (up) options.onDown(error);
    up = false;
    dead.end().catch(() => undefined);
    timer = setTimeout(connect, RECONNECT_MS);
  };
  const beat = (of: pg.Client) => {
    timer = setTimeout(() => {
      of.query('select 1').then(
        () => client === of && beat(of),
        (error) => client === of && down(error),
      );
    }, HEARTBEAT_MS);
  };
  const connect = async () => {
    const fresh = new pg.Client({
      ...options.connection,
      application_name: 'sliproad-listen',
      connectionTimeoutMillis: HEARTBEAT_MS * 2,
      query_timeout: HEARTBEAT_MS * 2,
    });
    client = fresh;
    fresh.on('error', (error) => client === fresh && down(error));
    fresh.on('end', () => client === fresh && down(new Error('the listening connection ended')));
    fresh.on('notification', options.onChange);
    try {
      await fresh.connect();
      await fresh.query('listen sliproad_catalogue');
      await options.onUp(); // reads after LISTEN took hold, so no change falls between
      if (client !== fresh) return; // it died meanwhile: nobody listens
      up = true;
      beat(fresh);
    } catch (error) {
      if (client === fresh) down(error as Error);
    }
  };
  void connect();
  return {
    alive: () => up && !closed,
    close: async () => {
      closed = true;
      clearTimeout(timer);
      if (client !== undefined) await withoutWaitingFor(client.end(), HEARTBEAT_MS);
    },
  };
}

interface KeyRow {
  hash: string;
  id: string;
  mode: Mode;
  business_id: string;
  expires_at: Date | null;
}
interface BusinessRow {
  id: string;
  name: string;
  link_tag: string;
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
interface BookRow {
  mode: Mode;
  product: RateProduct;
  spread_bps: number;
  updated_at: Date;
  valid_until: Date | null;
  values_e4: Record<string, string>;
}

/** Everything in one repeatable-read transaction: the parts of a snapshot agree with each other. */
async function readSnapshot(database: Database, generation: number): Promise<CatalogueSnapshot> {
  return database.transaction(async (client) => {
    await client.query('set transaction isolation level repeatable read read only');
    const businesses = await client.query<BusinessRow>('select id, name, link_tag from businesses');
    const wallets = await client.query<WalletRow>(
      'select business_id, mode, network, address from business_wallets',
    );
    const keys = await client.query<KeyRow>(
      `select hash, id, mode, business_id, expires_at from api_keys
       where revoked_at is null and (expires_at is null or expires_at > now())`,
    );
    const vendors = await client.query<VendorRow>(
      'select id, mode, name, number, bank, bank_code, active, updated_at from vendors order by name, id',
    );
    const books = await client.query<BookRow>(
      `select b.mode, b.product, b.spread_bps, b.updated_at, b.valid_until,
         (select json_object_agg(v.currency, v.value_e4::text) from rate_values v
          where v.mode = b.mode and v.product = b.product) as values_e4
       from rate_books b`,
    );
    const paused = await client.query<{ value: boolean }>(
      `select value from controls where name = 'movements_paused'`,
    );
    return {
      generation,
      keysByHash: keyMap(keys.rows, businessMap(businesses.rows, wallets.rows)),
      vendors: { live: activeVendors(vendors.rows, 'live'), test: activeVendors(vendors.rows, 'test') },
      vendorsUpdatedAtMs: { live: lastChange(vendors.rows, 'live'), test: lastChange(vendors.rows, 'test') },
      rateBooks: { live: bookMap(books.rows, 'live'), test: bookMap(books.rows, 'test') },
      movementsPaused: paused.rows[0]?.value ?? false,
    };
  });
}

function businessMap(rows: BusinessRow[], wallets: WalletRow[]): Map<string, Business> {
  const map = new Map<string, Business>();
  for (const { id, name, link_tag } of rows) {
    const own = wallets.filter((wallet) => wallet.business_id === id);
    const defaultWallets = Object.fromEntries(
      own.map(({ mode, network, address }) => [mode, { network, address }]),
    );
    map.set(id, { id, name, linkTag: link_tag, defaultWallets });
  }
  return map;
}

function keyMap(rows: KeyRow[], businesses: Map<string, Business>): Map<string, ApiKey> {
  return new Map(
    rows.map(({ hash, id, mode, business_id, expires_at }) => [
      hash,
      { id, mode, business: businesses.get(business_id)!, expiresAtMs: expires_at?.getTime() ?? null },
    ]),
  );
}

function activeVendors(rows: VendorRow[], mode: Mode): Vendor[] {
  return rows
    .filter((row) => row.mode === mode && row.active)
    .map(({ id, name, number, bank, bank_code }) => ({ id, mode, name, number, bank, bankCode: bank_code }));
}

function lastChange(rows: VendorRow[], mode: Mode): number {
  return Math.max(0, ...rows.filter((row) => row.mode === mode).map((row) => row.updated_at.getTime()));
}

function bookMap(rows: BookRow[], mode: Mode): Partial<Record<RateProduct, RateBook>> {
  const books: Partial<Record<RateProduct, RateBook>> = {};
  for (const row of rows) {
    if (row.mode !== mode || !CURRENCIES.every((currency) => row.values_e4?.[currency] !== undefined))
      continue;
    const valuesE4 = {} as Record<Currency, bigint>;
    for (const currency of CURRENCIES) valuesE4[currency] = BigInt(row.values_e4[currency]!);
    books[row.product] = {
      product: row.product,
      spreadBps: row.spread_bps,
      valuesE4,
      updatedAtMs: row.updated_at.getTime(),
      validUntilMs: row.valid_until?.getTime() ?? null,
    };
  }
  return books;
}

/** Resolves once the catalogue is current; throws when that takes too long. */
export async function untilCurrent(catalogue: Catalogue, timeoutMs: number): Promise<void> {
  const giveUpAt = performance.now() + timeoutMs;
  while (catalogue.current() === undefined) {
    if (performance.now() > giveUpAt) {
      throw new StoreUnavailable('the database did not answer in time', { mayHaveActed: false });
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
