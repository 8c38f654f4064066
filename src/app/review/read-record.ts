// One record that waits for people, with the records beside it: what a reviewer looks at before deciding.

import type { BankCredit } from '../../domain/records/credit.ts';
import type { Deposit } from '../../domain/records/deposit.ts';
import type { Attempt, Movement } from '../../domain/records/movement.ts';
import type { Proposal } from '../../domain/review/proposal.ts';
import type { TimelineLine } from '../../ports/store/reads.ts';
import type { ReviewDeps } from './review-deps.ts';

type Deps = Pick<ReviewDeps, 'store' | 'reviewDesk'>;

export interface RecordWithRest {
  readonly record: object;
  readonly credits: readonly BankCredit[];
  readonly deposits: readonly Deposit[];
  readonly movements: readonly Movement[];
  /** Of a transaction, the oldest line first. */
  readonly timeline: readonly TimelineLine[];
  /** The last one of a movement. */
  readonly attempt: Attempt | null;
  readonly proposals: readonly Proposal[];
}

/** Undefined: there is no transaction, credit, deposit, movement or notice with this id. */
export async function readRecord(deps: Deps, id: string): Promise<RecordWithRest | undefined> {
  const { store, reviewDesk } = deps;
  const record = await findRecord(deps, id);
  if (record === undefined) return undefined;
  const isTransaction = id.startsWith('txn_');
  const [credits, deposits, movements, timeline] = await Promise.all([
    isTransaction ? store.creditsOf([id]) : [],
    isTransaction ? store.depositsOf([id]) : [],
    isTransaction ? store.movementsOf([id]) : id.startsWith('crd_') ? store.movementsOfCredit(id) : [],
    isTransaction ? store.timeline(id) : [],
  ]);
  const attempt = id.startsWith('mov_') ? (await store.lastAttempts([id])).get(id) : undefined;
  const proposals = await reviewDesk.openProposalsOn(id);
  return { record, credits, deposits, movements, timeline, attempt: attempt ?? null, proposals };
}

async function findRecord({ store, reviewDesk }: Deps, id: string): Promise<object | undefined> {
  switch (id.slice(0, 4)) {
    case 'txn_':
      return (await store.transactionsById([id])).get(id);
    case 'crd_':
      return (await store.creditsById([id])).get(id);
    case 'dep_':
      return reviewDesk.depositById(id);
    case 'mov_':
      return store.movementById(id);
    case 'ntc_':
      return reviewDesk.noticeById(id);
    default:
      return undefined;
  }
}
