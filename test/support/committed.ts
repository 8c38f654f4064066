// Set-up by a commit: a refused commit would silently change what the test proves.
import assert from 'node:assert/strict';
import type { Change } from '../../src/domain/records/change.ts';
import type { Store } from '../../src/ports/store/store.ts';

/** Commits changes, all of which must be stored. */
export async function commitAll(store: Pick<Store, 'commit'>, changes: readonly Change[]): Promise<void> {
  const outcomes = await store.commit(changes);
  assert.deepEqual(
    outcomes,
    changes.map(() => ({ kind: 'committed' })),
  );
}
