// The open table of world exchange rates, which is published once a day and needs no key. Each rate is a JSON number: units of
// the currency for one unit of the base. An error has status 200, and `result` reports it. Only too many requests get status
// 429.
import { type Fault, faultyPrice, faultyTime, PRICE_FAULTS, spoilFields } from './faults.ts';
import { type Answer, tooManyPage } from './pages.ts';
import { type CommonOptions, type Question, type RateServer, startRateServer } from './server.ts';

interface Table {
  /** Units of each currency for one dollar. */
  readonly rates: Readonly<Record<string, number>>;
  /** The time of the last update. Null means the last time at which the clock passed two minutes after midnight. */
  readonly updatedMs: number | null;
  /** The listed currency codes. Null means all currencies that have a rate. */
  readonly currencies: readonly string[] | null;
  /** The time at which the API will end; 0 means that no end is planned. */
  readonly eolUnix: number;
}

export interface WorldTableChange extends Partial<Table> {
  readonly error?: 'unsupported-code' | 'malformed-request' | 'no-data-available' | null;
}

export interface WorldTableOptions extends CommonOptions, WorldTableChange {
  /** The number of requests before the server blocks the address for twenty minutes. */
  readonly requestsAllowed?: number;
  /** The status of an error with `result: "error"`. */
  readonly errorStatus?: 200 | 400 | 404;
}

const DAY_MS = 86_400_000;
const UPDATE_MS = 151_000;
const BLOCKED_MS = 20 * 60_000;
/** About 24 hours and 20 minutes. The update time drifts, so the next update is not exactly a day after the last one. */
const NEXT_MS = 87_590_000;
const RATES: Readonly<Record<string, number>> = {
  USD: 1,
  AED: 3.6725,
  ARS: 1432.75,
  AUD: 1.533701,
  BBD: 2,
  BRL: 5.384128,
  CAD: 1.396266,
  CHF: 0.794989,
  CNY: 6.776,
  EUR: 0.863731,
  GBP: 0.745415,
  GHS: 11.214877,
  IDR: 16641.2,
  INR: 88.71243,
  JPY: 152.031405,
  KES: 129.666667,
  KRW: 1421.118,
  KWD: 0.306312,
  MXN: 18.401,
  NGN: 1361.5,
  SAR: 3.75,
  TRY: 46.215207,
  UGX: 3489.1,
  XOF: 566.57,
  ZAR: 17.2502,
};
const ABOUT = {
  provider: 'https://www.exchangerate-api.com',
  documentation: 'https://www.exchangerate-api.com/docs/free',
  terms_of_use: 'https://www.exchangerate-api.com/terms',
};

export async function startWorldTable({
  requestsAllowed = Number.POSITIVE_INFINITY,
  errorStatus = 200,
  now,
  slowMs,
  dripMs,
  ...change
}: WorldTableOptions = {}): Promise<RateServer<WorldTableChange>> {
  let table: Table = { rates: RATES, updatedMs: null, currencies: null, eolUnix: 0 };
  let error: WorldTableChange['error'] = null;
  const set = ({ rates, error: said, ...next }: WorldTableChange) => {
    table = { ...table, ...next, rates: { ...table.rates, ...rates } };
    if (said !== undefined) error = said;
  };
  set(change);
  const limited = limiter(requestsAllowed);
  const refused = (type: string): Answer => ({
    status: errorStatus,
    body: JSON.stringify({ result: 'error', 'error-type': type }),
  });
  return startRateServer<WorldTableChange>(
    {
      plays: [...PRICE_FAULTS, 'stale', 'future', 'missing', 'null', 'number_as_string'],
      set,
      answer({ path, fault, nowMs }: Question) {
        const base = /^\/v6\/latest\/([^/]*)$/.exec(path)?.[1];
        if (base === undefined) return null;
        if (limited(nowMs)) return tooManyPage();
        if (error !== null && error !== undefined) return refused(error);
        if (!/^[A-Za-z]{3}$/.test(base)) return refused('malformed-request');
        const code = base.toUpperCase();
        if (listed(table)[code] === undefined) return refused('unsupported-code');
        return { status: 200, body: JSON.stringify(documentOf(table, code, fault, nowMs)) };
      },
    },
    { now, slowMs, dripMs },
  );
}

function limiter(allowed: number): (nowMs: number) => boolean {
  let taken = 0;
  let blockedUntilMs = Number.NEGATIVE_INFINITY;
  return (nowMs) => {
    if (nowMs < blockedUntilMs) return true;
    taken += 1;
    if (taken <= allowed) return false;
    taken = 0;
    blockedUntilMs = nowMs + BLOCKED_MS;
    return true;
  };
}

function listed({ rates, currencies }: Table): Readonly<Record<string, number>> {
  if (currencies === null) return rates;
  return Object.fromEntries(
    currencies.map((code) => {
      const rate = rates[code];
      if (rate === undefined) throw new Error(`Set a rate for the currency "${code}" of the world table.`);
      return [code, rate];
    }),
  );
}

function documentOf(table: Table, base: string, fault: Fault | null, nowMs: number): object {
  const perDollar = listed(table);
  const wrong = fault?.currencies ?? ['NGN'];
  const rate = (code: string) => {
    const units = (perDollar[code] ?? Number.NaN) / (perDollar[base] ?? Number.NaN);
    return Number((wrong.includes(code) ? faultyPrice(fault, units) : units).toFixed(6));
  };
  // The base is the first currency, and the others are sorted by name.
  const others = Object.keys(perDollar)
    .filter((code) => code !== base)
    .toSorted();
  const since = table.updatedMs ?? Math.floor((nowMs - UPDATE_MS) / DAY_MS) * DAY_MS + UPDATE_MS;
  const updatedMs = faultyTime(fault, since, nowMs, fault?.kind === 'stale' ? 3 * DAY_MS : DAY_MS);
  const document: Record<string, unknown> = {
    result: 'success',
    ...ABOUT,
    time_last_update_unix: unix(updatedMs),
    time_last_update_utc: utc(updatedMs),
    time_next_update_unix: unix(updatedMs + NEXT_MS),
    time_next_update_utc: utc(updatedMs + NEXT_MS),
    time_eol_unix: table.eolUnix,
    base_code: base,
    rates: Object.fromEntries([base, ...others].map((code) => [code, rate(code)])),
  };
  spoilFields(fault, document, ['rates.NGN']);
  return document;
}

const unix = (atMs: number) => Math.floor(atMs / 1000);
const utc = (atMs: number) => new Date(atMs).toUTCString().replace('GMT', '+0000');
