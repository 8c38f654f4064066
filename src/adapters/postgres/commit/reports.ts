// Reports of sources that do not give value: those that a change moves on, and those that it adds.
import { flag, int, ms, plain, written } from '../connection/columns.ts';
import { REPORTED } from '../reads/settlement-rows.ts';
import { after, type Kind, kind, RAW } from './kind.ts';

export const REPORTS: readonly Kind[] = [
  kind((change) => change.reports)({
    name: 'report',
    fence: { table: 'credit_reports', key: 'id' },
    columns: [
      ...written({ version: int }),
      ...after(
        written({ id: plain, state: plain, creditId: plain, isRepeat: flag, dueAtMs: ms, tries: int }),
      ),
    ],
  }),
  kind((change) => change.newReports)({
    name: 'new_report',
    once: { table: 'credit_reports', by: ['mode', 'source', 'source_id'] },
    columns: [...written(REPORTED), RAW],
    also: { state: `'waiting'`, version: '1' },
  }),
];
