// Stores which chain a database is used with, for each network. Stored data of one chain (nonces, positions, signed bytes) has no
// meaning on another chain. So the first chain stays until an operator resets it. A reset is possible only while no movement of
// that network is in flight.
import type { SignedSetUp } from '../../../domain/records/movement.ts';
import type { Mode } from '../../../domain/values/mode.ts';
import type { AuditStamp } from '../../../ports/back-office.ts';
import type { SetUpRecords } from '../../../ports/networks/set-up.ts';
import { makeRunAudited } from '../back-office/run-audited.ts';
import type { Database } from '../connection/database.ts';
import { all, columnFrom, defineColumns, plainColumn, timeColumn } from '../connection/record-columns.ts';

export interface NetworkInMode {
  readonly mode: Mode;
  readonly network: string;
}

export interface NetworkBinding {
  /** The stored chain identity. Null means that the next start will store the identity of that time. */
  readonly identity: string | null;
  readonly paused: boolean;
  readonly underWay: readonly { readonly state: string; readonly count: number }[];
}

/** Returns the stored chain identity. If none is stored, this stores the given identity and returns it. */
export async function claimNetworkIdentity(
  database: Database,
  place: NetworkInMode,
  identity: string,
): Promise<string> {
  const { rows } = await database.query<{ value: string }>({
    text: `with made as (
        insert into controls (name, value, updated_at) values ($1, to_jsonb($2::text), now())
        on conflict (name) do nothing returning value)
      select value #>> '{}' as value from made
      union all select value #>> '{}' from controls where name = $1 limit 1`,
    values: [identityControlName(place), identity],
  });
  return rows[0]?.value ?? claimNetworkIdentity(database, place, identity);
}

/** Returns null if no chain identity is stored. Then the next start will store the identity of that time. */
export function readNetworkIdentity(database: Database, place: NetworkInMode): Promise<string | null> {
  return readControl(database, identityControlName(place));
}

/**
 * Returns a fingerprint of the settings with which the network last passed its checks; null if the network never passed them.
 */
export function readPassedSettings(database: Database, place: NetworkInMode): Promise<string | null> {
  return readControl(database, passedControlName(place));
}

export async function notePassedSettings(
  database: Database,
  place: NetworkInMode,
  fingerprint: string,
): Promise<void> {
  await database.query({
    text: `insert into controls (name, value, updated_at) values ($1, to_jsonb($2::text), now())
      on conflict (name) do update set value = excluded.value, updated_at = excluded.updated_at`,
    values: [passedControlName(place), fingerprint],
  });
}

/** A finished movement has no due time. So the open movements are found without reading all movements. */
const UNDER_WAY = `select state::text as state from movements
    where due_at is not null and mode = $1 and network = $2 and state = 'pending'
  union all select state::text from movements where mode = $1 and network = $2 and state in ('sending', 'unknown')`;
const PAUSED = `exists (select from controls where name = 'movements_paused' and value = 'true'::jsonb)`;

export async function readNetworkBinding(database: Database, place: NetworkInMode): Promise<NetworkBinding> {
  const { rows: states } = await database.query<NetworkBinding['underWay'][number]>({
    text: `select state, count(*)::int as count from (${UNDER_WAY}) as each group by state order by state`,
    values: [place.mode, place.network],
  });
  const { rows } = await database.query<{ identity: string | null; paused: boolean }>({
    text: `select (select value #>> '{}' from controls where name = $1) as identity, ${PAUSED} as paused`,
    values: [identityControlName(place)],
  });
  return { ...rows[0]!, underWay: states };
}

/**
 * Returns false if money movements are not paused, if a movement is now in flight, or if the network is bound to another
 * identity.
 */
export function forgetNetworkIdentity(
  database: Database,
  place: NetworkInMode,
  identity: string,
  doing: AuditStamp,
): Promise<boolean> {
  const { mode, network } = place;
  return makeRunAudited(database)(doing, 'network_forgotten', { mode, network, identity }, async (client) => {
    const { rowCount } = await client.query(
      `delete from controls where name = $3 and value = to_jsonb($4::text)
        and ${PAUSED} and not exists (${UNDER_WAY})`,
      [mode, network, identityControlName(place), identity],
    );
    return rowCount === 1;
  });
}

function identityControlName({ mode, network }: NetworkInMode): string {
  return `network ${mode} ${network}`;
}

function passedControlName(place: NetworkInMode): string {
  return `checked ${identityControlName(place)}`;
}

async function readControl(database: Database, name: string): Promise<string | null> {
  const { rows } = await database.query<{ value: string }>({
    text: `select value #>> '{}' as value from controls where name = $1`,
    values: [name],
  });
  return rows[0]?.value ?? null;
}

// Stores the set-up transactions that treasuries signed and whose outcome is not known yet. A database has only a few of them.
const SET_UP = defineColumns<SignedSetUp>({
  ...all(plainColumn, 'mode', 'network', 'hash', 'source', 'sequence', 'payload', 'bound', 'what'),
  signedAtMs: columnFrom('s.at', timeColumn),
});

export function makeSetUpRecords(database: Database): SetUpRecords {
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
