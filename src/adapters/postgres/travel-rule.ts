// Stores Travel-Rule records in PostgreSQL. Also reads their encrypted parts when the key file is replaced.
import type { SealedSecrets } from '../../ports/people/sealed-secrets.ts';
import type { SealedTravelRuleRecord, TravelRuleStore } from '../../ports/travel-rule.ts';
import { columnArrays, inputOf, namesOf } from './connection/column-arrays.ts';
import type { Database } from './connection/database.ts';
import {
  all,
  as,
  bigintColumn,
  defineColumns,
  plainColumn,
  timeColumn,
  written,
} from './connection/record-columns.ts';

const FIELDS = {
  ...all(
    plainColumn,
    'leg',
    'kind',
    'mode',
    'businessId',
    'transactionId',
    'network',
    'txHash',
    'asset',
    'sealed',
  ),
  ...{ amountMinor: as('numeric', bigintColumn), nairaMinor: bigintColumn, atMs: timeColumn },
};
const RECORD = defineColumns<SealedTravelRuleRecord>(FIELDS);
const COLUMNS = written(FIELDS);

export function makeTravelRuleStore(database: Database): TravelRuleStore {
  return {
    businessNames: async (ids) => {
      const { rows } = await database.query<{ id: string; name: string }>({
        name: 'travel-rule-business-names',
        text: 'select id, name from businesses where id = any ($1::text[])',
        values: [ids],
      });
      return new Map(rows.map(({ id, name }) => [id, name]));
    },
    add: async (records) => {
      if (records.length === 0) return 0;
      const { rowCount } = await database.query({
        name: 'add-travel-rule',
        text: `insert into travel_rule_records (${namesOf(COLUMNS)}) select * from ${inputOf(COLUMNS)} order by leg
          on conflict (leg) do nothing`,
        values: columnArrays(COLUMNS, records),
      });
      return rowCount ?? 0;
    },
    list: async ({ mode, businessId, fromMs, toMs, after, limit }) => {
      const time = (ms: number | undefined) => (ms === undefined ? null : new Date(ms));
      const { rows } = await database.query({
        name: 'list-travel-rule',
        text: `select ${RECORD.list()} from travel_rule_records
          where ($1::text is null or mode = $1) and ($2::text is null or business_id = $2)
            and ($3::timestamptz is null or at >= $3) and ($4::timestamptz is null or at < $4)
            and ($5::timestamptz is null or (at, leg) > ($5, $6::text))
          order by at, leg limit $7`,
        values: [
          ...[mode ?? null, businessId ?? null, time(fromMs), time(toMs)],
          ...[time(after?.atMs), after?.leg ?? null, limit],
        ],
      });
      return rows.map(RECORD.read);
    },
  };
}

/** `purpose` returns the purpose for which the parties of a leg are encrypted. */
export function makeSealedTravelRule(database: Database, purpose: (leg: string) => string): SealedSecrets {
  return {
    name: 'travel_rule_records',
    grows: true,
    after: async (id, limit) => {
      const { rows } = await database.query<{ leg: string; sealed: string }>({
        text: 'select leg, sealed from travel_rule_records where leg > $1 order by leg limit $2',
        values: [id, limit],
      });
      return rows.map(({ leg, sealed }) => ({ id: leg, sealed, purpose: purpose(leg) }));
    },
    replace: async ({ id, sealed: from }, to) => {
      const { rowCount } = await database.query({
        text: 'update travel_rule_records set sealed = $3 where leg = $1 and sealed = $2',
        values: [id, from, to],
      });
      return rowCount === 1;
    },
  };
}
