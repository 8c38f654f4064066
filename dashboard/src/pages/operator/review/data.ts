// The review queue as the session API answers it.
import type { Subject } from '../decisions/types.ts';

export interface QueueKind {
  readonly kind: 'credits' | 'transactions' | 'deposits' | 'refunds' | 'notices' | 'quarantined';
  readonly count: number;
  readonly amount: string | null;
  readonly since: string | null;
  readonly records: readonly Subject[];
}
