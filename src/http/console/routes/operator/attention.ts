// The first page of the operator: the items that need a decision, the most urgent first. This file also has the stream of hints
// about changed pages.
import { Type } from 'typebox';
import type { AttentionPage } from '../../../../app/operations/attention-words.ts';
import { fail, ok } from '../../../../domain/values/result.ts';
import * as schemas from '../../../../renderings/parts/schemas.ts';
import { isoTime, nairaOrNull } from '../../../../renderings/parts/values.ts';
import { modeField, readMode } from '../../operations/queries.ts';
import { type ConsoleRoute, operatorRoute } from '../../route.ts';

const TAG = { method: 'GET', tag: 'Operator' } as const;

const PAGES = [
  ...(['stops', 'treasury', 'rails', 'payouts', 'review', 'proposals', 'cases'] as const),
  ...(['businesses', 'people', 'vendors', 'rates'] as const),
] satisfies readonly AttentionPage[];

const line = schemas.nameSchema(
  'AttentionLine',
  Type.Object({
    kind: Type.String(),
    severity: schemas.oneOf(['critical', 'warning', 'notice']),
    title: Type.String(),
    what: Type.String(),
    count: schemas.nullable(
      Type.Integer({ description: 'Number of records. Null: a single item. 10000: 10000 or more.' }),
    ),
    since: schemas.nullable(schemas.time),
    amount: schemas.nullable(Type.String({ description: 'In naira.' })),
    page: schemas.oneOf(PAGES, { description: 'The page that shows the item.' }),
    tab: schemas.nullable(Type.String()),
  }),
);

export const attentionRoutes: readonly ConsoleRoute[] = [
  operatorRoute(
    'operations.read',
    'several',
    {
      ...TAG,
      path: '/attention',
      name: 'listAttention',
      summary: 'List the items of one mode that need a decision, most urgent first',
      query: Type.Object(modeField),
      answer: { attention: Type.Array(line) },
      refusals: ['filter_invalid'],
    },
    async ({ query, actor }, { readAttention }) => {
      const mode = readMode(query);
      if (!mode.ok) return mode;
      const all = await readAttention({ mode: mode.value, actor });
      return ok({
        attention: all.map(({ kind, severity, title, what, count, sinceMs, amountMinor, page, tab }) => ({
          ...{ kind, severity, title, what, count, page, tab },
          ...{ since: sinceMs === null ? null : isoTime(sinceMs), amount: nairaOrNull(amountMinor) },
        })),
      });
    },
  ),
  operatorRoute(
    'operations.read',
    'nothing',
    {
      ...TAG,
      path: '/stream',
      name: 'streamChanges',
      summary: 'Stream notices that say which page topics have changed; the notices contain no data',
      answer: {},
      sends: {
        contentType: 'text/event-stream',
        description: 'Events named `changed`, at most one per second, each with the topics that changed.',
      },
    },
    async ({ reply, signedIn }, { changeStreams }) => {
      const refused = changeStreams.open(reply, signedIn);
      return refused === undefined ? ok({}) : fail({ code: 'rate_limited', message: refused });
    },
  ),
];
