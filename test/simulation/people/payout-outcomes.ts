// Plays what the operator's staff do with payouts whose outcome the rail does not report. They ask the bank and wait until no
// order can still arrive; then two of them record the outcome. Unlike their other work, this continues until the end of a seed.
import { proposeReview } from '../../../src/app/review/propose-review.ts';
import { needsPeople } from '../../../src/domain/movements/outcome-memory.ts';
import type { UnknownPayout } from '../../../src/ports/review-store.ts';
import { type Dice, makeDice } from '../../support/dice.ts';
import { expected } from '../world/faults.ts';
import type { Machine } from '../world/gate.ts';
import { isMade, type PaidRow } from '../world/rails/options.ts';
import type { Setting } from '../world/setting.ts';
import { decide, FIRST } from './people.ts';

const LOOK_MS = [60_000, 240_000] as const;
/** The bank's own books are complete this long after the order. */
const BOOKS_COMPLETE_MS = 900_000;
const WAKE_MS = 2_000;

export function startPayoutOutcomes(setting: Setting, machines: readonly Machine[], untilMs: number): void {
  const { agenda, broken } = setting;
  const dice = makeDice(`${setting.seed} payout outcomes`);
  const look = () => {
    if (agenda.now() > untilMs) return;
    const up = machines.filter((machine) => machine.up);
    if (up.length > 0)
      record(setting, dice.pick(up), dice).catch((error: Error) => {
        if (!expected(error)) broken('no use-case fails by itself', `an outcome: ${error.stack}`, null);
      });
    agenda.at(agenda.now() + dice.between(...LOOK_MS), look);
  };
  agenda.at(agenda.now() + dice.between(...LOOK_MS), look);
}

async function record(setting: Setting, machine: Machine, dice: Dice): Promise<void> {
  const { tale } = setting;
  const waiting = (await machine.review.reviewDesk.unknownPayouts(machine.review.clock.now(), 20)).filter(
    (payout) => isForPeople(setting, payout),
  );
  if (waiting.length === 0) return;
  const payout = dice.pick(waiting);
  const action = wasPaid(setting, payout) ? 'paid' : 'unpaid';
  const request = { action, subjectId: payout.id, detail: {} } as const;
  const proposed = await proposeReview(machine.review, { ...request, actor: FIRST });
  if (!proposed.ok) return;
  const given = { proposalId: proposed.value.id, approve: true, reason: 'the bank says so in writing' };
  const result = await decide(setting, machine, given);
  // The process must wake up, because this may be the only work left.
  machine.wake(WAKE_MS);
  if (tale.wanted)
    tale.line('people', `record ${payout.id} as ${action}: ${result.ok ? 'done' : result.error.code}`);
}

function isForPeople({ agenda }: Setting, { tried }: UnknownPayout): boolean {
  const last = tried.at(-1);
  return last !== undefined && needsPeople(last) && last.atMs < agenda.now() - BOOKS_COMPLETE_MS;
}

/** Whether the books of the rail contain the payment, whatever the rail returns to a query. */
function wasPaid({ outside }: Setting, { tried }: UnknownPayout): boolean {
  const { rail, reference } = tried.at(-1)!;
  const { payouts, late, returned } = outside.happened;
  const count = (rows: readonly PaidRow[]) =>
    rows.filter((row) => row.rail === rail && row.reference === reference).length;
  return count(payouts.filter(isMade)) + count(late) > count(returned);
}
