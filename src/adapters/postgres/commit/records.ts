// Records that a change adds: credits, deposits, notices, movements and their attempts; and the reports of sources that do not
// give value for an account, which a change adds or updates.
import { sessionKeyOf } from '../../../domain/records/credit.ts';
import { all, as, flag, int, ms, plainColumn, written } from '../connection/record-columns.ts';
import { ATTEMPT, DEPOSIT, MOVEMENT, NOTICE, REPORTED } from '../reads/settlement-rows.ts';
import {
  after,
  type CommitPart,
  defineCommitPart,
  jsonOrNull,
  RAW,
  textOrNull,
  timestampSql,
} from './commit-part.ts';

const BY_SOURCE = ['mode', 'source', 'source_id'];

export const RECORDS: readonly CommitPart[] = [
  defineCommitPart((change) => change.newCredits)({
    name: 'new_credit',
    once: { table: 'bank_credits', by: BY_SOURCE },
    columns: [
      ...written({ ...REPORTED, parentId: plainColumn, state: as('credit_state', plainColumn) }),
      RAW,
      ['session_key', 'text', (c) => (c.parentId === null ? sessionKeyOf(c) : null)],
      ['source_version', 'int', (c) => textOrNull(c.sourceVersion)],
    ],
    also: { version: '1' },
  }),
  defineCommitPart((change) => change.newDeposits)({
    name: 'new_deposit',
    once: { table: 'deposits', by: ['mode', 'network', 'tx_hash', 'tx_index'] },
    columns: written(DEPOSIT),
    also: { version: '1' },
  }),
  defineCommitPart((change) => change.newNotices)({
    name: 'new_notice',
    once: { table: 'bank_notices', by: BY_SOURCE },
    columns: [...written(NOTICE), RAW],
    also: { state: `'open'`, version: '1' },
  }),
  defineCommitPart((change) => change.newMovements)({
    name: 'new_movement',
    order: ['transaction_id'],
    columns: written(MOVEMENT),
    into: 'movements',
    also: { version: '1', updated_at: timestampSql('created_at_ms') },
  }),
  defineCommitPart((change) => change.attempts)({
    name: 'attempt',
    order: ['mode', 'network', 'source', 'sequence'],
    columns: [
      ...written(ATTEMPT),
      // Several payments can share the same signed bytes. These bytes are stored only with the first payment.
      ['payload', 'text', (a) => (a.index === 0 ? a.payload : null)],
      ['envelope_index', 'int', (a) => textOrNull(a.index)],
      ['orders', 'jsonb', (a) => (a.index === 0 && a.orders.length > 1 ? jsonOrNull(a.orders) : null)],
    ],
    into: 'movement_attempts',
    // The signed bytes of an attempt never change. Its state and evidence change.
    onConflict: `(movement_id, no) do update set state = excluded.state, evidence = excluded.evidence,
      updated_at = excluded.updated_at`,
  }),
  defineCommitPart((change) => change.replacements)({
    name: 'replacement',
    order: ['mode', 'network', 'reference', 'no'],
    columns: written({
      ...all(plainColumn, 'mode', 'network', 'reference', 'hash', 'payload', 'bound'),
      ...{ no: int, atMs: ms },
    }),
    into: 'attempt_replacements',
  }),
];

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
