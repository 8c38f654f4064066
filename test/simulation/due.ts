// When the next record of a stage's queue is due, by what the store holds. Whoever polls an empty queue finds nothing;
// the simulation leaves such polls out.
import type { State } from '../../src/domain/states.ts';
import type { StageName } from '../../src/workers/settlement-stages.ts';
import type { Tables } from './model/tables.ts';

export const STAGES: readonly StageName[] = [
  'match',
  'confirm',
  'notices',
  'expire',
  'send',
  'pay',
  'follow',
];

const STATES: Partial<Record<StageName, ReadonlySet<State>>> = {
  expire: new Set<State>(['awaiting_wallet', 'awaiting_payment', 'awaiting_deposit']),
  send: new Set<State>(['paid', 'awaiting_trustline']),
  pay: new Set<State>(['deposited']),
};

export function dueAtMs(tables: Tables, stage: StageName): number {
  switch (stage) {
    case 'match':
      return earliest(tables.credits.values());
    case 'confirm':
      return earliest(tables.deposits.values());
    case 'notices':
      return earliest(tables.notices.values());
    case 'follow':
      return earliest(tables.movements.values());
    default: {
      const states = STATES[stage]!;
      let soonest = Number.POSITIVE_INFINITY;
      for (const { dueAtMs, state } of tables.transactions.values())
        if (dueAtMs !== null && dueAtMs < soonest && states.has(state)) soonest = dueAtMs;
      return soonest;
    }
  }
}

function earliest(rows: Iterable<{ readonly dueAtMs: number | null }>): number {
  let soonest = Number.POSITIVE_INFINITY;
  for (const { dueAtMs } of rows) if (dueAtMs !== null && dueAtMs < soonest) soonest = dueAtMs;
  return soonest;
}
