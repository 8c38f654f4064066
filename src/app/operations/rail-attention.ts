// Lists attention items about rails: a rail that gets no payouts or is not trusted, an account that is nearly empty, and rail
// events without a result.
import { successPercent } from '../../domain/rails/health.ts';
import { describeUnexplainedPayment } from '../../domain/rails/rail-texts.ts';
import type { Mode } from '../../domain/values/mode.ts';
import { formatNaira } from '../../domain/values/money.ts';
import { type RailEventReading, type ReadRailEventsDeps, readRailEvents } from '../rails/read-rail-events.ts';
import { type RailOverview, type ReadRailsDeps, readRails } from '../rails/read-rails.ts';
import type { Severity } from './attention-words.ts';

export interface RailAttention {
  readonly kind: 'rail' | 'rail_guard' | 'payout_account' | 'rail_events';
  readonly severity: Severity;
  readonly title: string;
  readonly what: string;
  readonly sinceMs: number | null;
}

const DAY_MS = 24 * 3_600_000;

export async function listRailAttention(
  deps: ReadRailsDeps & ReadRailEventsDeps,
  mode: Mode,
): Promise<readonly RailAttention[]> {
  const [rails, events] = await Promise.all([readRails(deps, mode), readRailEvents(deps, mode)]);
  // While another rail pays, a rail that does not pay is only a warning. If no rail pays, money is blocked.
  const severity: Severity = rails.some(({ state }) => state === 'in_use') ? 'warning' : 'critical';
  const stopped = rails.flatMap((rail): RailAttention[] => {
    const why = describeStop(rail);
    return why === null ? [] : [{ kind: 'rail', severity, ...why }];
  });
  const low = await Promise.all(rails.map((rail) => describeLowBalance(deps, rail)));
  const guarded = rails.flatMap((rail) => describeGuardTroubles(rail, deps.clock.now()));
  return [
    ...stopped,
    ...rails.flatMap(describeDoubt),
    ...guarded,
    ...low.flat(),
    ...events.flatMap(describeEventTroubles),
  ];
}

/** While the service does not trust the refusals of a rail, people must review the payouts that the rail refuses. */
function describeDoubt({ rail, mode, doubt }: RailOverview): readonly RailAttention[] {
  if (doubt === null) return [];
  return [
    {
      ...{ kind: 'rail', severity: 'critical', sinceMs: doubt.sinceMs },
      title: `The rail ${rail} paid a payout that it had refused`,
      what: `The payout was ${doubt.movementId}. From now on, payouts that the rail refuses wait for people. Find the cause, then ${mode === 'live' ? 'two people trust it' : 'trust it'} again: sliproad rails trust ${rail} --mode ${mode} --reason TEXT.`,
    },
  ];
}

function describeEventTroubles({
  rail,
  inReview,
  reviewSinceMs,
  isSilent,
}: RailEventReading): readonly RailAttention[] {
  const silent: RailAttention = {
    ...{ kind: 'rail_events', severity: 'warning', sinceMs: null },
    title: `The rail ${rail} sends no events`,
    what: 'Credits arrived during the last day, but no event announced them. The service finds them later, in the list of the rail. Configure our webhook URL at the provider.',
  };
  const review: RailAttention = {
    ...{ kind: 'rail_events', severity: 'warning', sinceMs: reviewSinceMs },
    title: `Events of the rail ${rail} refer to records that it does not have`,
    what: `${inReview} in all. Nothing was credited. Compare them with the statement of the rail: its secret may have been stolen. To list, retry or close them: sliproad rails events --state review.`,
  };
  return [...(isSilent ? [silent] : []), ...(inReview > 0 ? [review] : [])];
}

/** If the comparison of a guard fails for this long, the guard protects nothing. */
const UNGUARDED_MS = 30 * 60_000;

/** A rail that people paused may have paid more since then. A rail that a guard cannot compare may have made any payment. */
function describeGuardTroubles(
  { rail, state, guard }: RailOverview,
  nowMs: number,
): readonly RailAttention[] {
  if (guard === null || state === 'not_running') return [];
  const { unexplained, failure, failingSinceMs } = guard;
  const [first] = unexplained;
  const found: RailAttention[] =
    first === undefined
      ? []
      : [
          {
            ...{ kind: 'rail_guard', severity: 'critical', sinceMs: first.atMs },
            title: `The rail ${rail} has made unexplained payments`,
            what: `${unexplained.length} in all. ${describeUnexplainedPayment(first)}. Ask the bank, book the payment or recover it, and resume the rail once you know the cause: sliproad rails show ${rail}.`,
          },
        ];
  const isUnguarded = failingSinceMs !== null && nowMs - failingSinceMs >= UNGUARDED_MS;
  if (!isUnguarded) return found;
  return [
    ...found,
    {
      ...{ kind: 'rail_guard', severity: 'warning', sinceMs: failingSinceMs },
      title: `The payments of the rail ${rail} are not compared with our payouts`,
      what: `${failure ?? 'Its list cannot be read'}. A payment that we did not order would go unnoticed.`,
    },
  ];
}

type StopDescription = Pick<RailAttention, 'title' | 'what' | 'sinceMs'>;

function describeStop({
  rail,
  state,
  pauses,
  figures,
  resumesNotBeforeMs,
}: RailOverview): StopDescription | null {
  switch (state) {
    case 'in_use':
    // The operator left this rail out of the routing table. The page about rails shows that.
    case 'without_route':
      return null;
    case 'paused_by_people': {
      const pause = pauses.find(({ byHealth }) => !byHealth)!;
      return { title: `The rail ${rail} is paused`, what: pause.reason, sinceMs: pause.sinceMs };
    }
    case 'paused_by_guard': {
      const pause = pauses.find(({ byHealth }) => !byHealth)!;
      return {
        title: `The rail ${rail} is stopped until someone resumes it`,
        what: pause.reason,
        sinceMs: pause.sinceMs,
      };
    }
    case 'paused_by_health': {
      const pause = pauses[0]!;
      const share = successPercent(figures);
      const rest = share === null ? '' : ` ${share} % of its recent payouts succeeded.`;
      const next = resumesNotBeforeMs === null ? '' : ' It resumes when it answers again.';
      return {
        title: `The rail ${rail} is unhealthy and gets no payouts`,
        what: `${pause.reason}.${rest}${next}`,
        sinceMs: pause.sinceMs,
      };
    }
    case 'not_running':
      return {
        title: `No running process has the rail ${rail} configured`,
        what: 'Its open payouts wait. Configure it again so that it can report their outcome.',
        sinceMs: null,
      };
  }
}

/** The balance of an account is low if its free naira are less than the payouts of the last day. */
async function describeLowBalance(
  { railDesk, clock }: ReadRailsDeps,
  reading: RailOverview,
): Promise<readonly RailAttention[]> {
  const { rail, mode, state, freeMinor } = reading;
  if (state === 'not_running') return [];
  const paidMinor = await railDesk.usedMinor({ mode, rail }, clock.now() - DAY_MS);
  if (freeMinor > 0n && freeMinor >= paidMinor) return [];
  const isEmpty = freeMinor <= 0n;
  return [
    {
      kind: 'payout_account',
      severity: isEmpty ? 'critical' : 'warning',
      title: `The account of the rail ${rail} is ${isEmpty ? 'empty' : 'low'}`,
      what: `${formatNaira(freeMinor)} are free according to the books; ${formatNaira(paidMinor)} were paid from it in the last day. Move naira into it and book them.`,
      sinceMs: null,
    },
  ];
}
