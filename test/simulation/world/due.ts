// Finds when the next record in each stage's queue is due, according to the store. The simulation leaves out polls of an empty
// queue, because such polls find nothing.
import type { TransactionState } from '../../../src/domain/records/states.ts';
import type { StageName } from '../../../src/workers/settlement-stages.ts';
import type { Tables } from '../model/tables.ts';

export const STAGES: readonly StageName[] = [
  'match',
  'confirm',
  'notices',
  'reports',
  'expire',
  'send',
  'pay',
  'follow',
];

const STAGE_OF: Partial<Record<TransactionState, StageName>> = {
  awaiting_wallet: 'expire',
  awaiting_payment: 'expire',
  awaiting_deposit: 'expire',
  paid: 'send',
  awaiting_trustline: 'send',
  deposited: 'pay',
};

export type DueTimes = Readonly<Record<StageName, number>>;

/** Infinity means that no record in the queue has a due time. */
export function dueTimes({ transactions, credits, deposits, notices, reports, movements }: Tables): DueTimes {
  const due = {
    match: earliest(credits.values()),
    confirm: earliest(deposits.values()),
    notices: earliest(notices.values()),
    reports: earliest(reports.values()),
    follow: earliest(movements.values()),
    expire: Number.POSITIVE_INFINITY,
    send: Number.POSITIVE_INFINITY,
    pay: Number.POSITIVE_INFINITY,
  };
  for (const { dueAtMs, state } of transactions.values()) {
    const stage = dueAtMs === null ? undefined : STAGE_OF[state];
    if (stage !== undefined && dueAtMs! < due[stage]) due[stage] = dueAtMs!;
  }
  return due;
}

function earliest(rows: Iterable<{ readonly dueAtMs: number | null }>): number {
  let soonest = Number.POSITIVE_INFINITY;
  for (const { dueAtMs } of rows) if (dueAtMs !== null && dueAtMs < soonest) soonest = dueAtMs;
  return soonest;
}
