// Random naira bookings by two people: there are few references and ids, so that statement lines repeat.
import type { BookedAccount, NairaMove } from '../../../../src/domain/records/naira-move.ts';
import { CHARGE_KINDS, NAIRA_MOVE_KINDS } from '../../../../src/domain/records/naira-move.ts';
import { decided } from './drafts.ts';
import { AMOUNTS, idOf, modeOf, type Part, type World } from './world.ts';

const ACCOUNTS: readonly BookedAccount[] = [
  { name: 'bank_out', detail: null },
  { name: 'bank_out', detail: '058:1' },
  { name: 'bank_in', detail: 'p:1' },
];

export function nairaMoveOf(world: World): NairaMove {
  const { random } = world;
  const kind = random.pick(NAIRA_MOVE_KINDS);
  return {
    id: random.chance(0.25) ? idOf(world, 'nai') : `nai_${random.below(2)}`,
    mode: modeOf(world),
    kind,
    charge: kind === 'charge_seen' ? random.pick(CHARGE_KINDS) : null,
    account: random.pick(ACCOUNTS),
    to: kind === 'moved' ? random.pick(ACCOUNTS) : null,
    nairaMinor: random.chance(0.12) ? 0n : random.pick(AMOUNTS),
    day: random.pick(['2026-11-14', '2026-11-15']),
    reference: `line ${random.below(9)}`,
  };
}

export const nairaBooked: Part = (world, draft) => {
  if (draft.decision === undefined) decided(world, draft);
  draft.nairaMove = nairaMoveOf(world);
};
