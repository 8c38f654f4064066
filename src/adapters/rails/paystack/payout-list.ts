// Reads Paystack's own list of transfers from the operator's balance: GET /transfer, between two times
// (paystack.com/docs/api/transfer, List Transfers: perPage, page, from, to).
import type { ListedPayment } from '../../../domain/rails/unexplained-payments.ts';
import type { RailPayoutList } from '../../../ports/rails/rail.ts';
import { fieldOf, numberTextOf, textOf, wholeOf } from '../../json.ts';
import { parseKobo } from '../connection/amounts-and-times.ts';
import { fullAccountNumber, readPayoutPages } from '../connection/list-reader.ts';
import type { PaystackClient } from './client.ts';
import { meaningOfWord } from './codes.ts';

const PER_ANSWER = 100;

export function makePaystackPayoutList(client: PaystackClient): RailPayoutList {
  return {
    read: (fromMs, untilMs) =>
      readPayoutPages(fromMs, untilMs, async (page) => {
        const answer = await client.get('/transfer', {
          perPage: `${PER_ANSWER}`,
          page: `${page + 1}`,
          from: new Date(fromMs).toISOString(),
          to: new Date(untilMs).toISOString(),
        });
        if (answer.kind === 'refused')
          throw new Error(`Paystack did not list the transfers: status ${answer.status}`);
        if (answer.kind !== 'done') throw new Error(`Paystack did not list the transfers: ${answer.reason}`);
        const total = wholeOf(answer.meta, 'total');
        if (!Array.isArray(answer.data) || total === null)
          throw new Error('Paystack lists transfers in a form that is not documented');
        const rows = answer.data as readonly unknown[];
        const payments = rows.filter((row) => fieldOf(row, 'currency') === 'NGN').map(paymentIn);
        return { payments, rows: rows.length, total: Number(total) };
      }),
  };
}

function paymentIn(row: unknown): ListedPayment {
  const id = numberTextOf(row, 'id') ?? textOf(row, 'transfer_code');
  const atMs = Date.parse(textOf(row, 'createdAt') ?? textOf(row, 'created_at') ?? '');
  if (id === null || Number.isNaN(atMs)) throw new Error('Paystack lists a transfer without id or time');
  const { outcome } = meaningOfWord(textOf(row, 'status'));
  return {
    ...{ id, atMs, reference: textOf(row, 'reference'), amountMinor: parseKobo(numberTextOf(row, 'amount')) },
    accountNumber: fullAccountNumber(textOf(row, 'recipient', 'details', 'account_number')),
    standing: outcome === 'paid' ? 'paid' : outcome === 'failed' || outcome === 'returned' ? 'ended' : 'open',
  };
}
