// Reads one record that waits for people, with its related records, for a reviewer who must decide.
import type { BankCredit } from '../../domain/records/credit.ts';
import type { Deposit } from '../../domain/records/deposit.ts';
import type { Attempt, Movement } from '../../domain/records/movement.ts';
import type { BankNotice } from '../../domain/records/notice.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import type { Proposal } from '../../domain/review/proposal.ts';
import type { StoredCase } from '../../ports/review-store.ts';
import type { TimelineLine } from '../../ports/store/reads.ts';
import type { ReviewDeps } from './review-deps.ts';

type ReadRecordDeps = Pick<ReviewDeps, 'store' | 'reviewDesk'>;

type ReviewedRecord = Transaction | BankCredit | Deposit | Movement | BankNotice | StoredCase;

export interface RecordWithRelated {
  readonly record: ReviewedRecord;
  readonly credits: readonly BankCredit[];
  readonly deposits: readonly Deposit[];
  readonly movements: readonly Movement[];
  /** The timeline of the transaction, or of the transaction of a case, the oldest line first. */
  readonly timeline: readonly TimelineLine[];
  readonly attempt: Attempt | null;
  readonly proposals: readonly Proposal[];
}

/** Returns undefined if no transaction, credit, deposit, movement, notice or case has this id. */
export async function readRecord(deps: ReadRecordDeps, id: string): Promise<RecordWithRelated | undefined> {
  const { store, reviewDesk } = deps;
  const record = await findRecord(deps, id);
  if (record === undefined) return undefined;
  const about = transactionIdOf(record, id);
  const [credits, deposits, movements, timeline] = await Promise.all([
    about === null ? [] : store.creditsOf([about]),
    about === null ? [] : store.depositsOf([about]),
    about !== null ? store.movementsOf([about]) : id.startsWith('crd_') ? store.movementsOfCredit(id) : [],
    about === null ? [] : store.timeline(about),
  ]);
  const attempt = id.startsWith('mov_') ? (await store.lastAttempts([id])).get(id) : undefined;
  const proposals = await reviewDesk.openProposalsOn(id);
  return { record, credits, deposits, movements, timeline, attempt: attempt ?? null, proposals };
}

function transactionIdOf(record: ReviewedRecord, id: string): string | null {
  if (id.startsWith('txn_')) return id;
  return id.startsWith('cas_') ? (record as StoredCase).transactionId : null;
}

async function findRecord(
  { store, reviewDesk }: ReadRecordDeps,
  id: string,
): Promise<ReviewedRecord | undefined> {
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
    case 'cas_':
      return reviewDesk.caseById(id);
    default:
      return undefined;
  }
}
