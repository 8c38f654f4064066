// Processes the stored events of a rail. The service queries the rail about each event, and only the rail's response counts.
// The line has the same source id as in the statement, so an event and the statement create only one credit. An event about a
// payout triggers a query to the rail.
import { callLeaseMs } from '../../domain/rails/terms.ts';
import type { BankCredit } from '../../domain/records/credit.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { EventSendingRail } from '../../ports/rails/rail.ts';
import type { RailEvent, RailEventQueue, RailEventState } from '../../ports/rails/rail-event-store.ts';
import type { RailEventVerdict } from '../../ports/rails/rail-events.ts';
import type { CreditLine, NoticeLine } from '../../ports/rails/rail-statement.ts';
import { newId, type SettlementDeps } from '../engine/deps.ts';
import { makeLeaseRequest } from '../engine/leases.ts';
import { backOffMs, runEach } from '../engine/retries.ts';
import { recordLines } from './record-lines.ts';

const BATCH = 10;
const LOOK_AGAIN_MS = 2_000;
/** After this many "not found" responses, over more than two hours, a person decides. */
const MAX_LOOKS = 30;

export interface ProcessedRailEvents {
  readonly events: number;
  /** The new credits. The caller holds their leases. */
  readonly credits: readonly BankCredit[];
  readonly notices: number;
  readonly payouts: number;
  readonly more: boolean;
}

type RailEventDeps = SettlementDeps & { readonly railEvents: RailEventQueue };

interface RailEventOutcome {
  readonly state: RailEventState;
  readonly outcome: string;
  readonly looks?: number;
  readonly dueAtMs?: number;
  readonly line?: CreditLine | NoticeLine;
  readonly hastened?: boolean;
}

/**
 * Processes the due events of one rail. If an event fails, its lease stays, and the event is processed again when the lease
 * ends.
 */
export async function processRailEvents(
  deps: RailEventDeps,
  mode: Mode,
  rail: EventSendingRail,
): Promise<ProcessedRailEvents> {
  // The service needs the catalogue to store lines. While the catalogue may be out of date, this throws an error before the
  // service leases an event.
  deps.catalogue();
  // The lease is longer than the rail may take to respond.
  const leaseMs = Math.max(deps.leaseMs, callLeaseMs(rail.terms));
  const leased = await deps.railEvents.lease(
    { mode, rail: rail.name },
    { ...makeLeaseRequest(deps, BATCH), leaseMs },
  );
  if (leased.length === 0) return { events: 0, credits: [], notices: 0, payouts: 0, more: false };
  const { done, rethrow } = await runEach(leased, (event) => verifyEvent(deps, mode, rail, event));
  const lines = done.flatMap(({ outcome: { line } }) => line ?? []);
  // The lines are stored before the events advance. If the process crashes in between, the same lines arrive again and are
  // stored once.
  const credits = lines.length === 0 ? [] : await recordLines(deps, { mode, name: rail.name }, lines);
  for (const { item: event, outcome } of done) await storeOutcome(deps, event, outcome);
  rethrow();
  return {
    events: leased.length,
    credits,
    notices: lines.filter(({ kind }) => kind !== 'credit').length,
    payouts: done.filter(({ outcome: { hastened } }) => hastened).length,
    more: leased.length === BATCH,
  };
}

async function storeOutcome(
  { railEvents, clock }: RailEventDeps,
  event: RailEvent,
  { state, outcome, looks = event.looks, dueAtMs = clock.now() }: RailEventOutcome,
): Promise<void> {
  await railEvents.move(event, { state, outcome, looks, dueAtMs: state === 'open' ? dueAtMs : null });
}

async function verifyEvent(
  deps: RailEventDeps,
  mode: Mode,
  rail: EventSendingRail,
  event: RailEvent,
): Promise<RailEventOutcome> {
  if (event.topic === 'payout') return hasten(deps, event);
  const verified = await rail.events.verify(event.about);
  switch (verified.kind) {
    case 'credit':
      return { state: 'done', outcome: 'credit', line: verified.line };
    case 'reversed':
      return { state: 'done', outcome: 'reversed', line: verified.notice };
    case 'no_value':
      return { state: 'done', outcome: verified.why };
    case 'unknown':
      // The rail did not respond, so this does not count as a check.
      return { state: 'open', outcome: verified.why, dueAtMs: nextTryAtMs(deps, event.tries) };
    case 'not_yet':
    case 'not_found':
      return retryOrReview(deps, mode, rail, event, verified);
  }
}

async function hasten({ railEvents, clock }: RailEventDeps, event: RailEvent): Promise<RailEventOutcome> {
  const { mode, rail, about, isPaid } = event;
  const hastened = await railEvents.hastenPayout({ mode, rail }, about, isPaid === true, clock.now());
  return { state: 'done', outcome: hastened ? 'the rail is asked' : 'nothing to ask about', hastened };
}

function nextTryAtMs(deps: RailEventDeps, tries: number): number {
  return deps.clock.now() + backOffMs(deps, tries, LOOK_AGAIN_MS);
}

async function retryOrReview(
  deps: RailEventDeps,
  mode: Mode,
  rail: EventSendingRail,
  event: RailEvent,
  verified: Extract<RailEventVerdict, { kind: 'not_yet' | 'not_found' }>,
): Promise<RailEventOutcome> {
  const looks = event.looks + 1;
  const why = verified.kind === 'not_yet' ? verified.why : 'the rail does not have the record';
  if (looks < MAX_LOOKS)
    return { state: 'open', outcome: why, looks, dueAtMs: nextTryAtMs(deps, event.tries) };
  if (verified.kind === 'not_found' && (await openNotFoundCase(deps, mode, rail, event)))
    return { state: 'done', outcome: 'a case was opened: the rail no longer finds the credit', looks };
  deps.onTrouble('a rail event names a record that the rail does not have', {
    ...{ event: event.id, mode, rail: rail.name, type: event.type, why },
  });
  return { state: 'review', outcome: why, looks };
}

/**
 * The rail once reported the credit as settled, but no longer finds it. That does not prove a reversal, because responses get
 * lost and rails clear their lists. Nothing is booked, and two people decide. Returns false if there is no such credit, or if
 * people already have a case about it.
 */
async function openNotFoundCase(
  deps: RailEventDeps,
  mode: Mode,
  { name, events }: EventSendingRail,
  { id: event, about }: RailEvent,
): Promise<boolean> {
  if (events.creditNamed === undefined) return false;
  const credit = await deps.store.findCredit(mode, name, events.creditNamed(about));
  // If the credit was reversed, "not found" is the correct response.
  if (credit === undefined || credit.state === 'reversed') return false;
  const { id: creditId, transactionId, amountMinor } = credit;
  const transaction =
    transactionId === null
      ? undefined
      : (await deps.store.transactionsById([transactionId])).get(transactionId);
  const id = newId(deps, 'cas');
  const of = { mode, businessId: transaction?.businessId ?? null, transactionId, creditId };
  const [outcome] = await deps.store.commit([
    {
      atMs: deps.clock.now(),
      openCase: { id, kind: 'credit_not_found', ...of, about: creditId, amountMinor },
    },
  ]);
  if (outcome?.kind !== 'committed') return false;
  deps.onTrouble('a rail no longer finds a settled credit', {
    ...{ case: id, credit: creditId, event, mode, rail: name },
  });
  return true;
}
