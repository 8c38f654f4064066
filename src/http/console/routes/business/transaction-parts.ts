// Details of one transaction for its business: the amounts with their ledger postings, the events, and the webhook deliveries.
import { Type } from 'typebox';
import {
  listTransactionDeliveries,
  listTransactionEvents,
} from '../../../../app/activity/list-transaction-events.ts';
import { readTransactionMoney, type ShownEntry } from '../../../../app/activity/read-transaction-money.ts';
import { computeArrivedMinor, computeMissingMinor } from '../../../../domain/records/transaction.ts';
import { formatDecimal } from '../../../../domain/values/money.ts';
import { fail, ok } from '../../../../domain/values/result.ts';
import * as schemas from '../../../../renderings/parts/schemas.ts';
import { isoTime } from '../../../../renderings/parts/values.ts';
import { renderEvent } from '../../../routes/render-event.ts';
import { DeliverySchema, renderDelivery } from '../../../routes/webhook-schemas.ts';
import { NO_SUCH_RECORD } from '../../refusals.ts';
import { businessRoute, type ConsoleRoute } from '../../route.ts';
import { readReader } from './agent.ts';

const GET = {
  tag: 'Business',
  method: 'GET',
  refusals: ['transaction_not_found', 'not_found'],
} as const;
const AT = '/transactions/:mode/:transaction_id';
const naira = Type.String({ description: 'In naira, with two decimals.' });

const posting = schemas.nameSchema(
  'TransactionPosting',
  Type.Object({
    account: Type.String({ description: 'The account in plain words.' }),
    side: schemas.oneOf(['debit', 'credit']),
    amount: Type.String({ description: 'In units of the asset (not minor units), with all its decimals.' }),
    asset: Type.String(),
    network: schemas.nullable(Type.String()),
  }),
);
const entry = schemas.nameSchema(
  'TransactionEntry',
  Type.Object({
    event: Type.String(),
    message: Type.String(),
    at: schemas.time,
    postings: Type.Array(posting),
  }),
);

const transactionMoney = schemas.nameSchema(
  'TransactionMoney',
  Type.Object({
    ...{ amount: naira, fee: naira, net_amount: naira, received_amount: naira },
    ...{ missing_amount: naira, refunded_amount: naira },
    bank_charges: Type.String({
      description:
        'Bank charges for its payouts and refunds, in naira. The operator pays them; they are not part of the fee.',
    }),
  }),
);
const event = schemas.nameSchema(
  'TransactionEvent',
  Type.Object({
    ...{ id: Type.String(), type: Type.String(), timestamp: schemas.time, mode: schemas.mode },
    ...{ sequence: Type.Integer(), data: Type.Unsafe<object>(schemas.record) },
  }),
);
const delivery = schemas.nameSchema(
  'TransactionDelivery',
  Type.Object({ ...DeliverySchema.properties, url: Type.String() }),
);

const moneyRoute = businessRoute(
  'transactions.read',
  {
    ...GET,
    path: `${AT}/money`,
    name: 'getTransactionMoney',
    summary:
      'Read the money of a transaction: the requested amount, the costs, and all incoming and outgoing payments',
    answer: {
      money: transactionMoney,
      entries: Type.Array(entry),
    },
  },
  async (call, deps) => {
    const reader = readReader(call);
    if (reader === undefined) return fail(NO_SUCH_RECORD);
    const found = await readTransactionMoney(deps, reader, call.params.transaction_id!);
    if (!found.ok) return found;
    const { transaction, details, entries, bankChargesMinor } = found.value;
    const { amountMinor, feeMinor, refundedMinor } = transaction;
    const hereMinor = computeArrivedMinor(transaction, details.heldMinor);
    return ok({
      money: {
        amount: formatDecimal(amountMinor, 2),
        fee: formatDecimal(feeMinor, 2),
        net_amount: formatDecimal(amountMinor - feeMinor, 2),
        received_amount: formatDecimal(hereMinor, 2),
        missing_amount: formatDecimal(computeMissingMinor(transaction, hereMinor), 2),
        refunded_amount: formatDecimal(refundedMinor, 2),
        bank_charges: formatDecimal(bankChargesMinor, 2),
      },
      entries: entries.map(renderEntry),
    });
  },
);

function renderEntry(shown: ShownEntry): schemas.JsonOf<typeof entry> {
  const { event: code, sentence, atMs, postings } = shown;
  return {
    ...{ event: code, message: sentence, at: isoTime(atMs) },
    postings: postings.map(({ account, side, amountMinor, decimals, asset, network }) => ({
      ...{ account, side, amount: formatDecimal(amountMinor, decimals), asset, network },
    })),
  };
}

const eventsRoute = businessRoute(
  'transactions.read',
  {
    ...GET,
    path: `${AT}/events`,
    name: 'listTransactionEvents',
    summary: 'List the events of a transaction, newest first',
    answer: { events: Type.Array(event) },
  },
  async (call, deps) => {
    const reader = readReader(call);
    if (reader === undefined) return fail(NO_SUCH_RECORD);
    const found = await listTransactionEvents(
      { ...deps, ...deps.activity },
      reader,
      call.params.transaction_id!,
    );
    return found.ok ? ok({ events: found.value.map((each) => renderEvent(each, deps.networks)) }) : found;
  },
);

const deliveriesRoute = businessRoute(
  'webhooks.read',
  {
    ...GET,
    path: `${AT}/deliveries`,
    name: 'listTransactionDeliveries',
    summary: 'List the webhook deliveries of a transaction, newest first',
    answer: { deliveries: Type.Array(delivery) },
  },
  async (call, deps) => {
    const reader = readReader(call);
    if (reader === undefined) return fail(NO_SUCH_RECORD);
    const asked = { ...deps, ...deps.activity };
    const found = await listTransactionDeliveries(asked, reader, call.params.transaction_id!);
    if (!found.ok) return found;
    return ok({ deliveries: found.value.map((each) => ({ ...renderDelivery(each), url: each.url })) });
  },
);

export const transactionPartRoutes: readonly ConsoleRoute[] = [moneyRoute, eventsRoute, deliveriesRoute];
