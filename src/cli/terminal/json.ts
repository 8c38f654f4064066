// The output of --json. A record that the console also shows has the console's rendering (src/renderings). This file renders
// all other records: snake_case names, ISO 8601 times, and amounts as exact decimal text next to their asset.
import type { TokenDecimals } from '../../app/ledger/judge-ledger.ts';
import { isMode } from '../../domain/values/mode.ts';
import { formatDecimal, NAIRA } from '../../domain/values/money.ts';

export { formatDecimal as decimal };

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [name: string]: Json | undefined;
}

const NAIRA_PLACES = 2;

/**
 * Renders a record of the service: `createdAtMs` becomes `created_at`, and `amountMinor` becomes `amount` in whole units of the
 * record's asset. A record without an asset is in naira. If the decimals of a token are unknown, the amount stays in minor
 * units, and the field name says so.
 */
export function toJson(value: unknown, decimals?: TokenDecimals): Json {
  if (value === null || value === undefined) return null;
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map((each) => toJson(each, decimals));
  return recordJson(value as Readonly<Record<string, unknown>>, decimals);
}

function recordJson(record: Readonly<Record<string, unknown>>, decimals: TokenDecimals | undefined): Json {
  const out: Record<string, Json> = {};
  let naira = false;
  for (const [name, value] of Object.entries(record)) {
    if (value === undefined) continue;
    if (name.endsWith('Ms')) out[toSnakeCase(name.slice(0, -2))] = isoTime(value);
    else if (name.endsWith('Minor') && holdsAmounts(value)) {
      const places = name === 'nairaMinor' ? NAIRA_PLACES : placesOf(record, decimals);
      if (places === undefined) out[toSnakeCase(name)] = toJson(value);
      else out[toSnakeCase(name.slice(0, -5))] = amountsJson(value, places);
      naira ||= record.asset === undefined;
    } else out[toSnakeCase(name)] = toJson(value, decimals);
  }
  return naira ? { ...out, asset: NAIRA } : out;
}

type Amounts = bigint | null | readonly bigint[];

function holdsAmounts(value: unknown): value is Amounts {
  return (
    value === null || typeof value === 'bigint' || (Array.isArray(value) && typeof value[0] === 'bigint')
  );
}

function amountsJson(value: Amounts, places: number): Json {
  if (value === null) return null;
  return typeof value === 'bigint'
    ? formatDecimal(value, places)
    : value.map((each) => formatDecimal(each, places));
}

function placesOf(record: Readonly<Record<string, unknown>>, decimals: TokenDecimals | undefined) {
  const { asset, mode } = record;
  if (asset === undefined || asset === NAIRA) return NAIRA_PLACES;
  if (typeof asset === 'object' && asset !== null && 'decimals' in asset) return asset.decimals as number;
  return typeof mode === 'string' && isMode(mode) ? decimals?.[mode].get(String(asset)) : undefined;
}

export function asJsonObject(rendering: object): JsonObject {
  return rendering as JsonObject;
}

export function nairaText(amountMinor: bigint): string {
  return formatDecimal(amountMinor, NAIRA_PLACES);
}

function isoTime(value: unknown): Json {
  return typeof value === 'number' ? new Date(value).toISOString() : toJson(value);
}

function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replaceAll(' ', '_');
}
