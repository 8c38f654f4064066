// Stores the secret keys of businesses in PostgreSQL as hashes and hints, never the keys themselves.
import type pg from 'pg';
import type { AuditStamp, BackOffice, KeyUses, NewApiKey, StoredKey } from '../../../ports/back-office.ts';
import type { Database } from '../connection/database.ts';
import { all, defineColumns, plainColumn, timeColumn } from '../connection/record-columns.ts';
import type { RunAudited } from './run-audited.ts';

const KEY = defineColumns<StoredKey>({
  ...all(plainColumn, 'id', 'businessId', 'mode', 'hint', 'name', 'scope'),
  ...all(timeColumn, 'createdAtMs', 'expiresAtMs', 'revokedAtMs', 'lastUsedAtMs'),
});

export function makeKeys(
  database: Database,
  logged: RunAudited,
): Pick<BackOffice, 'addKey' | 'listKeys' | 'hasActiveKey' | 'rollKey' | 'renameKey' | 'revokeKey'> {
  const insert = (client: pg.ClientBase, key: NewApiKey, doing: AuditStamp) =>
    client.query(
      `insert into api_keys (id, business_id, mode, hash, hint, name, scope, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [key.id, key.businessId, key.mode, key.hash, key.hint, key.name, key.scope, new Date(doing.atMs)],
    );
  const active = 'revoked_at is null and (expires_at is null or expires_at > now())';
  return {
    addKey: (key, doing) =>
      logged(
        doing,
        'key_added',
        { keyId: key.id, businessId: key.businessId, mode: key.mode, scope: key.scope },
        async (client) => {
          await insert(client, key, doing);
        },
      ),
    listKeys: async (businessId) => {
      const { rows } = await database.query({
        text: `select ${KEY.list()} from api_keys left join api_key_uses on key_id = id
          where $1::text is null or business_id = $1 order by id`,
        values: [businessId ?? null],
      });
      return rows.map(KEY.read);
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
    renameKey: (keyId, name, doing) =>
      logged(doing, 'key_renamed', { keyId, name }, async (client) => {
        const renamed = await client.query('update api_keys set name = $2 where id = $1', [keyId, name]);
        return renamed.rowCount === 1;
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

// The time of the last use of each key is in a separate table. Otherwise each new time would make every process read the
// catalogue again. Every process writes the rows in the same order, so two processes never deadlock. The commit does not wait
// for the disk, because the exact time is not important.
const NOTE = `
with hurried as materialized (select set_config('synchronous_commit', 'off', true))
insert into api_key_uses as known (key_id, last_used_at)
select key_id, to_timestamp(at_ms / 1000) from hurried, unnest($1::text[], $2::float8[]) as u(key_id, at_ms) order by key_id
on conflict (key_id) do update set last_used_at = excluded.last_used_at where known.last_used_at < excluded.last_used_at`;

export function makeKeyUses(database: Database): KeyUses {
  return {
    note: async (uses) => {
      await database.query({
        name: 'note-key-uses',
        text: NOTE,
        values: [[...uses.keys()], [...uses.values()]],
      });
    },
  };
}
