// Which chain a database has been used with, network by network. What is stored of one chain (places in a wallet's order,
// positions, bytes) means nothing on another, so the first one stays.
import type { Mode } from '../../domain/mode.ts';
import type { Database } from './database.ts';

/** The identity that counts: this one, or the one that was there before. */
export async function claimNetworkIdentity(
  database: Database,
  { mode, network }: { readonly mode: Mode; readonly network: string },
  identity: string,
): Promise<string> {
  const name = `network ${mode} ${network}`;
  const { rows } = await database.query<{ value: string }>({
    text: `with made as (
        insert into controls (name, value, updated_at) values ($1, to_jsonb($2::text), now())
        on conflict (name) do nothing returning value)
      select value #>> '{}' as value from made
      union all select value #>> '{}' from controls where name = $1 limit 1`,
    values: [name, identity],
  });
  return rows[0]?.value ?? claimNetworkIdentity(database, { mode, network }, identity);
}
