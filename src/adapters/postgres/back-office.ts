// The back office on PostgreSQL: each change and its line in the operator log are one transaction.
import type pg from 'pg';
import { CURRENCIES, type Currency, type RateBook } from '../../domain/rates.ts';
import type {
  BackOffice,
  Doing,
  NewBusiness,
  NewKey,
  StoredKey,
  StoredVendor,
} from '../../ports/back-office.ts';
import { type Database, sqlState } from './database.ts';

const UNIQUE_VIOLATION = '23505';

export function makeBackOffice(database: Database): BackOffice {
  const logged = <T>(
    doing: Doing,
    action: string,
    detail: object,
    work: (client: pg.ClientBase) => Promise<T>,
  ): Promise<T> =>
    database.transaction(async (client) => {
      const result = await work(client);
      if (result === false || result === 'not_found') return result; // nothing was changed
      await client.query('insert into operator_log (at, actor, action, detail) values ($1, $2, $3, $4)', [
        new Date(doing.atMs),
        doing.actor,
        action,
        JSON.stringify(detail),
      ]);
      return result;
    });
  return {
    ...businesses(database, logged),
    ...keys(database, logged),
    ...vendors(database, logged),
    ...rates(database, logged),
    setMovementsPaused: (paused, reason, doing) =>
      logged(doing, paused ? 'movements_paused' : 'movements_resumed', { reason }, async (client) => {
        await client.query(
          `insert into controls (name, value, updated_at) values ('movements_paused', $1, $2)
           on conflict (name) do update set value = excluded.value, updated_at = excluded.updated_at`,
          [JSON.stringify(paused), new Date(doing.atMs)],
        );
      }),
    movementsPaused: async () => {
      const { rows } = await database.query<{ value: boolean }>({
        text: `select value from controls where name = 'movements_paused'`,
      });
      return rows[0]?.value ?? false;
    },
  };
}

type Logged = <T>(
  doing: Doing,
  action: string,
  detail: object,
  work: (client: pg.ClientBase) => Promise<T>,
) => Promise<T>;

/** A unique violation is an expected answer here; everything else is thrown on. */
async function unlessTaken<T, Taken extends string>(work: Promise<T>, taken: Taken): Promise<T | Taken> {
  try {
    return await work;
  } catch (error) {
    if (sqlState(error) === UNIQUE_VIOLATION) return taken;
    throw error;
  }
}

function businesses(
  database: Database,
  logged: Logged,
): Pick<BackOffice, 'addBusiness' | 'listBusinesses' | 'setDefaultWallet'> {
  return {
    addBusiness: (business, doing) =>
      unlessTaken(
        logged(doing, 'business_added', business, async (client) => {
          const { id, name, linkTag, sandbox } = business;
          await client.query(
            'insert into businesses (id, name, link_tag, sandbox, created_at) values ($1, $2, $3, $4, $5)',
            [id, name, linkTag, sandbox, new Date(doing.atMs)],
          );
          return 'added' as const;
        }),
        'link_tag_taken',
      ),
    listBusinesses: async () => {
      const { rows } = await database.query<NewBusiness>({
        text: 'select id, name, link_tag as "linkTag", sandbox from businesses order by id',
      });
      return rows;
    },
    setDefaultWallet: (businessId, mode, wallet, doing) =>
      logged(doing, 'default_wallet_set', { businessId, mode, wallet }, async (client) => {
        await client.query('delete from business_wallets where business_id = $1 and mode = $2', [
          businessId,
          mode,
        ]);
        if (wallet === null) return;
        await client.query(
          `insert into business_wallets (business_id, mode, network, address, updated_at)
           values ($1, $2, $3, $4, $5)`,
          [businessId, mode, wallet.network, wallet.address, new Date(doing.atMs)],
        );
      }),
  };
}

function keys(
  database: Database,
  logged: Logged,
): Pick<BackOffice, 'addKey' | 'listKeys' | 'hasActiveKey' | 'rollKey' | 'revokeKey'> {
  const insert = (client: pg.ClientBase, key: NewKey, doing: Doing) =>
    client.query(
      'insert into api_keys (id, business_id, mode, hash, hint, created_at) values ($1, $2, $3, $4, $5, $6)',
      [key.id, key.businessId, key.mode, key.hash, key.hint, new Date(doing.atMs)],
    );
  const active = 'revoked_at is null and (expires_at is null or expires_at > now())';
  return {
    addKey: (key, doing) =>
      logged(
        doing,
        'key_added',
        { keyId: key.id, businessId: key.businessId, mode: key.mode },
        async (client) => {
          await insert(client, key, doing);
        },
      ),
    listKeys: async (businessId) => {
      const { rows } = await database.query<KeyRow>({
        text: `select id, business_id as "businessId", mode, hint, created_at as "createdAt",
            expires_at as "expiresAt", revoked_at as "revokedAt"
          from api_keys where $1::text is null or business_id = $1 order by id`,
        values: [businessId ?? null],
      });
      return rows.map(({ createdAt, expiresAt, revokedAt, ...rest }) => ({
        ...rest,
        createdAtMs: createdAt.getTime(),
        expiresAtMs: expiresAt?.getTime() ?? null,
        revokedAtMs: revokedAt?.getTime() ?? null,
      }));
    },
    hasActiveKey: async (businessId, mode, hash) => {
      const { rows } = await database.query({
        text: `select 1 from api_keys where business_id = $1 and mode = $2 and hash = $3 and ${active}`,
        values: [businessId, mode, hash],
      });
      return rows.length === 1;
    },
    rollKey: (oldKeyId, replacement, oldEndsAtMs, doing) =>
      logged(doing, 'key_rolled', { oldKeyId, keyId: replacement.id, oldEndsAtMs }, async (client) => {
        const ended = await client.query(
          `update api_keys set expires_at = least($2, coalesce(expires_at, $2)) where id = $1 and ${active}`,
          [oldKeyId, new Date(oldEndsAtMs)],
        );
        if (ended.rowCount !== 1) return false;
        await insert(client, replacement, doing);
        return true;
      }),
    revokeKey: (keyId, doing) =>
      logged(doing, 'key_revoked', { keyId }, async (client) => {
        const revoked = await client.query(
          'update api_keys set revoked_at = $2 where id = $1 and revoked_at is null',
          [keyId, new Date(doing.atMs)],
        );
        return revoked.rowCount === 1;
      }),
  };
}

interface KeyRow extends pg.QueryResultRow {
  id: string;
  businessId: string;
  mode: StoredKey['mode'];
  hint: string;
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
}

function vendors(
  database: Database,
  logged: Logged,
): Pick<BackOffice, 'addVendor' | 'listVendors' | 'changeVendor'> {
  return {
    addVendor: (vendor, doing) =>
      unlessTaken(
        logged(doing, 'vendor_added', vendor, async (client) => {
          const { id, mode, name, number, bank, bankCode, active } = vendor;
          await client.query(
            `insert into vendors (id, mode, name, number, bank, bank_code, active, created_at, updated_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
            [id, mode, name, number, bank, bankCode, active, new Date(doing.atMs)],
          );
          return 'added' as const;
        }),
        'account_taken',
      ),
    listVendors: async () => {
      const { rows } = await database.query<StoredVendor>({
        text: `select id, mode, name, number, bank, bank_code as "bankCode", active from vendors
          order by mode, active desc, name, id`,
      });
      return rows;
    },
    changeVendor: (id, change, doing) =>
      unlessTaken(
        logged(doing, 'vendor_changed', { id, ...change }, async (client) => {
          const changed = await client.query(
            `update vendors set name = coalesce($2, name), active = coalesce($3, active), updated_at = $4
             where id = $1`,
            [id, change.name ?? null, change.active ?? null, new Date(doing.atMs)],
          );
          return changed.rowCount === 1 ? ('changed' as const) : ('not_found' as const);
        }),
        'account_taken',
      ),
  };
}

function rates(database: Database, logged: Logged): Pick<BackOffice, 'saveRateBook' | 'readRateBook'> {
  return {
    saveRateBook: (mode, book, doing) => {
      const values = CURRENCIES.map((currency) => [currency, book.valuesE4[currency].toString()] as const);
      const { product, spreadBps, updatedAtMs, validUntilMs } = book;
      const detail = { mode, product, spreadBps, validUntilMs, valuesE4: Object.fromEntries(values) };
      return logged(doing, 'rates_set', detail, async (client) => {
        await client.query(
          `insert into rate_books (mode, product, spread_bps, updated_at, valid_until) values ($1, $2, $3, $4, $5)
           on conflict (mode, product) do update
           set spread_bps = excluded.spread_bps, updated_at = excluded.updated_at, valid_until = excluded.valid_until`,
          [
            mode,
            product,
            spreadBps,
            new Date(updatedAtMs),
            validUntilMs === null ? null : new Date(validUntilMs),
          ],
        );
        await client.query(
          `insert into rate_values (mode, product, currency, value_e4)
           select $1, $2, * from unnest($3::text[], $4::bigint[])
           on conflict (mode, product, currency) do update set value_e4 = excluded.value_e4`,
          [mode, product, values.map(([currency]) => currency), values.map(([, value]) => value)],
        );
      });
    },
    readRateBook: async (mode, product) => {
      const { rows } = await database.query<{
        spread_bps: number;
        updated_at: Date;
        valid_until: Date | null;
        currency: Currency;
        value_e4: string;
      }>({
        text: `select b.spread_bps, b.updated_at, b.valid_until, v.currency, v.value_e4
          from rate_books b join rate_values v using (mode, product) where mode = $1 and product = $2`,
        values: [mode, product],
      });
      const first = rows[0];
      if (first === undefined) return undefined;
      const valuesE4 = Object.fromEntries(rows.map((row) => [row.currency, BigInt(row.value_e4)]));
      return {
        product,
        spreadBps: first.spread_bps,
        updatedAtMs: first.updated_at.getTime(),
        validUntilMs: first.valid_until?.getTime() ?? null,
        valuesE4: valuesE4 as RateBook['valuesE4'],
      };
    },
  };
}
