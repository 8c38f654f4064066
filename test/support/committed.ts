// Prepares a test with a commit: if the commit were refused unnoticed, the test would prove something else.
import assert from 'node:assert/strict';
import type { Change } from '../../src/domain/records/change.ts';
import type { Store } from '../../src/ports/store/store.ts';

/** Commits changes and checks that all of them were stored. */
export async function commitAll(store: Pick<Store, 'commit'>, changes: readonly Change[]): Promise<void> {
  const outcomes = await store.commit(changes);
  assert.deepEqual(
    outcomes,
    changes.map(() => ({ kind: 'committed' })),
  );
}
