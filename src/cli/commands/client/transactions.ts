// `transactions search` and `transactions export`: read the transactions of the business page by page.
import type { ListTransactionsQuery, Sliproad, Transaction } from '../../../../sdk/src/index.ts';
import { TRANSACTION_CSV_HEAD, transactionCsvRow } from '../../../app/activity/find-transactions.ts';
import { STATES } from '../../../domain/records/states.ts';
import { defineClientCommand, timeOption } from '../../client/client-command.ts';
import { type ExportFile, openExportFile } from '../../client/export-file.ts';
import { asJson, nairaText, timeText } from '../../client/show.ts';
import { type Command, printTable, STREAMED_ANSWER, type Terminal } from '../../command.ts';
import { CommandError, UsageError } from '../../terminal/command-error.ts';
import type { OptionTable } from '../../terminal/options.ts';

const FILTERS = {
  state: { choices: STATES, about: 'only in this state' },
  type: { choices: ['buy', 'sell'], about: 'only buys, or only sells' },
  from: {
    value: 'TIME',
    about: 'created at or after this time, for example 2026-11-16 or 2026-11-16T05:00:00Z',
  },
  to: { value: 'TIME', about: 'created at or before this time' },
} as const satisfies OptionTable;

interface TransactionFilters {
  readonly state: (typeof STATES)[number] | undefined;
  readonly type: 'buy' | 'sell' | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly reference?: string | undefined;
}

const LARGEST_PAGE = 100;
const DEFAULT_FOUND = 20;

const searchCommand = defineClientCommand({
  name: 'transactions search',
  words: ['[TEXT]'],
  summary:
    'Find transactions, newest first. TEXT is an id, or part of a reference, account, name, wallet or hash.',
  options: {
    ...FILTERS,
    reference: { value: 'TEXT', about: 'only this exact reference' },
    limit: { value: 'NUMBER', about: `maximum number of results (default: ${DEFAULT_FOUND})` },
  },
  run: async (terminal, { client }, { words: [text], options }) => {
    const most = limitOption(options.limit);
    const found: Transaction[] = [];
    let read = 0;
    for await (const transaction of readCandidates(client, text, options)) {
      if (++read % LARGEST_PAGE === 0) terminal.progress(`${found.length} found in ${read} transactions`);
      if (text !== undefined && !containsText(transaction, text)) continue;
      found.push(transaction);
      if (found.length === most) break;
    }
    terminal.progress('');
    if (found.length === 0) throw new CommandError('No transaction was found.', 'not_found', []);
    const rows = found.map((each) => [
      ...[each.transaction_id, each.type.toLowerCase(), nairaText(each.amount), each.state],
      ...[each.reference, timeText(each.created_at)],
    ]);
    printTable(terminal, [['ID', 'TYPE', 'AMOUNT', 'STATE', 'REFERENCE', 'CREATED'], ...rows]);
    if (found.length === most) terminal.note(`Only the first ${most} are shown. For more: --limit NUMBER`);
    return found.map(asJson);
  },
});

const exportCommand = defineClientCommand({
  name: 'transactions export',
  summary:
    'Write all transactions to a file, or to standard output: CSV for spreadsheets, or one JSON object per line.',
  options: {
    format: { choices: ['csv', 'jsonl'], needed: true, about: 'file format' },
    output: {
      value: 'FILE',
      about: 'output file (default: standard output); it appears when it is complete',
    },
    ...FILTERS,
  },
  run: async (terminal, { client }, { options }) => {
    const { format, output } = options;
    if (terminal.json && output === undefined)
      throw new UsageError(
        '--json needs --output FILE: otherwise the export itself goes to standard output.',
      );
    const out = output === undefined ? makeStandardOutput(terminal) : await openExportFile(output);
    try {
      const count = await writeTransactions(terminal, client, queryOf(options), format, out);
      terminal.progress('');
      await out.keep();
      if (output === undefined) {
        terminal.note(`${count} transactions`);
        return STREAMED_ANSWER;
      }
      terminal.print(`Wrote ${count} transactions to ${output}`);
      return { file: output, format, transactions: count };
    } catch (error) {
      await out.discard();
      if (!terminal.interrupted.aborted) throw error;
      throw new CommandError('The export was interrupted; nothing was written.', 'interrupted');
    }
  },
});

export const transactionCommands: readonly Command[] = [searchCommand, exportCommand];

async function writeTransactions(
  terminal: Terminal,
  client: Sliproad,
  query: ListTransactionsQuery,
  format: 'csv' | 'jsonl',
  out: ExportFile,
): Promise<number> {
  let count = 0;
  if (format === 'csv') await out.write(TRANSACTION_CSV_HEAD);
  for await (const { items } of client.transactions.list(query, { signal: terminal.interrupted }).pages()) {
    for (const item of items)
      await out.write(format === 'csv' ? transactionCsvRow(item) : JSON.stringify(item));
    count += items.length;
    terminal.progress(`${count} transactions`);
  }
  return count;
}

function makeStandardOutput(terminal: Terminal): ExportFile {
  return {
    write: async (line) => terminal.print(line),
    keep: async () => undefined,
    discard: async () => undefined,
  };
}

async function* readCandidates(
  client: Sliproad,
  text: string | undefined,
  options: TransactionFilters,
): AsyncGenerator<Transaction, void, undefined> {
  const query = queryOf(options);
  const narrowed = Object.values(options).some((each) => typeof each === 'string');
  if (text?.startsWith('txn_') && !narrowed) {
    yield await client.transactions.get(text);
    return;
  }
  yield* client.transactions.list(query);
}

function queryOf({ state, type, from, to, reference }: TransactionFilters): ListTransactionsQuery {
  return {
    limit: LARGEST_PAGE,
    ...(state !== undefined && { state }),
    ...(type !== undefined && { type: type === 'buy' ? 'Buy' : 'Sell' }),
    ...(from !== undefined && { created_from: timeOption(from, '--from') }),
    ...(to !== undefined && { created_to: timeOption(to, '--to') }),
    ...(reference !== undefined && { reference }),
  };
}

function containsText(transaction: Transaction, text: string): boolean {
  const { transaction_id, reference, account_number, account_name, wallet_address, tx_hash } = transaction;
  const wanted = text.toLowerCase();
  return [transaction_id, reference, account_number, account_name, wallet_address, tx_hash].some((each) =>
    each?.toLowerCase().includes(wanted),
  );
}

function limitOption(text: string | undefined): number {
  if (text === undefined) return DEFAULT_FOUND;
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new UsageError('--limit must be a whole number from 1 to 999999.');
}
