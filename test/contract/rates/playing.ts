// A source of rates and the server that plays its API, opened through RATES_FILE as in production; and the four kinds of sources,
// each with its server.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readConfig } from '../../../src/config.ts';
import type { ReportedRate } from '../../../src/domain/rates/reading.ts';
import type { RateSource } from '../../../src/ports/rates.ts';
import { openRatePlan } from '../../../src/wire/rates.ts';
import { startAmountQuote } from '../../support/rate-servers/amount-quote.ts';
import { startCentralBank } from '../../support/rate-servers/central-bank.ts';
import { startExchangeTicker } from '../../support/rate-servers/exchange-ticker.ts';
import type { CommonOptions, RateServer } from '../../support/rate-servers/server.ts';
import { startWorldTable } from '../../support/rate-servers/world-table.ts';

/** This is a Friday, at noon in Lagos. */
export const NOW = Date.parse('2026-06-12T12:00:00+01:00');

export interface Played<Server extends RateServer<never> = RateServer<never>> {
  readonly server: Server;
  readonly source: RateSource;
  read(): Promise<readonly ReportedRate[]>;
  /** Returns the rate of one currency in ten-thousandths; undefined if the source does not report it. */
  valueIn(currency: string): Promise<bigint | undefined>;
}

interface Row {
  readonly kind: string;
  readonly path: string;
  readonly [option: string]: string;
}

/**
 * Opens the rate source and its server while `work` runs. The row of the source in the file may set other times and limits.
 * @public The contract test of a new source uses it.
 */
export async function playing<Server extends RateServer<never>>(
  start: (options: CommonOptions) => Promise<Server>,
  { path: pathname, ...row }: Row,
  work: (played: Played<Server>) => Promise<void>,
): Promise<void> {
  await using server = await start({ now: () => NOW, slowMs: 60_000, dripMs: 200 });
  const directory = mkdtempSync(path.join(tmpdir(), 'sliproad-sources-'));
  try {
    const file = path.join(directory, 'rates.json');
    const times = { every: '5s', age_limit: '10m', timeout: '30s' };
    const source = { name: 'played', url: server.url + pathname, ...times, max_bytes: 1_048_576, ...row };
    writeFileSync(file, JSON.stringify({ sources: [source], products: {} }));
    const opened = openRatePlan(readConfig({ RATES_FILE: file }), { now: () => NOW }).sources[0]!;
    const read = () => opened.read(new AbortController().signal);
    const valueIn = async (currency: string) =>
      (await read()).find((each) => each.currency === currency)?.valueE4;
    await work({ server, source: opened, read, valueIn });
  } finally {
    rmSync(directory, { recursive: true });
  }
}

type Work<Server extends RateServer<never>> = (played: Played<Server>) => Promise<void>;
type Started<Start extends (...args: never[]) => Promise<unknown>> = Awaited<ReturnType<Start>>;

export const SOURCES = {
  'central bank': (work: Work<Started<typeof startCentralBank>>, changes: object = {}) =>
    playing(
      (options) => startCentralBank({ ...options, historyDays: 30 }),
      { kind: 'central_bank', path: '/api/GetAllExchangeRates?format=json', ...changes },
      work,
    ),
  'world table': (work: Work<Started<typeof startWorldTable>>, changes: object = {}) =>
    playing(startWorldTable, { kind: 'world_table', path: '/v6/latest/USD', ...changes }, work),
  'exchange ticker': (work: Work<Started<typeof startExchangeTicker>>, changes: object = {}) =>
    playing(
      startExchangeTicker,
      { kind: 'exchange_ticker', path: '/api/v1/markets/tickers/usdtngn', ...changes },
      work,
    ),
  'amount quote': (work: Work<Started<typeof startAmountQuote>>, changes: object = {}) =>
    playing(
      startAmountQuote,
      { kind: 'amount_quote', path: '/v1/rates/USDC/{amount}/NGN', amount: '100', ...changes },
      work,
    ),
};
