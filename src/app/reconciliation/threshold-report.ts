// Makes the threshold report of a month: every single transfer above the lower threshold, as CSV. The service does not know
// which customers are companies. So each line shows the thresholds that it exceeds, and compliance decides what is reported.
import { lagosDay, lagosDayToMs, lagosMonth, parseDay } from '../../domain/values/calendar.ts';
import { csvLine } from '../../domain/values/csv.ts';
import type { Mode } from '../../domain/values/mode.ts';
import { formatDecimal } from '../../domain/values/money.ts';
import type { LargeTransfer, LargeTransferReads } from '../../ports/reconciliation.ts';

export interface Thresholds {
  readonly individualMinor: bigint;
  readonly corporateMinor: bigint;
}

export interface ThresholdReport extends Thresholds {
  readonly mode: Mode;
  /** A month in Lagos time, for example `2026-11`. */
  readonly month: string;
}

const PAGE = 500;
const LONGEST_MONTH_MS = 32 * 86_400_000;
const LAGOS_AHEAD_MS = 3_600_000;

/** Accepts a month such as `2026-11`, and returns undefined for any other text. */
export function parseMonth(text: string): string | undefined {
  return parseDay(`${text}-01`) === undefined ? undefined : text;
}

export async function* streamLargeTransfers(
  reads: LargeTransferReads,
  { mode, month, individualMinor, corporateMinor }: ThresholdReport,
): AsyncGenerator<readonly LargeTransfer[]> {
  const fromMs = lagosDayToMs(`${month}-01`);
  const toMs = lagosDayToMs(`${lagosMonth(fromMs + LONGEST_MONTH_MS)}-01`);
  const aboveMinor = individualMinor < corporateMinor ? individualMinor : corporateMinor;
  for (let after: LargeTransfer | null = null; ; ) {
    const page: readonly LargeTransfer[] = await reads.largeTransfers({
      ...{ mode, fromMs, toMs, aboveMinor, after, limit: PAGE },
    });
    yield page;
    if (page.length < PAGE) return;
    after = page.at(-1)!;
  }
}

export const THRESHOLD_CSV_HEAD = csvLine([
  ...[
    'date_lagos',
    'time_lagos',
    'direction',
    'kind',
    'mode',
    'amount_naira',
    'above_individual',
    'above_corporate',
  ],
  ...['state', 'record_id', 'transaction_id', 'business_id', 'business_name', 'our_account', 'other_name'],
  ...['other_account', 'other_bank', 'reference', 'session_id', 'narration', 'wallet'],
]);

/** Every cell of the row is safe in a spreadsheet (threat 79). */
export function thresholdCsvRow(
  transfer: LargeTransfer,
  { individualMinor, corporateMinor }: Thresholds,
): string {
  const { direction, kind, mode, amountMinor, state, id, transactionId, businessId, businessName } = transfer;
  const { ourAccount, otherName, otherAccount, otherBank, reference, sessionId, narration, wallet } =
    transfer;
  const above = (minor: bigint) => (amountMinor > minor ? 'yes' : 'no');
  return csvLine([
    ...[
      lagosDay(transfer.atMs),
      lagosTime(transfer.atMs),
      direction,
      kind,
      mode,
      formatDecimal(amountMinor, 2),
    ],
    ...[above(individualMinor), above(corporateMinor), state, id, transactionId, businessId, businessName],
    ...[
      ourAccount,
      otherName,
      quoteDigits(otherAccount),
      otherBank,
      reference,
      quoteDigits(sessionId),
      narration,
      wallet,
    ],
  ]);
}

/** A spreadsheet would read the digits as a number, and would remove leading zeros or the last digits. */
function quoteDigits(text: string | null): string | null {
  return text === null || !/^\d+$/.test(text) ? text : `'${text}`;
}

function lagosTime(atMs: number): string {
  return new Date(atMs + LAGOS_AHEAD_MS).toISOString().slice(11, 19);
}
