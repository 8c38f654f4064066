// `reports threshold`: exports the single transfers of a month above the statutory thresholds as CSV, for the people who report
// them.
import { recordAction } from '../../../app/audit/record-actions.ts';
import {
  parseMonth,
  streamLargeTransfers,
  THRESHOLD_CSV_HEAD,
  thresholdCsvRow,
} from '../../../app/reconciliation/threshold-report.ts';
import { openExportFile } from '../../client/export-file.ts';
import { type Command, defineCommand, MODE } from '../../command.ts';
import { UsageError } from '../../terminal/command-error.ts';
import { countText } from '../../terminal/table.ts';

export const thresholdCommand: Command = defineCommand({
  name: 'reports threshold',
  summary:
    'Write the single transfers of a month above the thresholds (THRESHOLD_INDIVIDUAL, THRESHOLD_CORPORATE) to a CSV file for spreadsheets.',
  options: {
    month: { value: 'MONTH', needed: true, about: 'month in Lagos time, for example 2026-11' },
    mode: { ...MODE, about: 'live or test (default: live)' },
    output: { value: 'FILE', about: 'output file (default: threshold-MODE-MONTH.csv)' },
  },
  run: (terminal, { options }) =>
    terminal.withFoundation(async (foundation) => {
      const month = parseMonth(options.month);
      if (month === undefined) throw new UsageError('--month must be a month such as 2026-11.');
      const mode = options.mode ?? 'live';
      const file = options.output ?? `threshold-${mode}-${month}.csv`;
      const report = { mode, month, ...terminal.config.thresholds };
      await recordAction(foundation, 'threshold_report.exported', null, { mode, month });
      const out = await openExportFile(file);
      try {
        await out.write(THRESHOLD_CSV_HEAD);
        let count = 0;
        for await (const page of streamLargeTransfers(foundation.thresholdReads, report)) {
          for (const transfer of page) await out.write(thresholdCsvRow(transfer, report));
          count += page.length;
          terminal.progress(countText(count, 'transfer'));
        }
        await out.keep();
        terminal.progress('');
        terminal.print(`Wrote ${countText(count, 'transfer')} to ${file}`);
        return { file, month, mode, transfers: count };
      } catch (error) {
        await out.discard();
        throw error;
      }
    }),
});
