// Stores rate decisions in PostgreSQL. The rate book is locked from the time when the inputs are read to the commit of the
// decision. The decision, the rates in force, the last accepted values and their history are one transaction.
import type pg from 'pg';
import { findLastAccepted } from '../../../domain/rates/rate-decision.ts';
import type { Currency, RateProduct } from '../../../domain/rates/rates.ts';
import { hasSameValues } from '../../../domain/rates/same-decision.ts';
import type { Mode } from '../../../domain/values/mode.ts';
import type { BookInputs, RateStore, StoredDecision } from '../../../ports/rates.ts';
import type { Database } from '../connection/database.ts';
import { insertPointsSql, lockBook } from './history.ts';
import {
  CURRENT_DESK_PRICES,
  DECISION_JSON,
  DESK_PRICE_JSON,
  type DecisionJson,
  type DeskPriceJson,
  decisionOf,
  deskPriceOf,
  explanationJson,
  millisecondsSql,
  SOURCE_JSON,
  type SourceJson,
  sourceOf,
} from './rows.ts';

type DecisionRows = Pick<RateStore, 'decide' | 'readInputs' | 'listDecisions' | 'findDecision'>;

export function makeDecisionRows(database: Database): DecisionRows {
  return {
    decide: (mode, product, decide) =>
      database.transaction(async (client) => {
        if (!(await lockBook(client, mode, product))) return 'busy';
        const inputs = await readInputs(client, mode, product);
        const decision = decide(inputs);
        if (decision !== null) await writeDecision(client, decision, inputs.last);
        return decision;
      }),
    readInputs: (mode, product) => database.transaction((client) => readInputs(client, mode, product)),
    listDecisions: async (mode, product, limit) => {
      const { rows } = await database.query<{ decision: DecisionJson }>({
        text: `select ${DECISION_JSON} as decision from rate_decisions d where mode = $1 and product = $2
          order by number desc limit $3`,
        values: [mode, product, limit],
      });
      return rows.map(({ decision }) => decisionOf(decision));
    },
    findDecision: async (id) => {
      const { rows } = await database.query<{ decision: DecisionJson }>({
        text: `select ${DECISION_JSON} as decision from rate_decisions d where id = $1`,
        values: [id],
      });
      return rows[0] && decisionOf(rows[0].decision);
    },
  };
}

interface InputRow {
  desk: DeskPriceJson[];
  sources: SourceJson[];
  accepted: { currency: Currency; valueE4: string; dollarE4: string | null; atMs: number }[];
  last: DecisionJson | null;
}

/** The query is one statement, so that all inputs are of the same moment. */
async function readInputs(client: pg.ClientBase, mode: Mode, product: RateProduct): Promise<BookInputs> {
  const { rows } = await client.query<InputRow>(
    `select
       (select coalesce(json_agg(${DESK_PRICE_JSON} order by p.currency), '[]') from (${CURRENT_DESK_PRICES}) p) as desk,
       (select coalesce(json_agg(${SOURCE_JSON} order by s.name), '[]') from rate_sources s) as sources,
       (select coalesce(json_agg(json_build_object('currency', v.currency, 'valueE4', v.value_e4::text,
          'dollarE4', d.value_e4::text, 'atMs', ${millisecondsSql('v.accepted_at')})), '[]')
        from rate_values v left join rate_values d
          on d.mode = v.mode and d.product = v.product and d.currency = 'USD' and v.currency <> 'USD'
        where v.mode = $1 and v.product = $2) as accepted,
       (select ${DECISION_JSON} from rate_books b join rate_decisions d on d.id = b.decision_id
        where b.mode = $1 and b.product = $2) as last`,
    [mode, product],
  );
  const { desk, sources, accepted, last } = rows[0]!;
  return {
    desk: desk.map(deskPriceOf),
    sources: sources.map(sourceOf),
    ...lastDecisionOf(last, accepted),
  };
}

/**
 * Each decision contains the values that were accepted before that decision. Values from before the first decision are only in
 * the table.
 */
function lastDecisionOf(last: DecisionJson | null, accepted: InputRow['accepted']) {
  if (last !== null) {
    const decision = decisionOf(last);
    return { last: decision, lastAccepted: findLastAccepted(decision) };
  }
  const footings = accepted.map(({ currency, valueE4, dollarE4, atMs }) => {
    const footing = {
      valueE4: BigInt(valueE4),
      dollarE4: dollarE4 === null ? null : BigInt(dollarE4),
      atMs,
    };
    return [currency, { ...footing, anchor: footing }] as const;
  });
  return { last: null, lastAccepted: Object.fromEntries(footings) };
}

/** The write is one statement, because each additional statement would delay a new rate book while the service is busy. */
const WRITE = `with decision as (
    insert into rate_decisions (id, mode, product, at, explanation) values ($1, $2, $3, $4, $5)),
  book as (
    update rate_books set decision_id = $1, changed_at = case when $6 then $4 else changed_at end
    where mode = $2 and product = $3),
  accepted as (
    select $2::text as mode, $3::text as product, * from unnest($7::text[], $8::bigint[], $9::timestamptz[])
      as v (currency, value_e4, valid_until)),
  gone as (
    update rate_values set in_force = false where mode = $2 and product = $3 and not currency = any ($7)),
  kept as (
    insert into rate_values (mode, product, currency, value_e4, accepted_at, valid_until, in_force)
    select mode, product, currency, value_e4, $4, valid_until, true from accepted
    on conflict (mode, product, currency) do update set value_e4 = excluded.value_e4,
      accepted_at = excluded.accepted_at, valid_until = excluded.valid_until, in_force = true)
  ${insertPointsSql('accepted', '$4')}`;

async function writeDecision(
  client: pg.ClientBase,
  decision: StoredDecision,
  last: StoredDecision | null,
): Promise<void> {
  const { id, mode, product, atMs, values } = decision;
  const changed = last === null || !hasSameValues(last, decision);
  const accepted = values.filter(({ valueE4 }) => valueE4 !== null);
  await client.query({
    name: 'write-rate-decision',
    text: WRITE,
    values: [
      ...[id, mode, product, new Date(atMs), explanationJson(values), changed],
      accepted.map(({ currency }) => currency),
      accepted.map(({ valueE4 }) => String(valueE4)),
      accepted.map(({ validUntilMs }) => (validUntilMs === null ? null : new Date(validUntilMs))),
    ],
  });
}
