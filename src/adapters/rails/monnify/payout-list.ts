// Reads Monnify's list of disbursements from the operator's wallet, single and in batches, no matter who ordered them: GET
// /api/v2/disbursements/search-transactions (developers.monnify.com: sourceAccountNumber, pageNo from 0, pageSize, startDate
// and endDate as timestamps of the creation). It is not certain how Monnify interprets the dates, so this file also removes
// payouts outside the dates.
import type { ListedPayment } from '../../../domain/rails/unexplained-payments.ts';
import type { RailAccount, RailPayoutList } from '../../../ports/rails/rail.ts';
import { fieldOf, numberTextOf, textOf, wholeOf } from '../../json.ts';
import { parseBankTime, parseNairaAsKobo } from '../connection/amounts-and-times.ts';
import { fullAccountNumber, readPayoutPages } from '../connection/list-reader.ts';
import { lookUpMeaning } from '../connection/outcomes.ts';
import type { MonnifyClient } from './client.ts';
import { TRANSFER_WORDS } from './codes.ts';

const PATH = '/api/v2/disbursements/search-transactions';
const PER_ANSWER = 100;

export function makeMonnifyPayoutList(client: MonnifyClient, { number }: RailAccount): RailPayoutList {
  return {
    read: (fromMs, untilMs) =>
      readPayoutPages(fromMs, untilMs, async (page) => {
        const query = {
          ...{ sourceAccountNumber: number, pageNo: `${page}`, pageSize: `${PER_ANSWER}` },
          ...{ startDate: `${fromMs}`, endDate: `${untilMs}` },
        };
        const answer = await client.call({ method: 'GET', path: PATH, query });
        if (answer.kind === 'refused')
          throw new Error(`Monnify did not list the disbursements: status ${answer.status}`);
        if (answer.kind !== 'done')
          throw new Error(`Monnify did not list the disbursements: ${answer.reason}`);
        const content = fieldOf(answer.body, 'content');
        const total = wholeOf(answer.body, 'totalElements');
        if (!Array.isArray(content) || total === null)
          throw new Error('Monnify lists disbursements in a form that is not documented');
        const rows = content as readonly unknown[];
        return { payments: rows.map(paymentIn), rows: rows.length, total: Number(total) };
      }),
  };
}

function paymentIn(row: unknown): ListedPayment {
  const reference = textOf(row, 'reference');
  const id = textOf(row, 'transactionReference') ?? reference;
  const atMs = parseBankTime(textOf(row, 'createdOn') ?? textOf(row, 'dateCreated'), 'day');
  if (id === null || atMs === null) throw new Error('Monnify lists a disbursement without reference or time');
  const amount = numberTextOf(row, 'amount');
  const { outcome } = lookUpMeaning(TRANSFER_WORDS, textOf(row, 'status'));
  return {
    ...{ id, atMs, reference, amountMinor: amount === null ? null : parseNairaAsKobo(amount, 'exact') },
    accountNumber: fullAccountNumber(textOf(row, 'destinationAccountNumber')),
    standing: outcome === 'paid' ? 'paid' : outcome === 'failed' || outcome === 'returned' ? 'ended' : 'open',
  };
}
