// Renders a rail, a row of the routing table, and a proposal about rails.
import { Type } from 'typebox';
import type { RailOverview } from '../app/rails/read-rails.ts';
import { describeSetting } from '../domain/back-office/describe-setting.ts';
import type { SettingProposal } from '../domain/back-office/setting.ts';
import type { BankDirectory } from '../domain/catalogue/banks.ts';
import { describeUnexplainedPayment, RAIL_STATE_TEXTS, type RailState } from '../domain/rails/rail-texts.ts';
import type { Route } from '../domain/rails/settings.ts';
import * as schemas from './parts/schemas.ts';
import { isoTime, nairaOrNull, nairaText } from './parts/values.ts';

const text = Type.String();
const maybe = schemas.nullable;
const amount = Type.String({ description: 'In naira, for example "15000.00".' });
const count = Type.Integer();

const pause = schemas.nameSchema(
  'RailPause',
  Type.Object({
    by_health: Type.Boolean({ description: 'The health check paused the rail and will end the pause.' }),
    ...{ actor: text, name: maybe(text), reason: text, since: schemas.time },
  }),
);
export const railShape = schemas.nameSchema(
  'Rail',
  Type.Object({
    mode: schemas.mode,
    rail: text,
    account: maybe(
      Type.Object(
        { bank: text, number: text },
        { description: 'The account that it pays from; null: the simulated bank.' },
      ),
    ),
    state: schemas.oneOf(Object.keys(RAIL_STATE_TEXTS) as RailState[]),
    what: Type.String({ description: 'What its state means.' }),
    pauses: Type.Array(pause),
    doubt: maybe(
      Type.Object(
        { payout_id: text, since: schemas.time },
        {
          description:
            'The rail paid this payout after it had refused it. Until people trust the rail again, its refusals move no payout to another rail.',
        },
      ),
    ),
    guard: maybe(
      Type.Object(
        {
          compared_to: schemas.time,
          failure: maybe(Type.String({ description: 'Why its payments cannot be compared now.' })),
          unexplained: Type.Array(
            Type.Object({
              payment: text,
              reference: maybe(text),
              amount: maybe(amount),
              what: text,
              at: schemas.time,
            }),
            {
              description:
                'Payments that no payout of ours explains. They are closed when people resume the rail.',
            },
          ),
        },
        { description: 'Its payments, compared with our payouts; null: not compared yet.' },
      ),
    ),
    success_percent: maybe(Type.Integer({ description: 'Null: there were no attempts to judge.' })),
    attempts: Type.Object(
      { landed: count, refused: count, failed: count, unknown: count, under_way: count },
      { description: 'In the last 15 minutes, or since the rail was resumed.' },
    ),
    latency_ms: Type.Object({ p50: maybe(Type.Number()), p95: maybe(Type.Number()) }),
    probed_at: maybe(schemas.time),
    probe_failure: maybe(text),
    resumes_not_before: maybe(schemas.time),
    books: Type.Object({ free: amount, reserved: amount, balance: amount }),
    said: maybe(Type.Object({ balance: amount, at: schemas.time })),
    cap: maybe(amount),
    used_today: amount,
  }),
);

export const routeShape = schemas.nameSchema(
  'Route',
  Type.Object({
    ...{ mode: schemas.mode, route_id: count, rail: text, priority: count, weight: count },
    min_amount: maybe(amount),
    max_amount: maybe(amount),
    banks: maybe(Type.Array(schemas.bank, { description: 'Null: every bank.' })),
    cost: maybe(amount),
    enabled: Type.Boolean(),
  }),
);

export const proposalShape = schemas.nameSchema(
  'RailProposal',
  Type.Object({
    ...{ proposal_id: text, setting: text, what: text, proposed_by_name: text },
    proposed_at: schemas.time,
    rail: maybe(text),
    route_id: maybe(count),
  }),
);

type Names = ReadonlyMap<string, string>;

export function renderRail(
  reading: RailOverview,
  names: Names,
  banks: BankDirectory,
): schemas.JsonOf<typeof railShape> {
  const { figures, balance, freeMinor, reservedMinor, state } = reading;
  const { landed, refused, failed, unknown, underWay } = figures;
  const timeOrNull = (atMs: number | null) => (atMs === null ? null : isoTime(atMs));
  return {
    ...{ mode: reading.mode, rail: reading.rail, state, what: RAIL_STATE_TEXTS[state] },
    account: reading.account === null ? null : renderAccount(reading.account, banks),
    pauses: reading.pauses.map(({ byHealth, actor, reason, sinceMs }) => ({
      ...{ by_health: byHealth, actor, name: names.get(actor) ?? null, reason, since: isoTime(sinceMs) },
    })),
    doubt: reading.doubt && {
      ...{ payout_id: reading.doubt.movementId, since: isoTime(reading.doubt.sinceMs) },
    },
    guard: renderGuard(reading),
    success_percent: reading.successPercent,
    attempts: { landed, refused, failed, unknown, under_way: underWay },
    latency_ms: { p50: figures.p50Ms, p95: figures.p95Ms },
    probed_at: timeOrNull(reading.probedAtMs),
    probe_failure: reading.probeFailure,
    resumes_not_before: timeOrNull(reading.resumesNotBeforeMs),
    books: {
      ...{ free: nairaText(freeMinor), reserved: nairaText(reservedMinor) },
      balance: nairaText(freeMinor + reservedMinor),
    },
    said: balance && { balance: nairaText(balance.minor), at: isoTime(balance.atMs) },
    cap: nairaOrNull(reading.capMinor),
    used_today: nairaText(reading.usedMinor),
  };
}

function renderGuard({ guard }: RailOverview) {
  return (
    guard && {
      ...{ compared_to: isoTime(guard.comparedToMs), failure: guard.failure },
      unexplained: guard.unexplained.map((each) => ({
        ...{ payment: each.payment, reference: each.reference, amount: nairaOrNull(each.amountMinor) },
        ...{ what: describeUnexplainedPayment(each), at: isoTime(each.atMs) },
      })),
    }
  );
}

/** The parameter `account` is a text such as `providus-bank:5400000018`. */
function renderAccount(account: string, banks: BankDirectory) {
  const [code = '', number = ''] = account.split(':');
  return { bank: banks.resolve(code)?.name ?? code, number };
}

export function renderRoute(given: Route, banks: BankDirectory): schemas.JsonOf<typeof routeShape> {
  const { mode, id, rail, priority, weight, enabled } = given;
  return {
    ...{ mode, route_id: id, rail, priority, weight, enabled },
    min_amount: nairaOrNull(given.minMinor),
    max_amount: nairaOrNull(given.maxMinor),
    banks: given.bankCodes?.map((code) => ({ code, name: banks.resolve(code)?.name ?? code })) ?? null,
    cost: nairaOrNull(given.costMinor),
  };
}

export function renderRailProposal(
  { id, request, proposedBy, proposedAtMs }: SettingProposal,
  names: Names,
): schemas.JsonOf<typeof proposalShape> {
  const changed = request.setting === 'rail_route_set' ? request.route : null;
  const removed = request.setting === 'rail_route_removed' ? request.routeId : null;
  return {
    ...{ proposal_id: id, setting: request.setting, what: describeSetting(request) },
    proposed_by_name: names.get(proposedBy) ?? proposedBy,
    proposed_at: isoTime(proposedAtMs),
    rail: 'rail' in request ? request.rail : (changed?.rail ?? null),
    route_id: changed?.id ?? removed,
  };
}
