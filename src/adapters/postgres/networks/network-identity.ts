// Which chain a database has been used with, network by network. What is stored about one chain (nonces, positions,
// signed bytes) means nothing on another. So the first chain stays until an operator resets it, which is possible only while
// nothing of that network is in flight.
import type { SignedSetUp } from '../../../domain/records/movement.ts';
import type { Mode } from '../../../domain/values/mode.ts';
import type { Doing } from '../../../ports/back-office.ts';
import type { SetUpRecords } from '../../../ports/networks/set-up.ts';
import { makeLogged } from '../back-office/logged.ts';
import { all, columns, from, plain, time } from '../connection/columns.ts';
import type { Database } from '../connection/database.ts';

export interface NetworkPlace {
  readonly mode: Mode;
  readonly network: string;
}

export interface NetworkBinding {
  /** Null: the next start stores the identity that it finds. */
  readonly identity: string | null;
  /** Whether money movements are paused. */
  readonly paused: boolean;
  /** Movements of that network that are not finished, by state. */
  readonly underWay: readonly { readonly state: string; readonly count: number }[];
}

/** The identity that counts: the stored one; if none is stored, the given one is stored first. */
export async function claimNetworkIdentity(
  database: Database,
  place: NetworkPlace,
  identity: string,
): Promise<string> {
  const { rows } = await database.query<{ value: string }>({
    text: `with made as (
        insert into controls (name, value, updated_at) values ($1, to_jsonb($2::text), now())
        on conflict (name) do nothing returning value)
      select value #>> '{}' as value from made
      union all select value #>> '{}' from controls where name = $1 limit 1`,
    values: [nameOf(place), identity],
  });
  return rows[0]?.value ?? claimNetworkIdentity(database, place, identity);
}

/** Null: the next start stores the identity that it finds. */
export function networkIdentity(database: Database, place: NetworkPlace): Promise<string | null> {
  return noted(database, nameOf(place));
}

/** A fingerprint of the settings with which a network last passed its checks; null if it never passed. */
export function passedSettings(database: Database, place: NetworkPlace): Promise<string | null> {
  return noted(database, passedName(place));
}

export async function notePassedSettings(
  database: Database,
  place: NetworkPlace,
  fingerprint: string,
): Promise<void> {
  await database.query({
    text: `insert into controls (name, value, updated_at) values ($1, to_jsonb($2::text), now())
      on conflict (name) do update set value = excluded.value, updated_at = excluded.updated_at`,
    values: [passedName(place), fingerprint],
  });
}

/** A finished movement has no due time, so the open ones are found without reading all movements. */
const UNDER_WAY = `select state::text as state from movements
    where due_at is not null and mode = $1 and network = $2 and state = 'pending'
  union all select state::text from movements where mode = $1 and network = $2 and state in ('sending', 'unknown')`;
const PAUSED = `exists (select from controls where name = 'movements_paused' and value = 'true'::jsonb)`;

export async function readNetworkBinding(database: Database, place: NetworkPlace): Promise<NetworkBinding> {
  const { rows: states } = await database.query<NetworkBinding['underWay'][number]>({
    text: `select state, count(*)::int as count from (${UNDER_WAY}) as each group by state order by state`,
    values: [place.mode, place.network],
  });
  const { rows } = await database.query<{ identity: string | null; paused: boolean }>({
    text: `select (select value #>> '{}' from controls where name = $1) as identity, ${PAUSED} as paused`,
    values: [nameOf(place)],
  });
  return { ...rows[0]!, underWay: states };
}

/** False if movements are not paused, if one is in flight by now, or if the network is bound to another identity. */
export function forgetNetworkIdentity(
  database: Database,
  place: NetworkPlace,
  identity: string,
  doing: Doing,
): Promise<boolean> {
  const { mode, network } = place;
  return makeLogged(database)(doing, 'network_forgotten', { mode, network, identity }, async (client) => {
    const { rowCount } = await client.query(
      `delete from controls where name = $3 and value = to_jsonb($4::text)
        and ${PAUSED} and not exists (${UNDER_WAY})`,
      [mode, network, nameOf(place), identity],
    );
    return rowCount === 1;
  });
}

function nameOf({ mode, network }: NetworkPlace): string {
  return `network ${mode} ${network}`;
}

function passedName(place: NetworkPlace): string {
  return `checked ${nameOf(place)}`;
}

async function noted(database: Database, name: string): Promise<string | null> {
  const { rows } = await database.query<{ value: string }>({
    text: `select value #>> '{}' as value from controls where name = $1`,
    values: [name],
  });
  return rows[0]?.value ?? null;
}

// Set-ups that treasuries signed and whose outcome is not known yet. A database sees only a handful of them.
const SET_UP = columns<SignedSetUp>({
  ...all(plain, 'mode', 'network', 'hash', 'source', 'sequence', 'payload', 'bound', 'what'),
  signedAtMs: from('s.at', time),
});

export function setUpRecords(database: Database): SetUpRecords {
  return {
    open: async () => {
      const { rows } = await database.query({
        name: 'open-set-ups',
        text: `select ${SET_UP.list('s')} from set_ups s
          where not exists (select from set_up_ends e
            where e.mode = s.mode and e.network = s.network and e.hash = s.hash)
          order by s.at, s.hash`,
      });
      return rows.map(SET_UP.read);
    },
  };
}
