// What people decide about an event that the rail never confirmed: the rail is asked again, or the event is closed. Neither
// gives value: only an answer of the rail does. A live event takes a person who is signed in.
import { type ReviewRefusal, refuse } from '../../domain/review/proposal.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import type { Doing } from '../../ports/back-office.ts';
import type { Clock } from '../../ports/clock.ts';
import type { EventDesk, StoredEvent } from '../../ports/rails/event-desk.ts';
import { checkPerson, checkReason } from '../back-office/check-decision.ts';

export interface DecideEventDeps {
  readonly eventDesk: EventDesk;
  readonly clock: Clock;
  readonly actor: string;
}

type Decided = Promise<Result<StoredEvent, ReviewRefusal>>;

export function tryEventAgain(deps: DecideEventDeps, id: string): Decided {
  return decide(deps, id, (doing) => deps.eventDesk.tryAgain(id, doing));
}

export async function closeEvent(deps: DecideEventDeps, id: string, text: string): Decided {
  const reason = checkReason(text);
  if (!reason.ok) return reason;
  return decide(deps, id, (doing) => deps.eventDesk.close(id, reason.value, doing));
}

async function decide(
  { eventDesk, clock, actor }: DecideEventDeps,
  id: string,
  write: (doing: Doing) => Promise<boolean>,
): Decided {
  const event = await eventDesk.find(id);
  if (event === undefined) return refuse('not_found', `There is no event ${id}.`);
  const person = event.mode === 'live' ? checkPerson(actor) : ok(actor);
  if (!person.ok) return person;
  if (!(await write({ actor, atMs: clock.now() }))) {
    const { state } = (await eventDesk.find(id)) ?? event;
    return refuse('not_possible', `Only an event in review can be decided about. ${id} is ${state}.`);
  }
  return ok((await eventDesk.find(id)) ?? event);
}
