// The reconciled days of our bank accounts: the list of days, one day with the ledger and the bank statement next to each
// other, and a run on request.
import { Type } from 'typebox';
import {
  compareDay,
  lastWholeDay,
  listAccountsToReconcile,
  reconcileAccount,
} from '../../../../app/reconciliation/reconcile-account.ts';
import { RECONCILED_DAY_STATES } from '../../../../domain/reconciliation/reconcile.ts';
import { parseDay } from '../../../../domain/values/calendar.ts';
import { isMode, type Mode } from '../../../../domain/values/mode.ts';
import { fail, ok, type Result } from '../../../../domain/values/result.ts';
import type { ReconciledDayFilter } from '../../../../ports/reconciliation.ts';
import * as schemas from '../../../../renderings/parts/schemas.ts';
import { nairaText } from '../../../../renderings/parts/values.ts';
import {
  differenceShape,
  linkShape,
  reconciledDayShape,
  renderDifference,
  renderLink,
  renderReconciledDay,
} from '../../../../renderings/reconciliation.ts';
import { type ConsoleRefusal, NO_SUCH_RECORD } from '../../refusals.ts';
import { type ConsoleRoute, operatorRoute } from '../../route.ts';

const GET = { method: 'GET', tag: 'Reconciliation' } as const;
const text = Type.String();
const PAGE = { default: 50, max: 100 } as const;
/**
 * The route shows at most this number of links between ledger and bank, because more would be too many for a person to read.
 */
const MOST_LINKS = 500;
/** One request may ask for at most this number of days of an account. For more days, the page sends several requests. */
const MOST_DAYS = 31;
const ACCOUNT = /^[\w-]{1,40}:\d{1,20}$/;

type ReconciliationQuery = Readonly<Record<string, unknown>>;

function filterOf(mode: Mode, query: ReconciliationQuery): Result<ReconciledDayFilter, ConsoleRefusal> {
  const { account, from, to, state, cursor, limit = String(PAGE.default) } = query;
  const wrong = (message: string) => fail({ code: 'filter_invalid', message } as const);
  if (account !== undefined && (typeof account !== 'string' || !ACCOUNT.test(account)))
    return wrong('account must be a bank account such as 058:0123456789.');
  for (const [name, value] of Object.entries({ from, to }))
    if (value !== undefined && (typeof value !== 'string' || parseDay(value) === undefined))
      return wrong(`${name} must be a day such as 2026-11-16.`);
  const known = RECONCILED_DAY_STATES.find((each) => each === state);
  if (state !== undefined && known === undefined)
    return wrong(`state must be one of ${RECONCILED_DAY_STATES.join(', ')}.`);
  if (typeof limit !== 'string' || !/^[1-9]\d{0,2}$/.test(limit) || Number(limit) > PAGE.max)
    return wrong(`limit must be 1 to ${PAGE.max}.`);
  const after = parseDayCursor(cursor);
  if (after === undefined)
    return fail({ code: 'cursor_invalid', message: 'cursor must be a next_cursor from an earlier answer.' });
  return ok({
    ...{ mode, after, state: known ?? null, limit: Number(limit) + 1 },
    ...{ account: (account as string | undefined) ?? null, from: (from as string | undefined) ?? null },
    to: (to as string | undefined) ?? null,
  });
}

/** Parses a cursor such as `2026-11-16 058:0123456789`; undefined if the text is not one of our cursors. */
function parseDayCursor(cursor: unknown): ReconciledDayFilter['after'] | undefined {
  if (cursor === undefined) return null;
  const [day = '', account = ''] = typeof cursor === 'string' ? cursor.split(' ') : [];
  return parseDay(day) !== undefined && ACCOUNT.test(account) ? { day, account } : undefined;
}

const listRoute = operatorRoute(
  'operations.read',
  'nothing',
  {
    ...GET,
    path: '/reconciliation/:mode',
    name: 'listReconciledDays',
    summary: 'List reconciled days of our bank accounts, newest first',
    query: Type.Object({
      account: Type.Optional(text),
      from: Type.Optional(text),
      to: Type.Optional(text),
      state: Type.Optional(schemas.oneOf(RECONCILED_DAY_STATES)),
      cursor: Type.Optional(text),
      limit: Type.Optional(Type.String({ description: `1 to ${PAGE.max}; default: ${PAGE.default}.` })),
    }),
    answer: {
      days: Type.Array(reconciledDayShape),
      accounts: Type.Array(Type.Object({ account: text, vendor: schemas.nullable(text) })),
      last_whole_day: text,
      thresholds: Type.Object({ individual: text, corporate: text }),
      next_cursor: schemas.nullable(text),
    },
    refusals: ['not_found', 'filter_invalid', 'cursor_invalid'],
  },
  async ({ params: { mode = '' }, query }, { reconciliation, thresholds, clock }) => {
    if (!isMode(mode)) return fail(NO_SUCH_RECORD);
    const filter = filterOf(mode, query);
    if (!filter.ok) return filter;
    const found = await reconciliation.list(filter.value);
    const shown = found.slice(0, filter.value.limit - 1);
    const last = shown.at(-1);
    const accounts = await reconciliation.accounts(mode);
    return ok({
      days: shown.map(renderReconciledDay),
      accounts: accounts.map(({ account, vendor }) => ({ account, vendor })),
      last_whole_day: lastWholeDay(clock.now()),
      thresholds: {
        individual: nairaText(thresholds.individualMinor),
        corporate: nairaText(thresholds.corporateMinor),
      },
      next_cursor: found.length > shown.length && last !== undefined ? `${last.day} ${last.account}` : null,
    });
  },
);

const readRoute = operatorRoute(
  'operations.read',
  'several',
  {
    ...GET,
    path: '/reconciliation/:mode/:bank_account/:day',
    name: 'getReconciledDay',
    summary: 'Read a reconciled day: its differences, and the records of both sides next to each other',
    answer: {
      day: reconciledDayShape,
      differences: Type.Array(differenceShape),
      links: Type.Array(linkShape),
      links_left_out: Type.Integer({
        description: `Number of records that are not shown: at most ${MOST_LINKS} are shown.`,
      }),
    },
    refusals: ['not_found'],
  },
  async ({ params: { mode = '', bank_account: account = '', day = '' } }, deps) => {
    const { reconciliation } = deps;
    if (!isMode(mode) || !ACCOUNT.test(account) || parseDay(day) === undefined) return fail(NO_SUCH_RECORD);
    const of = { mode, account, day };
    const found = await reconciliation.find(of);
    if (found === undefined) return fail(NO_SUCH_RECORD);
    const { links } = await compareDay(deps, of);
    return ok({
      day: renderReconciledDay(found),
      differences: (await reconciliation.differences(of)).map(renderDifference),
      links: links.slice(0, MOST_LINKS).map(renderLink),
      links_left_out: Math.max(0, links.length - MOST_LINKS),
    });
  },
);

const runRoute = operatorRoute(
  'reconciliation.run',
  'nothing',
  {
    method: 'POST',
    tag: 'Reconciliation',
    path: '/reconciliation/:mode/runs',
    name: 'runReconciliation',
    summary: 'Reconcile all due days now, up to the last complete day; repeat the request while more is true',
    body: Type.Object({
      account: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 61,
          description: 'one bank account; left out: all accounts.',
        }),
      ),
    }),
    answer: {
      days: Type.Integer(),
      opened: Type.Integer({ description: 'Number of cases that were opened.' }),
      resolved: Type.Integer({ description: 'Number of cases whose difference no longer exists.' }),
      more: Type.Boolean(),
    },
    refusals: ['not_found'],
  },
  async ({ params: { mode = '' }, body: { account } }, deps) => {
    if (!isMode(mode)) return fail(NO_SUCH_RECORD);
    const chosen =
      account === undefined
        ? await listAccountsToReconcile(deps, [mode])
        : (await deps.reconciliation.accounts(mode)).filter((each) => each.account === account);
    if (account !== undefined && chosen.length === 0) return fail(NO_SUCH_RECORD);
    const sum = { days: 0, opened: 0, resolved: 0, more: false };
    const through = lastWholeDay(deps.clock.now());
    for (const of of chosen) {
      const { results, opened, resolved, isWhole } = await reconcileAccount(deps, of, through, {
        mostDays: MOST_DAYS,
      });
      sum.days += results.length;
      sum.opened += opened;
      sum.resolved += resolved;
      sum.more ||= !isWhole;
    }
    return ok(sum);
  },
);

export const reconciliationRoutes: readonly ConsoleRoute[] = [listRoute, readRoute, runRoute];
