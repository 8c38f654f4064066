// Setting something up with a commit: one that is refused would quietly change what the test is about.
import assert from 'node:assert/strict';
import type { Change } from '../../src/domain/records/change.ts';
import type { Store } from '../../src/ports/store/store.ts';

/** Commits changes, every one of which has to be stored. */
export async function commitAll(store: Pick<Store, 'commit'>, changes: readonly Change[]): Promise<void> {
  const outcomes = await store.commit(changes);
  assert.deepEqual(
    outcomes,
    changes.map(() => ({ kind: 'committed' })),
  );
}
