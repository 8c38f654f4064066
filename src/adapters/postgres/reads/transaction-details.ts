// Reads refunds, payouts and held payments for a page of transactions with one statement. A second statement runs only when a
// payment is held because of its amount. Each statement also reads the version of its transactions, because the result may be
// newer than the transaction that the caller has.
import {
  ACCOUNT_LOOKUP_WARNINGS,
  type AccountLookupVerdict,
} from '../../../domain/records/account-lookup.ts';
import type { Movement } from '../../../domain/records/movement.ts';
import type { Transaction } from '../../../domain/records/transaction.ts';
import type { TransactionDetails, TransactionExtras } from '../../../ports/store/reads.ts';
import type { Database } from '../connection/database.ts';
import { MOVEMENTS } from './settlement-rows.ts';

const OF = `select ${MOVEMENTS.columns} from movements where transaction_id = any ($1::text[])`;

// Each part of the union uses a different partial index. The hash on the chain may be the hash of a replacement transaction,
// which the timeline line contains.
const MONEY_OUT = `
select m.*, (select version from transaction_states where transaction_id = m."transactionId") as version, case
  when m.network is null then null
  when m.state = 'done' then (select l.evidence->>'reference' from timeline l
    where l.transaction_id = m."transactionId" and l.evidence->>'movement' = m.id order by l.version desc limit 1)
  else (select a.reference from movement_attempts a
    where a.movement_id = m.id and a.state = 'accepted' order by a.no desc limit 1) end as hash,
  case when m.kind = 'payout' and m.state = 'unknown' then (select (a.evidence->>'sure_ms')::float8 from movement_attempts a
    where a.movement_id = m.id and a.no = m.attempts and a.evidence ? 'refused'
      and a.evidence->>'needs_people' is distinct from 'true') end as sure
from (
  ${OF} and kind = 'refund'
  union all ${OF} and kind = 'payout' and state not in ('failed', 'returned')
  union all ${OF} and kind = 'payout' and state = 'returned'
  union all ${OF} and kind = 'payout' and state = 'failed') m`;

const HELD = `
select s.transaction_id, s.version, (
  select coalesce(sum(amount_minor), 0) from bank_credits c
  where c.transaction_id = s.transaction_id and state = 'review' and exception in ('paid_partial', 'paid_over')) as held
from transaction_states s where s.transaction_id = any ($1::text[])`;

export function makeTransactionDetails(database: Database): TransactionDetails {
  return {
    detailsOf: async (transactions) => {
      if (transactions.length === 0) return new Map();
      const [money, held, warnings] = await Promise.all([
        readMoneyOut(database, transactions),
        readHeld(database, transactions),
        readAccountWarnings(database, transactions),
      ]);
      const found = new Map<string, TransactionExtras>();
      for (const { id } of transactions) {
        const out = money.get(id) ?? [];
        const review = held.get(id);
        const accountWarning = warnings.get(id) ?? null;
        if (out.length === 0 && review === undefined && accountWarning === null) continue;
        // Versions only increase. So if the higher version equals the caller's version, the lower one does too.
        const version = Math.max(...out.map((each) => each.version), review?.version ?? 0) || null;
        found.set(id, { ...sortMoneyOut(out), heldMinor: review?.minor ?? 0n, accountWarning, version });
      }
      return found;
    },
  };
}

interface MoneyOut {
  readonly movement: Movement;
  readonly txHash: string | null;
  readonly version: number;
  readonly sureAtMs: number | null;
}

function sortMoneyOut(
  out: readonly MoneyOut[],
): Pick<TransactionExtras, 'refunds' | 'payout' | 'payoutSureAtMs'> {
  const oldest = out.toSorted(
    ({ movement: a }, { movement: b }) => a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : 1),
  );
  const payouts = oldest.filter(({ movement }) => movement.kind === 'payout');
  // This is the payout that may still be made, or that was made and not returned. If there is none, this is the last payout.
  const ended = ({ movement: { state } }: MoneyOut) => state === 'failed' || state === 'returned';
  const payout = payouts.find((each) => !ended(each)) ?? payouts.at(-1);
  const refunds = oldest.filter(({ movement }) => movement.kind === 'refund');
  return {
    refunds: refunds.map(({ movement, txHash }) => ({ movement, txHash })),
    payout: payout?.movement ?? null,
    payoutSureAtMs: payout?.sureAtMs ?? null,
  };
}

async function readMoneyOut(
  database: Database,
  transactions: readonly Transaction[],
): Promise<ReadonlyMap<string, readonly MoneyOut[]>> {
  const { rows } = await database.query({
    name: 'money-out-of',
    text: MONEY_OUT,
    values: [transactions.map(({ id }) => id)],
  });
  const out = rows.map(({ hash, version, sure, ...row }) => ({
    movement: MOVEMENTS.read(row),
    txHash: hash as string | null,
    version: version as number,
    sureAtMs: sure as number | null,
  }));
  return Map.groupBy(out, ({ movement }) => movement.transactionId!);
}

async function readHeld(
  database: Database,
  transactions: readonly Transaction[],
): Promise<ReadonlyMap<string, { readonly minor: bigint; readonly version: number }>> {
  const asked = transactions.filter(
    ({ type, state, exception }) =>
      type === 'buy' && state === 'on_hold' && (exception === 'paid_partial' || exception === 'paid_over'),
  );
  if (asked.length === 0) return new Map();
  const { rows } = await database.query<{ transaction_id: string; version: number; held: string }>({
    name: 'held-for',
    text: HELD,
    values: [asked.map(({ id }) => id)],
  });
  return new Map(
    rows.map(({ transaction_id, version, held }) => [transaction_id, { minor: BigInt(held), version }]),
  );
}

/** An account lookup changes nothing in the sell, so the result of a lookup has no version. */
async function readAccountWarnings(
  database: Database,
  transactions: readonly Transaction[],
): Promise<ReadonlyMap<string, string | null>> {
  const sells = transactions.filter(({ type }) => type === 'sell');
  if (sells.length === 0) return new Map();
  const { rows } = await database.query<{ transaction_id: string; verdict: AccountLookupVerdict }>({
    name: 'account-warnings-of',
    text: `select transaction_id, verdict from account_enquiries
      where transaction_id = any ($1::text[]) and verdict is not null`,
    values: [sells.map(({ id }) => id)],
  });
  return new Map(
    rows.map(({ transaction_id, verdict }) => [transaction_id, ACCOUNT_LOOKUP_WARNINGS[verdict]]),
  );
}
