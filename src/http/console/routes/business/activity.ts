// The overview of a business: figures for today and for the last thirty days, items that need an action of the business, and a
// stream of its events.
import { Type } from 'typebox';
import { type Overview, readOverview } from '../../../../app/activity/read-overview.ts';
import { parseStreamQuery } from '../../../../app/events/list-events.ts';
import { scopeOf } from '../../../../app/input/caller.ts';
import { findLiveSession } from '../../../../app/people/sessions.ts';
import { formatDecimal } from '../../../../domain/values/money.ts';
import { fail, ok } from '../../../../domain/values/result.ts';
import type { DayFigures } from '../../../../ports/activity.ts';
import * as schemas from '../../../../renderings/parts/schemas.ts';
import { isoTime } from '../../../../renderings/parts/values.ts';
import type { EventStream } from '../../../streams/event-stream.ts';
import { isRefused, lastEventIdOf, serveStream } from '../../../streams/serve-stream.ts';
import { checkAccess } from '../../access.ts';
import type { ConsoleDeps } from '../../deps.ts';
import { NO_SUCH_RECORD } from '../../refusals.ts';
import { type BusinessCall, businessRoute, type ConsoleRoute } from '../../route.ts';
import { readReader } from './agent.ts';

const GET = { tag: 'Business', method: 'GET' } as const;
const count = Type.Integer();
const naira = Type.String({ description: 'In naira, with two decimals; only completed transactions.' });
const day = schemas.nameSchema(
  'DayFigures',
  Type.Object({
    day: Type.String({ format: 'date', description: 'The day of creation, in Lagos time.' }),
    ...{ buys: count, sells: count, buy_volume: naira, sell_volume: naira },
    ...{ completed: count, open: count, on_hold: count, failed: count, refunded: count, lapsed: count },
  }),
);
const seconds = schemas.nullable(
  Type.Number({ description: 'Seconds from the arrival of the money to the end of the transaction.' }),
);

const dayTimes = schemas.nameSchema(
  'DayTimes',
  Type.Object({
    ...{ day: Type.String({ format: 'date' }), completed: count },
    ...{ p50_seconds: seconds, p95_seconds: seconds },
  }),
);
const waiting = schemas.nameSchema(
  'Waiting',
  Type.Object({
    ...{ awaiting_wallet: count, awaiting_trustline: count, on_hold: count, payout_failed: count },
    ...{ endpoints_disabled: count, deliveries_failed: count },
  }),
);

const overviewRoute = businessRoute(
  'transactions.read',
  {
    ...GET,
    path: '/overview/:mode',
    name: 'getBusinessOverview',
    summary:
      'Read the figures of today and of the last thirty days, and the items that need an action of the business',
    answer: {
      as_of: schemas.time,
      today: day,
      today_median_seconds: seconds,
      days: Type.Array(day),
      durations: Type.Array(dayTimes),
      waiting,
    },
    refusals: ['not_found'],
  },
  async (call, deps) => {
    const reader = readReader(call);
    if (reader === undefined) return fail(NO_SUCH_RECORD);
    return ok(renderOverview(await readOverview({ ...deps, ...deps.activity }, reader)));
  },
);

function renderOverview(shown: Overview) {
  const { asOfMs, today, todayMedianMs, days, durations } = shown;
  return {
    as_of: isoTime(asOfMs),
    today: renderDay(today),
    today_median_seconds: inSeconds(todayMedianMs),
    days: days.map(renderDay),
    durations: durations.map(({ day, completed, p50Ms, p95Ms }) => ({
      ...{ day, completed, p50_seconds: inSeconds(p50Ms), p95_seconds: inSeconds(p95Ms) },
    })),
    waiting: renderWaiting(shown.waiting),
  };
}

function renderWaiting(given: Overview['waiting']): schemas.JsonOf<typeof waiting> {
  return {
    awaiting_wallet: given.awaitingWallet,
    awaiting_trustline: given.awaitingTrustline,
    on_hold: given.onHold,
    payout_failed: given.payoutFailed,
    endpoints_disabled: given.endpointsDisabled,
    deliveries_failed: given.deliveriesFailed,
  };
}

function renderDay({ boughtMinor, soldMinor, onHold, ...figures }: DayFigures): schemas.JsonOf<typeof day> {
  return {
    ...figures,
    buy_volume: formatDecimal(boughtMinor, 2),
    sell_volume: formatDecimal(soldMinor, 2),
    on_hold: onHold,
  };
}

const inSeconds = (ms: number | null): number | null => (ms === null ? null : ms / 1_000);

/** At this interval, the stream checks that the session still exists and may still read the data. */
const LOOK_EVERY_MS = 5_000;

const streamRoute = businessRoute(
  'transactions.read',
  {
    ...GET,
    path: '/stream/:mode',
    name: 'streamBusinessEvents',
    summary: 'Stream the events of one mode as they happen',
    query: Type.Object({
      cursor: Type.Optional(
        Type.String({ description: 'The id of the last event that the client received.' }),
      ),
    }),
    answer: {},
    sends: {
      contentType: 'text/event-stream',
      description:
        'First the events after last-event-id, then new events as they happen. The stream ends when the session ends.',
    },
    refusals: ['cursor_invalid', 'rate_limited', 'unavailable'],
  },
  async (call, deps) => {
    const reader = readReader(call);
    if (reader === undefined) return fail(NO_SUCH_RECORD);
    const { request, reply } = call;
    const asked = parseStreamQuery(call.query, lastEventIdOf(request));
    if (!asked.ok) return asked;
    const { after } = asked.value;
    const served = await serveStream(deps.activity.live, request, reply, {
      holderId: call.signedIn.session.id,
      scope: scopeOf(reader),
      wants: () => true,
      from: after === undefined ? undefined : { after },
    });
    if (isRefused(served)) return fail(served);
    endWithSession(deps, call, served);
    return ok({});
  },
);

/** Ends the stream when the session ends. While the database is unreachable, the stream stays open. */
function endWithSession({ people }: ConsoleDeps, call: BusinessCall, served: EventStream): void {
  const { businessId, signedIn, reply } = call;
  const look = async () => {
    const person = await findLiveSession(people, signedIn.session);
    const mayStill =
      person !== undefined &&
      checkAccess({ business: 'transactions.read' }, person, businessId).kind === 'allowed';
    if (!mayStill) served.end('session_ended');
  };
  const looking = setInterval(() => void look().catch(() => undefined), LOOK_EVERY_MS).unref();
  reply.raw.once('close', () => clearInterval(looking));
}

export const activityRoutes: readonly ConsoleRoute[] = [overviewRoute, streamRoute];
