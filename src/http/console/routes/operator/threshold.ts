// The threshold report of a month as a download. The report names people of all businesses, so each read is recorded in the
// audit log.
import { Readable } from 'node:stream';
import {
  parseMonth,
  streamLargeTransfers,
  THRESHOLD_CSV_HEAD,
  type ThresholdReport,
  thresholdCsvRow,
} from '../../../../app/reconciliation/threshold-report.ts';
import { isMode } from '../../../../domain/values/mode.ts';
import { fail, ok } from '../../../../domain/values/result.ts';
import type { LargeTransferReads } from '../../../../ports/reconciliation.ts';
import { NO_SUCH_RECORD } from '../../refusals.ts';
import { type ConsoleRoute, operatorRoute } from '../../route.ts';

/** Because of this mark, spreadsheets read the file as UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Reads one page of the report at a time. If a read fails, the download is aborted, so that no person uses an incomplete file.
 */
async function* reportLines(
  reads: LargeTransferReads,
  report: ThresholdReport,
): AsyncGenerator<string, void, undefined> {
  yield `${BYTE_ORDER_MARK}${THRESHOLD_CSV_HEAD}\r\n`;
  for await (const page of streamLargeTransfers(reads, report))
    if (page.length > 0) yield page.map((each) => `${thresholdCsvRow(each, report)}\r\n`).join('');
}

export const thresholdRoutes: readonly ConsoleRoute[] = [
  operatorRoute(
    'reports.export',
    'several',
    {
      method: 'GET',
      tag: 'Reconciliation',
      path: '/reports/threshold/:mode/:month',
      name: 'exportThresholdReport',
      summary:
        'Download the single transfers of a month that are above the thresholds, as CSV that is safe to open in a spreadsheet',
      answer: {},
      sends: { contentType: 'text/csv', description: 'One line per transfer, oldest first.' },
      refusals: ['not_found'],
    },
    async ({ params, reply }, { thresholdReads, thresholds }) => {
      const { mode = '' } = params;
      const month = parseMonth(params.month ?? '');
      if (!isMode(mode) || month === undefined) return fail(NO_SUCH_RECORD);
      const report = { mode, month, ...thresholds };
      reply
        .header('content-type', 'text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="threshold-${mode}-${month}.csv"`)
        .header('cache-control', 'no-store')
        .send(Readable.from(reportLines(thresholdReads, report), { highWaterMark: 1 }));
      return ok({});
    },
  ),
];
