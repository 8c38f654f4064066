// Lets people decide about a rail event that the rail never confirmed: query the rail again, or close the event. Neither
// decision credits money; only a response of the rail does. An event of live mode needs a signed-in person.
import { type ReviewRefusal, refuse } from '../../domain/review/proposal.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import type { AuditStamp } from '../../ports/back-office.ts';
import type { Clock } from '../../ports/clock.ts';
import type { RailEventStore, StoredRailEvent } from '../../ports/rails/rail-event-store.ts';
import { checkPerson, checkReason } from '../back-office/check-decision.ts';

export interface DecideRailEventDeps {
  readonly eventDesk: RailEventStore;
  readonly clock: Clock;
  readonly actor: string;
}

type EventDecisionResult = Promise<Result<StoredRailEvent, ReviewRefusal>>;

export function retryRailEvent(deps: DecideRailEventDeps, id: string): EventDecisionResult {
  return decideRailEvent(deps, id, (doing) => deps.eventDesk.tryAgain(id, doing));
}

export async function closeRailEvent(
  deps: DecideRailEventDeps,
  id: string,
  text: string,
): EventDecisionResult {
  const reason = checkReason(text);
  if (!reason.ok) return reason;
  return decideRailEvent(deps, id, (doing) => deps.eventDesk.close(id, reason.value, doing));
}

async function decideRailEvent(
  { eventDesk, clock, actor }: DecideRailEventDeps,
  id: string,
  write: (doing: AuditStamp) => Promise<boolean>,
): EventDecisionResult {
  const event = await eventDesk.find(id);
  if (event === undefined) return refuse('not_found', `There is no event ${id}.`);
  const person = event.mode === 'live' ? checkPerson(actor) : ok(actor);
  if (!person.ok) return person;
  if (!(await write({ actor, atMs: clock.now() }))) {
    const { state } = (await eventDesk.find(id)) ?? event;
    return refuse('not_possible', `Only an event in review can be retried or closed. ${id} is ${state}.`);
  }
  return ok((await eventDesk.find(id)) ?? event);
}
