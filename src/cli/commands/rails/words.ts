// How the command line shows rails as text.
import type { RailOverview } from '../../../app/rails/read-rails.ts';
import { describeRoute } from '../../../domain/back-office/describe-setting.ts';
import { describeUnexplainedPayment, RAIL_STATE_TEXTS } from '../../../domain/rails/rail-texts.ts';
import type { Route } from '../../../domain/rails/settings.ts';
import { formatNaira } from '../../../domain/values/money.ts';
import { isoTimeText } from '../../command.ts';

export const RAIL_HEADINGS = [
  'MODE',
  'RAIL',
  'STATE',
  'SUCCESS',
  'UNKNOWN',
  'P95',
  'USED TODAY',
  'CAP',
  'FREE',
];

export function railRow(reading: RailOverview): readonly string[] {
  const { mode, rail, state, figures, usedMinor, capMinor, freeMinor } = reading;
  return [
    ...[mode, rail, state, percentText(reading), String(figures.unknown), secondsText(figures.p95Ms)],
    ...[formatNaira(usedMinor), capMinor === null ? 'none' : formatNaira(capMinor), formatNaira(freeMinor)],
  ];
}

export function railLines(reading: RailOverview, nowMs: number): readonly string[] {
  const { figures, balance, capMinor, probedAtMs, probeFailure, resumesNotBeforeMs } = reading;
  const { landed, refused, failed, unknown, underWay, p50Ms, p95Ms } = figures;
  const cap = capMinor === null ? 'no cap' : `cap ${formatNaira(capMinor)}`;
  return [
    `${reading.mode} ${reading.rail}: ${RAIL_STATE_TEXTS[reading.state]}.`,
    ...reading.pauses.map(
      ({ actor, reason, sinceMs }) => `Paused since ${isoTimeText(sinceMs)} by ${actor}: ${reason}.`,
    ),
    ...(reading.doubt === null
      ? []
      : [
          `It paid ${reading.doubt.movementId} after refusing it (${isoTimeText(reading.doubt.sinceMs)}), so payouts that it refuses do not go to another rail. To trust it again: bin/sliproad rails trust ${reading.rail} --mode ${reading.mode} --reason TEXT`,
        ]),
    ...(reading.guard?.unexplained ?? []).map((each) => `${describeUnexplainedPayment(each)}.`),
    ...(resumesNotBeforeMs === null
      ? []
      : [
          `The health check resumes it after three successful probes, not before ${isoTimeText(resumesNotBeforeMs)}.`,
        ]),
    `Payouts in the last 15 minutes: ${landed} paid, ${refused} refused, ${failed} failed at the rail, ${unknown} unknown, ${underWay} in progress. Success: ${percentText(reading)}.`,
    `Time to payment: median ${secondsText(p50Ms)}, 95th percentile ${secondsText(p95Ms)}.`,
    probedAtMs === null
      ? 'Not probed yet.'
      : `Last probe ${isoTimeText(probedAtMs)}: ${probeFailure === null ? 'success' : `failure, ${probeFailure}`}.`,
    guardLine(reading, nowMs),
    `Today: ${formatNaira(reading.usedMinor)} used, ${cap}.`,
    `Balance in the ledger: ${formatNaira(reading.freeMinor)} free, ${formatNaira(reading.reservedMinor)} reserved.`,
    balance === null
      ? 'The rail has not reported its balance.'
      : `Balance at the rail: ${formatNaira(balance.minor)}, ${secondsText(nowMs - balance.atMs)} ago.`,
    `Account: ${reading.account ?? 'the simulated bank'}.`,
    ...(reading.routes.length === 0 ? ['Routes: none.'] : reading.routes.map(routeLine)),
  ];
}

function guardLine({ guard, account }: RailOverview, nowMs: number): string {
  if (account === null) return 'The simulated bank has no list of payments to compare.';
  if (guard === null) return 'Its payments have not been compared with our payouts yet.';
  const age = `last compared with our payouts ${secondsText(nowMs - guard.comparedToMs)} ago`;
  return guard.failure === null
    ? `Its payments were ${age}.`
    : `Its payments were ${age}; since then the list could not be read: ${guard.failure}.`;
}

function routeLine(route: Route): string {
  return `Route ${route.id}: ${describeRoute(route)}.`;
}

function percentText({ successPercent }: RailOverview): string {
  return successPercent === null ? '-' : `${successPercent} %`;
}

function secondsText(ms: number | null): string {
  return ms === null ? '-' : `${Math.round(ms / 100) / 10} s`;
}
