// Transactions as CSV: the same columns in the export of the console and of the command line, with every cell safe in a
// spreadsheet (threat 79).
import { csvLine } from '../../domain/values/csv.ts';

const COLUMNS = [
  ...['transaction_id', 'type', 'reference', 'amount', 'fee', 'net_amount', 'refunded_amount', 'state'],
  ...['state_reason', 'exception', 'account_number', 'account_name', 'bank_name', 'link_account_number'],
  ...['network', 'wallet_address', 'tx_hash', 'mode', 'created_at', 'updated_at', 'expires_at'],
] as const;

export const CSV_HEAD = csvLine(COLUMNS);

/** `transaction`: as the API answers it. */
export function csvRow(transaction: object): string {
  const fields = transaction as Readonly<Record<string, string | number | null | undefined>>;
  return csvLine(COLUMNS.map((name) => fields[name]));
}
