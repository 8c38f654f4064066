// Stores in PostgreSQL which deposits were granted on the report of only one provider. Requests for one network run one after
// the other. Otherwise two processes could each see enough room and together exceed the cap.
import type { ClientBase } from 'pg';
import type { Clock } from '../../../ports/clock.ts';
import type { OneProviderDeposit, OneProviderDeposits } from '../../networks/providers/one-provider-cap.ts';
import type { Database } from '../connection/database.ts';

const LOCK = `select pg_advisory_xact_lock(hashtextextended('one provider ' || $1 || ' ' || $2, 0))`;

const KNOWN = `select granted, amount_minor::text from one_provider_deposits
  where mode = $1 and network = $2 and tx_hash = $3 and tx_index = $4`;

/** The sum that was granted in the hour before a moment. It leaves out the deposit of this request. */
const SPENT = `select coalesce(sum(amount_minor), 0)::text as spent from one_provider_deposits
  where mode = $1 and network = $2 and granted and decided_at > to_timestamp($5::float8 / 1000) - interval '1 hour'
    and (tx_hash, tx_index) <> ($3, $4)`;

const DECIDE = `insert into one_provider_deposits (mode, network, tx_hash, tx_index, amount_minor, granted, decided_at)
  values ($1, $2, $3, $4, $6::numeric, $7, to_timestamp($5::float8 / 1000))
  on conflict (mode, network, tx_hash, tx_index) do update
  set amount_minor = excluded.amount_minor, granted = excluded.granted, decided_at = excluded.decided_at`;

/**
 * Deletes rows that were granted more than an hour ago. Also deletes rows of deposits that need two providers, once the deposit
 * is settled.
 */
const FORGET = `delete from one_provider_deposits o where o.mode = $1 and o.network = $2 and case
  when o.granted then o.decided_at <= to_timestamp($3::float8 / 1000) - interval '1 hour'
  else not exists (select from deposits d where d.mode = o.mode and d.network = o.network
    and d.tx_hash = o.tx_hash and d.tx_index = o.tx_index and d.state = 'seen') end`;

export function makeOneProviderDeposits(database: Database, clock: Clock): OneProviderDeposits {
  return {
    grant: (word, perHourMinor) =>
      database.transaction((client) => grantWithinCap(client, word, perHourMinor, clock.now())),
  };
}

async function grantWithinCap(
  client: ClientBase,
  { mode, network, txHash, txIndex, amountMinor }: OneProviderDeposit,
  perHourMinor: bigint,
  atMs: number,
): ReturnType<OneProviderDeposits['grant']> {
  const deposit = [mode, network, txHash, txIndex];
  await client.query(LOCK, [mode, network]);
  const { rows } = await client.query<{ granted: boolean; amount_minor: string }>(KNOWN, deposit);
  const known = rows[0];
  // If a deposit needs two providers, this never changes. Otherwise a new hour could accept the deposit on the report of one
  // provider.
  if (known?.granted === false) return 'needs_two';
  if (known?.amount_minor === amountMinor.toString()) return 'granted';
  await client.query(FORGET, [mode, network, atMs]);
  const { rows: sums } = await client.query<{ spent: string }>(SPENT, [...deposit, atMs]);
  const granted = BigInt(sums[0]!.spent) + amountMinor <= perHourMinor;
  await client.query(DECIDE, [...deposit, atMs, amountMinor.toString(), granted]);
  return granted ? 'granted' : 'now_needs_two';
}
