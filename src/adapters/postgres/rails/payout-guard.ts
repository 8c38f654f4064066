// The guard that compares payouts with the rails' lists, in PostgreSQL. One statement leases a comparison. The result is
// written under the fence of that lease, with the pause and the audit log entry, in one transaction.
import type pg from 'pg';
import { serviceActor } from '../../../domain/people/actor.ts';
import type { OwnPayout, UnexplainedPayment } from '../../../domain/rails/unexplained-payments.ts';
import { parseBankReference } from '../../../domain/records/movement.ts';
import type {
  GuardResult,
  LeasedGuard,
  PayoutGuard,
  StatementDebit,
} from '../../../ports/rails/payout-guard.ts';
import type { RailGuard, RailKey } from '../../../ports/rails/rail-store.ts';
import { appendEntryQuery } from '../audit/digests.ts';
import type { Database } from '../connection/database.ts';
import {
  all,
  bigintColumn,
  columnFrom,
  defineColumns,
  named,
  of,
  plainColumn,
  timeColumn,
} from '../connection/record-columns.ts';

const ACTOR = serviceActor('rails');

const LEASED = defineColumns<LeasedGuard>({
  ...all(bigintColumn, 'fence', 'statementNo'),
  ...all(timeColumn, 'beginsAtMs', 'comparedToMs'),
});
const DEBIT = defineColumns<StatementDebit>({
  no: bigintColumn,
  rowId: columnFrom(`key || '/' || ordinal`, plainColumn),
  day: columnFrom(`to_char(day, 'YYYY-MM-DD')`, plainColumn),
});
const OWN = defineColumns<OwnPayout>({
  ...of('a', all(plainColumn, 'reference', 'state')),
  amountMinor: columnFrom('m.naira_minor', bigintColumn),
  accountNumber: columnFrom(`m.destination ->> 'accountNumber'`, plainColumn),
});
const GUARD = defineColumns<Omit<RailGuard, 'unexplained'>>({
  ...all(plainColumn, 'mode', 'rail', 'failure'),
  ...all(timeColumn, 'comparedToMs', 'failingSinceMs'),
});
const UNEXPLAINED = defineColumns<UnexplainedPayment>({
  ...all(plainColumn, 'payment', 'reference', 'doubt'),
  ...{ amountMinor: bigintColumn, atMs: named('paid_at', timeColumn) },
});

export function makePayoutGuard(database: Database): PayoutGuard {
  return {
    lease: async ({ mode, rail }, account, atMs, leaseMs): Promise<LeasedGuard | undefined> => {
      const { rows } = await database.query({
        text: `insert into rail_guards as g (mode, rail, begins_at, compared_to, due_at, fence, statement_no)
          values ($1, $2, $3, $3, $4, 1,
            coalesce((select max(no) from statement_rows where mode = $1 and account = $5), 0))
          on conflict (mode, rail) do update set due_at = excluded.due_at, fence = g.fence + 1 where g.due_at <= $3
          returning ${LEASED.list('g')}`,
        values: [mode, rail, new Date(atMs), new Date(atMs + leaseMs), account],
      });
      return rows.map(LEASED.read)[0];
    },
    ownPayouts: ({ mode, rail }, references) => readOwnPayouts(database, mode, rail, references),
    firstPayments: async ({ mode, rail }, references) => {
      const { rows } = await database.query<{ reference: string; payment: string }>({
        text: `select reference, payment from listed_payouts where mode = $1 and rail = $2 and reference = any ($3)`,
        values: [mode, rail, references],
      });
      return new Map(rows.map(({ reference, payment }) => [reference, payment]));
    },
    debitsAfter: async ({ mode, account }, no, limit) => {
      const { rows } = await database.query({
        text: `select ${DEBIT.list()} from statement_rows
          where mode = $1 and account = $2 and no > $3 and amount_minor < 0 order by no limit $4`,
        values: [mode, account, no.toString(), limit],
      });
      return rows.map(DEBIT.read);
    },
    save: (guarded) => database.transaction((client) => saveComparison(client, guarded)),
    forget: async (beforeMs) => {
      await database.query({
        text: 'delete from listed_payouts where at < $1',
        values: [new Date(beforeMs)],
      });
    },
  };
}

/** Rails with the same bank account share one payout list. Such a rail is a renamed rail or a second rail of the account. */
async function readOwnPayouts(
  database: Database,
  mode: string,
  rail: string,
  references: readonly string[],
): Promise<readonly OwnPayout[]> {
  const { rows } = await database.query({
    text: `select ${OWN.list()}
      from movement_attempts a join movements m on m.id = a.movement_id
      where a.mode = $1 and a.reference = any ($3) and a.movement_id = any ($4) and a.rail in (
        select $2 union select h.rail from rail_health h join rail_health own on own.mode = h.mode and own.rail = $2
        where h.mode = $1 and h.account = own.account)`,
    values: [mode, rail, references, references.map(parseBankReference)],
  });
  return rows.map(OWN.read);
}

async function saveComparison(
  client: pg.ClientBase,
  guarded: GuardResult,
): Promise<readonly UnexplainedPayment[] | undefined> {
  const { mode, rail, fence, atMs, failure, firsts, unexplained, pause } = guarded;
  const at = new Date(atMs);
  const { rowCount } = await client.query(
    `update rail_guards set due_at = $4, fence = fence + 1, compared_to = $5, statement_no = $6, failure = $7,
       failing_since = case when $7::text is null then null else coalesce(failing_since, $8) end
     where mode = $1 and rail = $2 and fence = $3`,
    [
      ...[mode, rail, fence.toString(), new Date(guarded.dueAtMs), new Date(guarded.comparedToMs)],
      ...[guarded.statementNo.toString(), failure, at],
    ],
  );
  if (rowCount === 0) return undefined;
  await client.query(
    `insert into listed_payouts (mode, rail, reference, payment, at)
     select $1, $2, x.*, $5 from unnest($3::text[], $4::text[]) x on conflict do nothing`,
    [mode, rail, firsts.map(({ reference }) => reference), firsts.map(({ payment }) => payment), at],
  );
  const { rows } = await client.query<{ payment: string }>(
    `insert into unexplained_payments (mode, rail, found_at, payment, reference, amount_minor, doubt, paid_at)
     select $1, $2, $3, x.* from unnest($4::text[], $5::text[], $6::bigint[], $7::text[], $8::timestamptz[]) x
     on conflict do nothing returning payment`,
    [
      ...[mode, rail, at],
      unexplained.map(({ payment }) => payment),
      unexplained.map(({ reference }) => reference),
      unexplained.map(({ amountMinor }) => amountMinor?.toString() ?? null),
      unexplained.map(({ doubt }) => doubt),
      unexplained.map(({ atMs: paidAtMs }) => new Date(paidAtMs)),
    ],
  );
  const fresh = new Set(rows.map(({ payment }) => payment));
  const found = unexplained.filter(({ payment }) => fresh.has(payment));
  if (found.length > 0 && pause !== null) await pauseRail(client, guarded, pause, found.length);
  return found;
}

/** This is the same pause that people set, so the health check does not end it. People may have paused the rail already. */
async function pauseRail(
  client: pg.ClientBase,
  { mode, rail, atMs }: GuardResult,
  reason: string,
  payments: number,
): Promise<void> {
  await client.query(`select set_config('sliproad.logged', 'on', true)`);
  await client.query(
    `insert into rail_pauses (mode, rail, by_health, actor, reason, since) values ($1, $2, false, $3, $4, $5)
     on conflict do nothing`,
    [mode, rail, ACTOR, reason, new Date(atMs)],
  );
  const entry = { actor: ACTOR, atMs, action: 'rail.paused', subject: `rail ${mode} ${rail}` };
  await client.query(
    appendEntryQuery({ ...entry, businessId: null, detail: { mode, rail, reason, payments } }),
  );
}

/** The maximum number of payments that a page shows. One payment is enough to pause a rail. */
const MOST_SHOWN = 100;

export async function readGuards(database: Database): Promise<readonly RailGuard[]> {
  const guards = await database.query({ text: `select ${GUARD.list()} from rail_guards` });
  const open = await database.query<RailKey>({
    text: `select mode, rail, ${UNEXPLAINED.list()} from unexplained_payments
      where ended_at is null order by id limit ${MOST_SHOWN}`,
  });
  return guards.rows.map(GUARD.read).map((guard) => ({
    ...guard,
    unexplained: open.rows
      .filter(({ mode, rail }) => mode === guard.mode && rail === guard.rail)
      .map(UNEXPLAINED.read),
  }));
}
