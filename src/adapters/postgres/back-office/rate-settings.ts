// Stores desk prices and spreads as settings. The file records who set a price, who approved it and when it ends, together with
// the decision that allows it.
import type { SettingRequest } from '../../../domain/back-office/setting.ts';
import type { AuditStamp } from '../../../ports/back-office.ts';
import type { DeskPrice } from '../../../ports/rates.ts';
import type { CheckedRates, CheckedSpread, SettingWrite } from '../../../ports/setting-store.ts';
import type { Database } from '../connection/database.ts';
import { insertDeskPrices, makeDeskWrites } from '../rates/desk-prices.ts';
import { DESK_PRICE_JSON, type DeskPriceJson, deskPriceOf } from '../rates/rows.ts';
import { makeRunAudited } from './run-audited.ts';

/**
 * `actor` is the person who writes the setting. If two people decided the setting, `actor` is the second person and
 * `proposedBy` is the first.
 */
export interface SettingStamp extends AuditStamp {
  readonly proposedBy?: string;
}

export async function setDeskPrices(
  database: Database,
  rates: CheckedRates,
  doing: SettingStamp,
): Promise<void> {
  const { mode, product, validForMs, override } = rates;
  const { actor, atMs, proposedBy } = doing;
  const prices = rates.prices.map(
    ({ currency, valueE4 }): DeskPrice => ({
      ...{ mode, product, currency, valueE4, override, asOfMs: atMs },
      validUntilMs: atMs + validForMs,
      confirmed: proposedBy !== undefined,
      sample: false,
      setBy: proposedBy ?? actor,
      approvedBy: proposedBy === undefined ? null : actor,
    }),
  );
  await makeDeskWrites(database).addDeskPrices(prices, doing);
}

/**
 * Ends desk prices. Stored prices are never changed, so a newer price that has already expired is added. Returns false if one
 * of the prices has already ended.
 */
export function endDeskPrices(
  database: Database,
  { mode, product, currencies }: Extract<SettingWrite, { setting: 'rates_withdrawn' }>,
  { actor, atMs }: AuditStamp,
): Promise<boolean> {
  const detail = { mode, product, currencies };
  return makeRunAudited(database)({ actor, atMs }, 'rates_withdrawn', detail, async (client) => {
    const { rows } = await client.query<{ price: DeskPriceJson }>(
      `select ${DESK_PRICE_JSON} as price from (
         select distinct on (currency) * from desk_prices
         where mode = $1 and product = $2 and currency = any ($3) order by currency, id desc) p
       where coalesce(p.valid_until > $4, true)`,
      [mode, product, currencies, new Date(atMs)],
    );
    if (rows.length < currencies.length) return false;
    const ended = rows.map(({ price }) => ({
      ...deskPriceOf(price),
      ...{ asOfMs: atMs, validUntilMs: atMs, setBy: actor },
      ...{ override: false, confirmed: false, sample: false, approvedBy: null },
    }));
    await insertDeskPrices(client, ended);
    return true;
  });
}

export async function addSpread(
  database: Database,
  spread: CheckedSpread,
  doing: SettingStamp,
): Promise<void> {
  const { actor, atMs, proposedBy } = doing;
  await makeDeskWrites(database).addSpread({ ...spread, fromMs: atMs, setBy: proposedBy ?? actor }, doing);
}

/** Reads the newest desk price and the last accepted value of each currency (PriceBefore in domain/back-office/setting.ts). */
export function ratesBeforeQuery({ mode, product, prices }: RequestOf<'rates_set'>): [string, unknown[]] {
  const text = `select json_agg(json_build_array(currency,
      (select max(id)::text from desk_prices p where p.mode = $1 and p.product = $2 and p.currency = c.currency),
      (select value_e4::text from rate_values v where v.mode = $1 and v.product = $2 and v.currency = c.currency))
      order by currency)::text as before
    from unnest($3::text[]) c (currency)`;
  return [text, [mode, product, prices.map(({ currency }) => currency)]];
}

export function withdrawalBeforeQuery({
  mode,
  product,
  currencies,
}: RequestOf<'rates_withdrawn'>): [string, unknown[]] {
  const text = `select coalesce(max(id), 0)::text as before from desk_prices
    where mode = $1 and product = $2 and currency = any ($3)`;
  return [text, [mode, product, currencies]];
}

export function spreadBeforeQuery({
  mode,
  product,
  currency,
  tier,
}: RequestOf<'spread_set'>): [string, unknown[]] {
  const text = `select coalesce(max(id), 0)::text as before from spreads where mode = $1 and product = $2
    and currency is not distinct from $3 and tier is not distinct from $4`;
  return [text, [mode, product, currency, tier]];
}

type RequestOf<Name> = Extract<SettingRequest, { readonly setting: Name }>;
