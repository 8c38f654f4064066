// Reads money that came into the operator's dedicated accounts at Paystack, as GET /transaction lists it.
import type { BankDirectory } from '../../../domain/catalogue/banks.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { RailStatement } from '../../../ports/rails/rail-statement.ts';
import { wholeOf } from '../../json.ts';
import { type ListingState, type ListPage, readCreditsFromList } from '../connection/list-reader.ts';
import type { PaystackClient } from './client.ts';
import { ENDED_TRANSACTIONS } from './codes.ts';
import { creditLineOf, isBankTransfer, readPaystackTransaction } from './transactions.ts';

export interface PaystackStatementParts {
  readonly client: PaystackClient;
  readonly directory: BankDirectory;
  readonly clock: Clock;
  readonly fromMs: number;
  readonly lagMs: number;
}

const PAGE_LINES = 100;
const PER_ANSWER = 100;

export function makePaystackStatement(parts: PaystackStatementParts): RailStatement {
  const { client, directory, clock, fromMs, lagMs } = parts;
  const list = {
    ...{ fromMs, most: PAGE_LINES },
    page: (startMs: number, endMs: number, page: number) => readTransactionPage(client, startMs, endMs, page),
    compareIds: (one: string, other: string) => Number(BigInt(one) - BigInt(other)),
  };
  return {
    read: async (position) => {
      const { credits, position: next } = await readCreditsFromList(list, position, clock.now() - lagMs);
      return { lines: credits.map((each) => creditLineOf(directory, each)), position: next };
    },
  };
}

async function readTransactionPage(
  client: PaystackClient,
  fromMs: number,
  endMs: number,
  page: number,
): Promise<ListPage> {
  const answer = await client.get('/transaction', {
    perPage: `${PER_ANSWER}`,
    page: `${page + 1}`,
    from: new Date(fromMs).toISOString(),
    to: new Date(endMs).toISOString(),
  });
  if (answer.kind === 'refused')
    throw new Error(`Paystack did not list the transactions: status ${answer.status}`);
  if (answer.kind !== 'done') throw new Error(`Paystack did not list the transactions: ${answer.reason}`);
  const total = wholeOf(answer.meta, 'total');
  if (!Array.isArray(answer.data) || total === null)
    throw new Error('Paystack lists transactions in a form that is not documented');
  const rows = answer.data as readonly unknown[];
  const transactions = rows.filter(isBankTransfer).map((row) => {
    const transaction = readPaystackTransaction(row);
    if (transaction === null) throw new Error('Paystack lists a transaction without id or time');
    return { ...transaction, standing: listingStateOf(transaction.status) };
  });
  return { transactions, rows: rows.length, total: Number(total) };
}

function listingStateOf(status: string | null): ListingState {
  if (status === 'success') return 'credit';
  return status !== null && ENDED_TRANSACTIONS.has(status) ? 'other' : 'open';
}
