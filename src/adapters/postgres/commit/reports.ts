// Reports of sources that do not give value for an account: those that a change updates, and those that it adds.
import { flag, int, ms, plainColumn, written } from '../connection/record-columns.ts';
import { REPORTED } from '../reads/settlement-rows.ts';
import { after, type CommitPart, defineCommitPart, RAW } from './commit-part.ts';

export const REPORTS: readonly CommitPart[] = [
  defineCommitPart((change) => change.reports)({
    name: 'report',
    fence: { table: 'credit_reports', key: 'id' },
    columns: [
      ...written({ version: int }),
      ...after(
        written({
          id: plainColumn,
          state: plainColumn,
          creditId: plainColumn,
          isRepeat: flag,
          dueAtMs: ms,
          tries: int,
        }),
      ),
    ],
  }),
  defineCommitPart((change) => change.newReports)({
    name: 'new_report',
    once: { table: 'credit_reports', by: ['mode', 'source', 'source_id'] },
    columns: [...written(REPORTED), RAW],
    also: { state: `'waiting'`, version: '1' },
  }),
];
