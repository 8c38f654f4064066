// Reconstructs the data that matching had when it decided about a credit. The state of a buy is its last timeline line before
// that moment. Its money is the amount that other decisions had assigned to the buy by then. This file only reads, and only the
// data that one page of credits needs.
import type { BankCredit } from '../../domain/records/credit.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import { findIdLowerBound } from '../../domain/values/ids.ts';
import { MODES } from '../../domain/values/mode.ts';
import type { MatchHistory, PastDecision } from '../../ports/matching.ts';
import type { Database } from './connection/database.ts';
import { type AnyRow, CREDITS } from './reads/settlement-rows.ts';
import { JOIN_STATE, TRANSACTION_COLUMNS, toTransaction } from './reads/transaction-rows.ts';

const MOST_CLAIMS = 500;

const DECIDED = `select ${CREDITS.columns}, m.* from bank_credits c cross join lateral (
    select d.rule_version, d.verdict, d.candidates, d.at::text as decided_at,
      (extract(epoch from d.at) * 1000)::float8 as decided_ms
    from match_decisions d where d.credit_id = c.id and d.actor = 'matching' order by d.version desc limit 1) m
  where c.id > $1 and c.mode = any ($2::text[])
    and c.received_at >= to_timestamp($3::float8 / 1000) and c.received_at < to_timestamp($4::float8 / 1000)
  order by c.id limit $5`;

// `x` is a credit that was decided. Ids are in the order of time, so the range of ids covers the relevant days.
const CLAIMS = `
with x as materialized (
  select * from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::timestamptz[], $7::text[], $8::text[],
    $9::text[], $10::text[]) as x(id, mode, account_number, amount_minor, payer_end, decided_at, owner, first_id, last_id, known)
)
select x.id as credit_id, t.* from x cross join lateral (
  select ${TRANSACTION_COLUMNS},
    coalesce(past.to_state, start.from_state, s.state) as past_state, past.reason as past_reason,
    (select coalesce(sum(c.amount_minor), 0)::text from bank_credits c where c.transaction_id = t.id and c.id <> x.id
      and exists (select from match_decisions d where d.credit_id = c.id and d.transaction_id = t.id and d.at < x.decided_at))
      as past_received
  from transactions t ${JOIN_STATE}
  left join lateral (select l.to_state, l.reason from timeline l where l.transaction_id = t.id and l.at < x.decided_at
    order by l.version desc limit 1) past on true
  left join lateral (select l.from_state from timeline l where l.transaction_id = t.id
    order by l.version limit 1) start on true
  where t.id >= x.first_id and t.id < x.last_id and t.type = 'buy' and t.mode = x.mode
    and t.vendor_number = x.account_number and t.created_at <= x.decided_at and (x.owner is null or t.business_id = x.owner)
    and (t.amount_minor = x.amount_minor or (x.payer_end <> '' and reverse(t.account_number) like x.payer_end || '%')
      or t.id = any (string_to_array(x.known, ' ')))
  order by t.amount_minor = x.amount_minor desc, t.id limit ${MOST_CLAIMS}) t`;

const PARTS = `select ${CREDITS.columns}, x.paying_id, x.claim_id from
  unnest($1::text[], $2::text[], $3::timestamptz[]) as x(paying_id, claim_id, decided_at)
  cross join lateral (select c.* from bank_credits c where c.transaction_id = x.claim_id and c.id <> x.paying_id
    and (select d.verdict ->> 'exception' from match_decisions d where d.credit_id = c.id and d.at < x.decided_at
      order by d.version desc limit 1) = 'paid_partial') c`;

const EQUALS = `select own.id as credit_id, array_agg(c.id order by c.received_at, c.id) as ids
from unnest($1::text[], $2::timestamptz[]) as x(id, decided_at) join bank_credits own on own.id = x.id
join bank_credits c on c.account_number = own.account_number and c.amount_minor = own.amount_minor and c.mode = own.mode
  and c.payer_account is not distinct from own.payer_account and c.payer_name is not distinct from own.payer_name
  and c.business_id is not distinct from own.business_id and c.received_at <= x.decided_at
where not exists (select from match_decisions d where d.credit_id = c.id and d.transaction_id is not null
  and d.at < x.decided_at)
group by own.id`;

/** The reasons for a hold during which a payment may still arrive. */
const TAKES_MONEY: Readonly<Record<string, Transaction['exception']>> = {
  duplicate_claim: 'duplicate_claim',
  paid_partial: 'paid_partial',
  paid_in_part: 'paid_partial',
};
const OPEN = new Set(['awaiting_wallet', 'awaiting_payment', 'expired', 'cancelled']);

export function makeMatchHistory(database: Database): MatchHistory {
  return {
    page: async ({ mode, fromMs, toMs, afterId, limit, windowMs }) => {
      const { rows } = await database.query<AnyRow>({
        name: 'decided-credits',
        text: DECIDED,
        values: [afterId, mode === undefined ? MODES : [mode], fromMs, toMs, limit],
      });
      if (rows.length === 0) return [];
      const claims = await readClaimsOf(database, rows, windowMs);
      const [parts, equals] = await Promise.all([
        readPartsOf(database, rows, claims),
        readIdsByCredit(
          database,
          EQUALS,
          rows.map(({ id }) => id),
          rows.map((row) => row.decided_at),
        ),
      ]);
      return rows.map(
        ({ rule_version, verdict, candidates, decided_at, decided_ms, ...row }): PastDecision => ({
          credit: asUndecided(CREDITS.read(row)),
          recorded: { ruleVersion: rule_version, verdict },
          atMs: decided_ms,
          claims: claims.get(row.id) ?? [],
          parts: parts.get(row.id) ?? [],
          equalCredits: equals.get(row.id) ?? [row.id],
        }),
      );
    },
  };
}

function asUndecided(credit: BankCredit): BankCredit {
  return { ...credit, state: 'unmatched', exception: null, transactionId: null };
}

async function readClaimsOf(
  database: Database,
  credits: readonly AnyRow[],
  windowMs: number,
): Promise<ReadonlyMap<string, readonly Transaction[]>> {
  const { rows } = await database.query<AnyRow>({
    name: 'claims-then',
    text: CLAIMS,
    values: [
      credits.map(({ id }) => id),
      credits.map(({ mode }) => mode),
      credits.map(({ accountNumber }) => accountNumber),
      credits.map(({ amountMinor }) => amountMinor),
      credits.map(({ payerAccount }) => accountEndOf(payerAccount)),
      credits.map((row) => row.decided_at),
      credits.map(({ businessId }) => businessId),
      credits.map(({ valueAtMs, receivedAtMs }) =>
        findIdLowerBound('txn', Math.max(0, Math.min(valueAtMs, receivedAtMs) - windowMs - DAY_MS)),
      ),
      credits.map((row) => findIdLowerBound('txn', row.decided_ms + DAY_MS)),
      credits.map(({ candidates }) => candidates.map((each: AnyRow) => each.transactionId).join(' ')),
    ],
  });
  const found = new Map<string, Transaction[]>();
  for (const row of rows) {
    const exception = row.past_state === 'on_hold' ? TAKES_MONEY[row.past_reason] : null;
    if (exception === undefined || (exception === null && !OPEN.has(row.past_state))) continue;
    const now = toTransaction(row);
    const receivedMinor = BigInt(row.past_received);
    if (receivedMinor >= now.amountMinor) continue;
    const then = { ...now, state: row.past_state, exception, receivedMinor };
    found.set(row.credit_id, [...(found.get(row.credit_id) ?? []), then]);
  }
  return found;
}

/** A margin of two days on both sides covers differences between clocks and costs little. */
const DAY_MS = 86_400_000;

async function readPartsOf(
  database: Database,
  credits: readonly AnyRow[],
  claims: ReadonlyMap<string, readonly Transaction[]>,
): Promise<ReadonlyMap<string, readonly BankCredit[]>> {
  const short = credits.flatMap(({ id, decided_at }) =>
    (claims.get(id) ?? [])
      .filter(({ exception }) => exception === 'paid_partial')
      .map((claim) => [id, claim.id, decided_at] as const),
  );
  const found = new Map<string, BankCredit[]>();
  if (short.length === 0) return found;
  const { rows } = await database.query<AnyRow>({
    name: 'parts-then',
    text: PARTS,
    values: [0, 1, 2].map((place) => short.map((each) => each[place])),
  });
  for (const { paying_id, claim_id, ...row } of rows) {
    const part = {
      ...CREDITS.read(row),
      state: 'review',
      exception: 'paid_partial',
      transactionId: claim_id,
    };
    found.set(paying_id, [...(found.get(paying_id) ?? []), part as BankCredit]);
  }
  return found;
}

async function readIdsByCredit(
  database: Database,
  text: string,
  ids: readonly string[],
  times: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await database.query<{ credit_id: string; ids: string[] }>({
    name: 'equals-then',
    text,
    values: [ids, times],
  });
  return new Map(rows.map((row) => [row.credit_id, row.ids]));
}

function accountEndOf(account: string | null): string {
  const end = /[0-9]+$/.exec(account?.replace(/[\s-]/g, '') ?? '')?.[0] ?? '';
  return end.length < 3 || /^0+$/.test(end) ? '' : [...end].reverse().join('');
}
