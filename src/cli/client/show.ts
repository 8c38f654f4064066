// How client commands show API records to people: naira as ₦15,000.00, and times in this machine's zone with its offset.
import type { SliproadEvent, Transaction } from '../../../sdk/src/index.ts';
import { formatNaira, MAX_WIRE_MINOR, parseAmount } from '../../domain/values/money.ts';
import type { Terminal } from '../command.ts';
import type { Json } from '../terminal/json.ts';
import { formatPairs } from '../terminal/table.ts';

/** `amount`: a JSON number from the API. The text of this number has the exact decimals. */
export function nairaText(amount: number): string {
  const parsed = parseAmount(String(amount), { minMinor: 0n, maxMinor: MAX_WIRE_MINOR });
  return parsed.ok ? formatNaira(parsed.value) : String(amount);
}

export function timeText(time: string): string {
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return time;
  const offset = -at.getTimezoneOffset();
  const [hours, minutes] = [Math.trunc(Math.abs(offset) / 60), Math.abs(offset) % 60];
  const shifted = new Date(at.getTime() + offset * 60_000).toISOString();
  return `${shifted.slice(0, 10)} ${shifted.slice(11, 19)} ${offset < 0 ? '-' : '+'}${padTwo(hours)}:${padTwo(minutes)}`;
}

const padTwo = (value: number): string => String(value).padStart(2, '0');

export function asJson(value: object): Json {
  return value as unknown as Json;
}

export function transactionOf(event: SliproadEvent): Transaction | undefined {
  return 'transaction' in event.data ? (event.data as { transaction: Transaction }).transaction : undefined;
}

export function eventLine(
  event: SliproadEvent,
  { paint }: Pick<Terminal, 'paint'>,
  among: 'of one transaction' | 'of all' = 'of all',
): string {
  const transaction = transactionOf(event);
  const change = (event.data as { change?: { message?: string } }).change;
  const refund = (event.data as { refund?: { amount: number } }).refund;
  const words = [
    ...(transaction === undefined || among === 'of one transaction'
      ? []
      : [transaction.transaction_id, nairaText(transaction.amount)]),
    ...(refund === undefined ? [] : [`${nairaText(refund.amount)} refunded`]),
    ...(change?.message === undefined ? [] : [change.message]),
  ];
  const type = event.type.padEnd(TYPE_WIDTH);
  return `${timeText(event.timestamp)}  ${paint?.(styleOf(event.type), type) ?? type}  ${words.join('  ')}`.trimEnd();
}

const TYPE_WIDTH = 'transaction.awaiting_payment'.length;

function styleOf(type: string): 'green' | 'red' | 'yellow' | 'cyan' {
  if (/completed$/.test(type)) return 'green';
  if (/(rejected|cancelled|expired|failed|reversed|returned|disabled)$/.test(type)) return 'red';
  return /(on_hold|refunded|updated)$/.test(type) ? 'yellow' : 'cyan';
}

export function printTransaction(terminal: Terminal, transaction: Transaction): void {
  const reason = transaction.state_message === null ? '' : `  ${transaction.state_message}`;
  const rows: (readonly [string, string | null | undefined])[] = [
    ['id', transaction.transaction_id],
    ['reference', transaction.reference],
    ['type', transaction.type.toLowerCase()],
    ['quote', transaction.quote_id],
    ['amount', nairaText(transaction.amount)],
    ['state', `${transaction.state}${reason}`],
    ['exception', transaction.exception],
    ['next', transaction.next_action],
    ['bank account', `${transaction.account_number}, ${transaction.bank_name}`],
    ['network', transaction.network],
    ['wallet', transaction.wallet_address],
    ['hash', transaction.tx_hash],
    ['created', timeText(transaction.created_at)],
    ['updated', timeText(transaction.updated_at)],
  ];
  const shown = rows.flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [[name, value]],
  );
  terminal.print(formatPairs(shown, terminal.paint));
}
