// Defines how credits, deposits, notices, movements and attempts are stored: the columns of a new record, all columns that are
// read, and how a row becomes a record.
import type { BankCredit, CreditReport } from '../../../domain/records/credit.ts';
import type { Deposit } from '../../../domain/records/deposit.ts';
import type { Attempt, Movement } from '../../../domain/records/movement.ts';
import type { BankNotice } from '../../../domain/records/notice.ts';
import {
  all,
  as,
  bigintColumn,
  columnFrom,
  defineColumns,
  int,
  json,
  ms,
  plainColumn,
} from '../connection/record-columns.ts';

// biome-ignore lint/suspicious/noExplicitAny: the columns are listed beside each reader
export type AnyRow = any;

export interface RowReader<Record> {
  readonly table: string;
  readonly columns: string;
  readonly read: (row: AnyRow) => Record;
}

function reader<Record extends object>(
  table: string,
  fields: Parameters<typeof defineColumns<Record>>[0],
  alias?: string,
): RowReader<Record> {
  const { list, read } = defineColumns<Record>(fields);
  return { table, columns: list(alias), read };
}

/** These columns are not written for a new record, because version and tries always start with the same value. */
const QUEUED = all(plainColumn, 'version', 'tries');

export const REPORTED = {
  ...all(plainColumn, 'id', 'mode', 'source', 'sourceId', 'accountNumber', 'accountBankCode', 'payerAccount'),
  ...all(plainColumn, 'payerName', 'payerBankName', 'payerBankCode', 'narration', 'sessionId', 'businessId'),
  ...all(bigintColumn, 'amountMinor', 'balanceMinor'),
  ...all(ms, 'valueAtMs', 'receivedAtMs', 'dueAtMs'),
};

export const CREDITS = reader<BankCredit>('bank_credits', {
  ...REPORTED,
  ...all(plainColumn, 'raw', 'parentId', 'state', 'exception', 'transactionId'),
  ...QUEUED,
});

/** Reports, which come from sources other than the credit source of the account. */
export const REPORTS = reader<CreditReport>('credit_reports', {
  ...REPORTED,
  ...all(plainColumn, 'raw', 'state', 'creditId', 'isRepeat'),
  ...QUEUED,
});

export const DEPOSIT = {
  ...all(
    plainColumn,
    'id',
    'mode',
    'network',
    'txHash',
    'address',
    'memo',
    'sender',
    'asset',
    'transactionId',
  ),
  ...{
    txIndex: int,
    amountMinor: as('numeric', bigintColumn),
    state: as('deposit_state', plainColumn),
    exception: plainColumn,
  },
  ...all(ms, 'dueAtMs', 'seenAtMs', 'chainAtMs'),
};
export const DEPOSITS = reader<Deposit>('deposits', { ...DEPOSIT, ...QUEUED });

export const NOTICE = {
  ...all(plainColumn, 'id', 'mode', 'source', 'sourceId', 'kind', 'about'),
  amountMinor: bigintColumn,
  ...all(ms, 'receivedAtMs', 'dueAtMs'),
};
export const NOTICES = reader<BankNotice>('bank_notices', {
  ...NOTICE,
  raw: plainColumn,
  state: plainColumn,
  ...QUEUED,
});

export const MOVEMENT = {
  ...all(plainColumn, 'id', 'kind', 'mode', 'network', 'asset', 'transactionId', 'creditId', 'depositId'),
  ...{
    amountMinor: as('numeric', bigintColumn),
    nairaMinor: bigintColumn,
    destination: json,
    bankAccount: plainColumn,
  },
  ...{ state: as('movement_state', plainColumn), reason: plainColumn, attempts: int },
  ...all(ms, 'dueAtMs', 'createdAtMs'),
};
export const MOVEMENTS = reader<Movement>('movements', { ...MOVEMENT, updatedAtMs: ms, ...QUEUED });

export const ATTEMPT = {
  ...all(plainColumn, 'movementId', 'mode', 'network', 'rail', 'reference', 'source', 'sequence', 'bound'),
  ...{ no: int, state: plainColumn, evidence: json, atMs: ms, updatedAtMs: ms },
};
/**
 * `a` is the attempt. Several payments can share the same signed bytes, which are stored with the first payment. Replacements
 * are in a separate table.
 */
export const ATTEMPTS = reader<Attempt>(
  'movement_attempts',
  {
    ...ATTEMPT,
    index: columnFrom('a.envelope_index', plainColumn),
    payload: columnFrom('case when a.envelope_index = 0 then a.payload else lead.payload end', plainColumn),
    orders: columnFrom('coalesce(a.orders, lead.orders, jsonb_build_array(a.movement_id))', plainColumn),
    replacements: columnFrom(
      `array(
      select jsonb_build_object('mode', r.mode, 'network', r.network, 'reference', r.reference, 'no', r.no, 'hash', r.hash,
        'payload', r.payload, 'bound', r.bound, 'atMs', (extract(epoch from r.at) * 1000)::float8)
      from attempt_replacements r
      where r.mode = a.mode and r.network = a.network and r.reference = a.reference order by r.no)`,
      plainColumn,
    ),
  },
  'a',
);
