// Makes random attempts: new attempts, some with a sequence number that is already used, and outcomes of existing attempts.
import type { Attempt } from '../../../../src/domain/records/movement.ts';
import { anyOf, attemptOf, type Draft, type Part, type World } from './world.ts';

export const attemptWritten: Part = (world, draft) => {
  const next = (world.random.chance(0.45) ? movedOn(world) : undefined) ?? added(world, draft);
  const others = draft.attempts ?? [];
  if (next === undefined || others.some((each) => each.movementId === next.movementId && each.no === next.no))
    return;
  draft.attempts = [...others, next];
};

function added(world: World, draft: Draft): Attempt | undefined {
  const { random, tables } = world;
  const fresh = draft.newMovements?.[0];
  const of = fresh !== undefined && random.chance(0.7) ? fresh : anyOf(world, tables.movements);
  if (of === undefined) return undefined;
  const last = tables.attempts.get(of.id)?.at(-1)?.no ?? 0;
  return { ...attemptOf(world, of, last + 1), ...placeOfAnother(world) };
}

function placeOfAnother({ random, tables }: World): Partial<Attempt> {
  const all = [...tables.attempts.values()].flat();
  const numbered = all.filter(({ network, source, sequence }) => network && source && sequence);
  if (numbered.length === 0 || random.chance(0.5)) return {};
  const { mode, network, source, sequence } = random.pick(numbered);
  return { mode, network, rail: null, source, sequence };
}

/** The stored bytes of an attempt never change, even if a later change contains other bytes. */
function movedOn(world: World): Attempt | undefined {
  const { random, tables, nowMs } = world;
  const attempts = anyOf(world, tables.attempts);
  if (attempts === undefined) return undefined;
  const state = random.pick([
    'prepared',
    'accepted',
    'unknown',
    'landed',
    'failed',
    'dead',
    'dead',
    'rejected',
  ] as const);
  const evidence = random.pick([null, { block: 8 }]);
  return { ...random.pick(attempts), state, evidence, updatedAtMs: nowMs, payload: 'other bytes' };
}
