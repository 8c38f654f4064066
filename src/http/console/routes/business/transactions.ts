// The transactions of a business, for its members: a list with filters and a search, one transaction with its timeline, and an
// export of all matching transactions for spreadsheets.
import { Readable } from 'node:stream';
import { Type } from 'typebox';
import {
  findTransactions,
  TRANSACTION_CSV_HEAD,
  transactionCsvRow,
} from '../../../../app/activity/find-transactions.ts';
import type { BusinessReader } from '../../../../app/input/caller.ts';
import { MAX_PAGE_SIZE } from '../../../../app/input/list-query.ts';
import { readWithDetails } from '../../../../app/intake/read-details.ts';
import { readTimeline } from '../../../../app/intake/read-timeline.ts';
import { readTransaction, type TransactionPage } from '../../../../app/intake/read-transactions.ts';
import { STATES } from '../../../../domain/records/states.ts';
import { lagosDay } from '../../../../domain/values/calendar.ts';
import { fail, ok, type Result } from '../../../../domain/values/result.ts';
import * as schemas from '../../../../renderings/parts/schemas.ts';
import { renderDetailedTransaction, renderTimelineLine } from '../../../routes/render-transaction.ts';
import { listTransactionsDocs } from '../../../routes/transaction-docs.ts';
import type { ConsoleDeps } from '../../deps.ts';
import * as fields from '../../fields.ts';
import { type ConsoleRefusal, NO_SUCH_RECORD } from '../../refusals.ts';
import { businessRoute, type ConsoleRoute } from '../../route.ts';
import { readReader } from './agent.ts';

const GET = { tag: 'Business', method: 'GET' } as const;

const { cursor, limit, ...apiFilters } = listTransactionsDocs.querystring.properties;
const filters = {
  ...apiFilters,
  network: Type.Optional(
    Type.String({ description: 'The network on which the tokens are sent or expected.' }),
  ),
  amount: Type.Optional(Type.String({ description: 'Only this exact amount in naira.' })),
  search: Type.Optional(
    Type.String({
      description:
        'A transaction id, a reference, an account number, a wallet, a transaction hash or an amount.',
    }),
  ),
};
const FILTER_REFUSALS = ['filter_invalid', 'reference_invalid', 'not_found'] as const;

async function renderPage(deps: ConsoleDeps, { transactions }: TransactionPage) {
  const detailed = await readWithDetails(deps, transactions);
  return detailed.map((each) => renderDetailedTransaction(each, deps.networks));
}

const listRoute = businessRoute(
  'transactions.read',
  {
    ...GET,
    path: '/transactions/:mode',
    name: 'listBusinessTransactions',
    summary: 'List transactions of one mode, newest first',
    query: Type.Object({ ...filters, cursor, limit }),
    answer: {
      transactions: Type.Array(fields.transaction),
      next_cursor: schemas.nullable(Type.String()),
    },
    refusals: [...FILTER_REFUSALS, 'cursor_invalid'],
  },
  async (call, deps) => {
    const reader = readReader(call);
    if (reader === undefined) return fail(NO_SUCH_RECORD);
    const found = await findTransactions({ ...deps, ...deps.activity }, reader, call.query);
    if (!found.ok) return found;
    return ok({ transactions: await renderPage(deps, found.value), next_cursor: found.value.nextCursor });
  },
);

/** Without this mark, a spreadsheet assumes the character encoding of its country setting. */
const BYTE_ORDER_MARK = '\uFEFF';

const exportRoute = businessRoute(
  'transactions.read',
  {
    ...GET,
    path: '/transactions/:mode/export',
    name: 'exportBusinessTransactions',
    summary: 'Download all transactions that match the filters, as CSV that is safe in a spreadsheet',
    query: Type.Object(filters),
    answer: {},
    sends: { contentType: 'text/csv', description: 'One line per transaction, newest first.' },
    refusals: FILTER_REFUSALS,
  },
  async (call, deps) => {
    const reader = readReader(call);
    if (reader === undefined) return fail(NO_SUCH_RECORD);
    // The first page is read before the response starts, so that a refusal still gets its own HTTP status.
    const first = await readExportPage(deps, reader, call.query, null);
    if (!first.ok) return first;
    const name = `transactions-${call.params.mode}-${lagosDay(deps.clock.now())}.csv`;
    call.reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${name}"`)
      .header('cache-control', 'no-store')
      .send(Readable.from(exportLines(deps, reader, call.query, first.value), { highWaterMark: 1 }));
    return ok({});
  },
);

/** Limits how many exports and searches read at the same time, so that they do not use all database connections. */
function readExportPage(
  deps: ConsoleDeps,
  reader: BusinessReader,
  query: Readonly<Record<string, unknown>>,
  after: string | null,
): Promise<Result<TransactionPage, ConsoleRefusal>> {
  const page = { ...query, limit: String(MAX_PAGE_SIZE), ...(after !== null && { cursor: after }) };
  return deps.activity.exportTurns.take(() => findTransactions({ ...deps, ...deps.activity }, reader, page));
}

/**
 * Reads the next page after the previous page was sent. If a read fails, the download is aborted, so that no person uses an
 * incomplete file.
 */
async function* exportLines(
  deps: ConsoleDeps,
  reader: BusinessReader,
  query: Readonly<Record<string, unknown>>,
  first: TransactionPage,
): AsyncGenerator<string, void, undefined> {
  yield `${BYTE_ORDER_MARK}${TRANSACTION_CSV_HEAD}\r\n`;
  for (let page = first; ; ) {
    const rows = (await renderPage(deps, page)).map((each) => `${transactionCsvRow(each)}\r\n`);
    if (rows.length > 0) yield rows.join('');
    if (page.nextCursor === null) return;
    const next = await readExportPage(deps, reader, query, page.nextCursor);
    if (!next.ok) throw new Error(`the export cannot go on: ${next.error.message}`);
    page = next.value;
  }
}

const readRoute = businessRoute(
  'transactions.read',
  {
    ...GET,
    path: '/transactions/:mode/:transaction_id',
    name: 'getBusinessTransaction',
    summary: 'Read a transaction',
    answer: { transaction: fields.transaction },
    refusals: ['transaction_not_found', 'not_found'],
  },
  async (call, deps) => {
    const reader = readReader(call);
    if (reader === undefined) return fail(NO_SUCH_RECORD);
    const found = await readTransaction(deps.store, reader, call.params.transaction_id!);
    if (!found.ok) return found;
    const [detailed] = await readWithDetails(deps, [found.value]);
    return ok({ transaction: renderDetailedTransaction(detailed!, deps.networks) });
  },
);

const timelineLine = schemas.nameSchema(
  'TimelineLine',
  Type.Object({
    ...{ from: schemas.nullable(schemas.oneOf(STATES)), to: schemas.oneOf(STATES), actor: Type.String() },
    reason: Type.String({ description: 'The reason for the change, as a code for programs.' }),
    message: Type.String({ description: 'The reason as a sentence.' }),
    evidence: schemas.nullable(schemas.record),
    at: schemas.time,
  }),
);

const timelineRoute = businessRoute(
  'transactions.read',
  {
    ...GET,
    path: '/transactions/:mode/:transaction_id/timeline',
    name: 'getBusinessTimeline',
    summary: 'Read the timeline of a transaction, oldest first',
    answer: { timeline: Type.Array(timelineLine) },
    refusals: ['transaction_not_found', 'not_found'],
  },
  async (call, { store }) => {
    const reader = readReader(call);
    if (reader === undefined) return fail(NO_SUCH_RECORD);
    const found = await readTimeline(store, reader, call.params.transaction_id!);
    return found.ok ? ok({ timeline: found.value.map(renderTimelineLine) }) : found;
  },
);

export const transactionRoutes: readonly ConsoleRoute[] = [listRoute, exportRoute, readRoute, timelineRoute];
