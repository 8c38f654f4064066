// How credits, deposits, notices, movements and attempts are stored: the columns, and how a row becomes a record.
import type { BankCredit, CreditReport } from '../../../domain/records/credit.ts';
import type { Deposit } from '../../../domain/records/deposit.ts';
import type { Attempt, Movement } from '../../../domain/records/movement.ts';
import type { BankNotice } from '../../../domain/records/notice.ts';

const ms = (column: string, as: string) => `(extract(epoch from ${column}) * 1000)::float8 as ${as}`;

// biome-ignore lint/suspicious/noExplicitAny: the columns are listed beside each reader
export type AnyRow = any;

/** A table with its columns under the names of the record, and how a row becomes one. */
export interface Reader<Record> {
  readonly table: string;
  readonly columns: string;
  readonly read: (row: AnyRow) => Record;
}

export const CREDITS: Reader<BankCredit> = {
  table: 'bank_credits',
  columns: `id, mode, source, source_id as "sourceId", account_number as "accountNumber",
    account_bank_code as "accountBankCode", amount_minor as "amountMinor",
    payer_account as "payerAccount", payer_name as "payerName", payer_bank_name as "payerBankName",
    payer_bank_code as "payerBankCode", narration, session_id as "sessionId", ${ms('value_at', '"valueAtMs"')},
    balance_minor as "balanceMinor", ${ms('received_at', '"receivedAtMs"')}, raw, parent_id as "parentId",
    business_id as "businessId", state, exception,
    transaction_id as "transactionId", version, ${ms('due_at', '"dueAtMs"')}, tries`,
  read: withBigints('amountMinor', 'balanceMinor'),
};

/** Reports of sources that do not give value. */
export const REPORTS: Reader<CreditReport> = {
  table: 'credit_reports',
  columns: `id, mode, source, source_id as "sourceId", account_number as "accountNumber",
    account_bank_code as "accountBankCode", amount_minor as "amountMinor", payer_account as "payerAccount",
    payer_name as "payerName", payer_bank_name as "payerBankName", payer_bank_code as "payerBankCode", narration,
    session_id as "sessionId", balance_minor as "balanceMinor", ${ms('value_at', '"valueAtMs"')},
    ${ms('received_at', '"receivedAtMs"')}, raw, business_id as "businessId", state, credit_id as "creditId",
    is_repeat as "isRepeat", version, ${ms('due_at', '"dueAtMs"')}, tries`,
  read: withBigints('amountMinor', 'balanceMinor'),
};

export const DEPOSITS: Reader<Deposit> = {
  table: 'deposits',
  columns: `id, mode, network, tx_hash as "txHash", tx_index as "txIndex", address, memo, sender, asset,
    amount_minor as "amountMinor", transaction_id as "transactionId", state, exception, version,
    ${ms('due_at', '"dueAtMs"')}, tries, ${ms('seen_at', '"seenAtMs"')}, ${ms('chain_at', '"chainAtMs"')}`,
  read: withBigints('amountMinor'),
};

export const NOTICES: Reader<BankNotice> = {
  table: 'bank_notices',
  columns: `id, mode, source, source_id as "sourceId", kind, about, amount_minor as "amountMinor",
    ${ms('received_at', '"receivedAtMs"')}, raw, state, version, ${ms('due_at', '"dueAtMs"')}, tries`,
  read: withBigints('amountMinor'),
};

export const MOVEMENTS: Reader<Movement> = {
  table: 'movements',
  columns: `id, kind, mode, network, asset, amount_minor as "amountMinor", naira_minor as "nairaMinor",
    transaction_id as "transactionId", credit_id as "creditId", deposit_id as "depositId", destination,
    bank_account as "bankAccount", state, reason, version, attempts, ${ms('due_at', '"dueAtMs"')}, tries, ${ms('created_at', '"createdAtMs"')},
    ${ms('updated_at', '"updatedAtMs"')}`,
  read: withBigints('amountMinor', 'nairaMinor'),
};

/** `a` is the attempt. Signed bytes that carry several payments are stored with the first; replacements are in their own table. */
export const ATTEMPTS: Reader<Attempt> = {
  table: 'movement_attempts',
  columns: `a.movement_id as "movementId", a.no, a.mode, a.network, a.rail, a.reference, a.source, a.sequence, a.bound,
    a.envelope_index as index, case when a.envelope_index = 0 then a.payload else lead.payload end as payload,
    coalesce(a.orders, lead.orders, jsonb_build_array(a.movement_id)) as orders, a.state, a.evidence,
    ${ms('a.at', '"atMs"')}, ${ms('a.updated_at', '"updatedAtMs"')}, array(
      select jsonb_build_object('mode', r.mode, 'network', r.network, 'reference', r.reference, 'no', r.no, 'hash', r.hash,
        'payload', r.payload, 'bound', r.bound, 'atMs', (extract(epoch from r.at) * 1000)::float8)
      from attempt_replacements r
      where r.mode = a.mode and r.network = a.network and r.reference = a.reference order by r.no) as replacements`,
  read: (row) => row,
};

function withBigints(...names: readonly string[]): (row: AnyRow) => AnyRow {
  return (row) => {
    for (const name of names) if (row[name] !== null) row[name] = BigInt(row[name]);
    return row;
  };
}
