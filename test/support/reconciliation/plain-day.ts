// A day about which nothing is known besides its books and its statement.
import type { ReconciliationFacts } from '../../../src/domain/reconciliation/reconcile.ts';
import { NOTHING_KNOWN } from '../../../src/domain/reconciliation/unlinked-pool.ts';

export const NOTHING_BESIDES = {
  ...NOTHING_KNOWN,
  ...{ ahead: { items: [], rows: [] }, alike: [], elsewhere: new Map(), underWay: [] },
  ...{ withoutRowsSince: null, hasLaterStatement: false },
} as const satisfies Partial<ReconciliationFacts>;
