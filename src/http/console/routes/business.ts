// A business as its members see it: its facts, its transactions as the API shows them, and its default wallets.
import { Type } from 'typebox';
import { setDefaultWallet } from '../../../app/back-office/manage-businesses.ts';
import type { Reader } from '../../../app/intake/caller.ts';
import { readTimeline } from '../../../app/intake/read-timeline.ts';
import { listTransactions, readTransaction } from '../../../app/intake/read-transactions.ts';
import { isMode, type Mode } from '../../../domain/values/mode.ts';
import { fail, ok } from '../../../domain/values/result.ts';
import { renderTimelineLine, renderTransaction } from '../../routes/render-transaction.ts';
import { listDocs } from '../../routes/transaction-docs.ts';
import { NO_SUCH_BUSINESS, NO_SUCH_RECORD } from '../refusals.ts';
import { type BusinessCall, businessRoute, type ConsoleRoute } from '../route.ts';
import * as schemas from '../schemas.ts';

const TAG = { tag: 'Business' } as const;
const GET = { ...TAG, method: 'GET' } as const;

const overview = businessRoute(
  'transactions.read',
  {
    ...GET,
    path: '',
    name: 'getBusiness',
    summary: 'Read the business: its id, link tag and default wallets, and your role',
    answer: {
      business_id: Type.String(),
      name: Type.String(),
      link_tag: Type.String(),
      role: schemas.businessRole,
      default_wallets: Type.Object({
        live: schemas.nullable(schemas.wallet),
        test: schemas.nullable(schemas.wallet),
      }),
    },
  },
  async ({ businessId, role }, { backOffice }) => {
    const business = (await backOffice.listBusinesses()).find(({ id }) => id === businessId);
    if (business === undefined) return fail(NO_SUCH_BUSINESS);
    const { id, name, linkTag } = business;
    const wallet = async (mode: Mode) => {
      const found = await backOffice.defaultWallet(businessId, mode);
      return found === null ? null : { network: found.network, wallet_address: found.address };
    };
    const wallets = { live: await wallet('live'), test: await wallet('test') };
    return ok({ business_id: id, name, link_tag: linkTag, role, default_wallets: wallets });
  },
);

const transactionRoutes = [
  businessRoute(
    'transactions.read',
    {
      ...GET,
      path: '/transactions/:mode',
      name: 'listBusinessTransactions',
      summary: 'List transactions of one mode, the newest first',
      query: listDocs.querystring,
      answer: {
        transactions: Type.Array(Type.Ref('Transaction')),
        next_cursor: schemas.nullable(Type.String()),
      },
      refusals: ['filter_invalid', 'cursor_invalid', 'reference_invalid', 'not_found'],
    },
    async (call, { store, networks }) => {
      const reader = readerOf(call);
      if (reader === undefined) return fail(NO_SUCH_RECORD);
      const listed = await listTransactions(store, reader, call.query);
      if (!listed.ok) return listed;
      const { transactions, nextCursor } = listed.value;
      const rendered = transactions.map((each) => renderTransaction(each, networks));
      return ok({ transactions: rendered, next_cursor: nextCursor });
    },
  ),
  businessRoute(
    'transactions.read',
    {
      ...GET,
      path: '/transactions/:mode/:transaction_id',
      name: 'getBusinessTransaction',
      summary: 'Read a transaction',
      answer: { transaction: Type.Ref('Transaction') },
      refusals: ['transaction_not_found', 'not_found'],
    },
    async (call, { store, networks }) => {
      const reader = readerOf(call);
      if (reader === undefined) return fail(NO_SUCH_RECORD);
      const found = await readTransaction(store, reader, call.params.transaction_id!);
      return found.ok ? ok({ transaction: renderTransaction(found.value, networks) }) : found;
    },
  ),
  businessRoute(
    'transactions.read',
    {
      ...GET,
      path: '/transactions/:mode/:transaction_id/timeline',
      name: 'getBusinessTimeline',
      summary: 'Read the timeline of a transaction, the oldest line first',
      answer: { timeline: Type.Array(schemas.record) },
      refusals: ['transaction_not_found', 'not_found'],
    },
    async (call, { store }) => {
      const reader = readerOf(call);
      if (reader === undefined) return fail(NO_SUCH_RECORD);
      const found = await readTimeline(store, reader, call.params.transaction_id!);
      return found.ok ? ok({ timeline: found.value.map(renderTimelineLine) }) : found;
    },
  ),
];

const defaultWallet = businessRoute(
  'business.manage',
  {
    ...TAG,
    method: 'PUT',
    path: '/default-wallet',
    name: 'setDefaultWallet',
    summary: 'Set the wallet that buys without one send to, or remove it',
    body: Type.Object({
      mode: schemas.mode,
      network: Type.Optional(
        Type.String({ maxLength: 60, description: 'the network; left out, none is set.' }),
      ),
      wallet_address: Type.Optional(
        Type.String({ maxLength: 200, description: 'the address on that network.' }),
      ),
    }),
    answer: { default_wallet: schemas.nullable(schemas.wallet) },
    refusals: [
      'network_unknown',
      'network_not_enabled',
      'wallet_incomplete',
      'wallet_invalid',
      'wallet_network_mismatch',
      'wallet_forbidden',
    ],
  },
  async ({ businessId, actor, body }, deps) => {
    const { mode, network, wallet_address: address } = body;
    const set = await setDefaultWallet({ ...deps, actor }, { businessId, mode, network, address });
    if (!set.ok) return set;
    const wallet = set.value && { network: set.value.network, wallet_address: set.value.address };
    return ok({ default_wallet: wallet });
  },
);

/** Undefined: the mode in the path is none. */
function readerOf({ businessId, params }: BusinessCall): Reader | undefined {
  const { mode = '' } = params;
  return isMode(mode) ? { key: { business: { id: businessId }, mode } } : undefined;
}

export const businessRoutes: readonly ConsoleRoute[] = [overview, ...transactionRoutes, defaultWallet];
