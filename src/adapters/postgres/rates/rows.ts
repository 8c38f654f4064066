// Converts rates to rows and to JSON. A decision is stored unchanged, with its bigints as text.
import type { ValueDecision } from '../../../domain/rates/rate-decision.ts';
import type { DeskPrice, SourceState, StoredDecision } from '../../../ports/rates.ts';

export const millisecondsSql = (column: string) => `(extract(epoch from ${column}) * 1000)::bigint`;

/** JSON has no bigints, so fields whose names end in E4 hold text in JSON. */
type WithTexts<T> = T extends bigint
  ? string
  : T extends readonly (infer Each)[]
    ? readonly WithTexts<Each>[]
    : T extends object
      ? { readonly [Name in keyof T]: WithTexts<T[Name]> }
      : T;

export function explanationJson(values: readonly ValueDecision[]): string {
  return JSON.stringify(values, (_, value) => (typeof value === 'bigint' ? value.toString() : value));
}

function withBigints(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return name.endsWith('E4') ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map((each) => withBigints(each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withBigints(each, key)]));
}

export const DECISION_JSON = `json_build_object('id', d.id, 'mode', d.mode, 'product', d.product, 'atMs', ${millisecondsSql('d.at')},
  'values', d.explanation)`;

export type DecisionJson = WithTexts<StoredDecision>;

export function decisionOf(json: DecisionJson): StoredDecision {
  return withBigints(json) as StoredDecision;
}

export const DESK_PRICE_JSON = `json_build_object('mode', p.mode, 'product', p.product, 'currency', p.currency,
  'valueE4', p.value_e4::text, 'asOfMs', ${millisecondsSql('p.as_of')}, 'validUntilMs', ${millisecondsSql('p.valid_until')},
  'override', p.override, 'confirmed', p.confirmed, 'sample', p.sample, 'setBy', p.set_by, 'approvedBy', p.approved_by)`;

export const CURRENT_DESK_PRICES = `select distinct on (currency) * from desk_prices
  where mode = $1 and product = $2 order by currency, id desc`;

export type DeskPriceJson = WithTexts<DeskPrice>;

export function deskPriceOf(json: DeskPriceJson): DeskPrice {
  return withBigints(json) as DeskPrice;
}

export const SOURCE_JSON = `json_build_object('name', s.name, 'lastReadAtMs', ${millisecondsSql('s.last_read_at')},
  'lastFailureAtMs', ${millisecondsSql('s.last_failure_at')}, 'lastFailure', case when s.last_failure_code is not null
    then json_build_object('code', s.last_failure_code, 'message', s.last_failure_message) end,
  'failures', s.failures, 'nextReadAtMs', ${millisecondsSql('s.next_read_at')}, 'openUntilMs', ${millisecondsSql('s.open_until')},
  'rates', (select coalesce(json_agg(json_build_object('currency', r.currency, 'valueE4', r.value_e4::text,
    'asOfMs', ${millisecondsSql('r.as_of')}) order by r.currency), '[]') from rate_readings r where r.source = s.name))`;

export type SourceJson = WithTexts<SourceState>;

export function sourceOf(json: SourceJson): SourceState {
  return withBigints(json) as SourceState;
}

export const SPREAD_JSON = `json_build_object('mode', s.mode, 'product', s.product, 'currency', s.currency, 'tier', s.tier,
  'spreadBps', s.spread_bps, 'fromMs', ${millisecondsSql('s.effective_from')}, 'setBy', s.set_by)`;
