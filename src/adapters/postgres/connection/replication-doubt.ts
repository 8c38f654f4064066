// Doubt about a commit. When a commit that waits for a synchronous standby is cancelled, PostgreSQL reports success with a
// warning. An answer that was lost may also belong to such a commit. Then the row may exist on this server only. The rule: from
// then on no result is returned until a later write is confirmed, because a standby that has that write has everything before it.
import type pg from 'pg';
import { StoreUnavailable } from '../../../ports/store/store.ts';

export interface ReplicationDoubt {
  /** Must be called when the answer to a possible commit was lost. */
  arise(): void;
  /** Listens for the server's warning that it did not wait for the standby. */
  watch(client: pg.ClientBase): void;
  /** Resolves at once while there is no doubt; otherwise when a later write is confirmed. */
  settled(): Promise<void>;
}

/**
 * The function in the server that waits for the standby. It identifies the warning: the text of the warning is translated, and
 * its SQLSTATE is not specific.
 */
const WAITING_ROUTINE = 'SyncRepWaitForLSN';

/** Writes one record into the write-ahead log, but no row; its commit waits for the standby like any other. */
const LATER_WRITE = `select pg_logical_emit_message(true, 'sliproad', '')`;

export function makeReplicationDoubt(
  withClient: (work: (client: pg.ClientBase) => Promise<void>) => Promise<void>,
): ReplicationDoubt {
  let arisen = 0;
  let settledUpTo = 0;
  let settling: Promise<void> | undefined;

  const settle = async () => {
    const upTo = arisen;
    await withClient(confirmByLaterWrite).catch((error: Error) => {
      // No matter what happened to this write, the doubtful commit may have been executed.
      throw new StoreUnavailable(error.message, { cause: error, mayHaveActed: true });
    });
    settledUpTo = upTo;
  };
  return {
    arise: () => {
      arisen++;
    },
    watch: (client) =>
      client.on('notice', (notice) => {
        if (notice.routine === WAITING_ROUTINE) arisen++;
      }),
    settled: async () => {
      while (settledUpTo < arisen) {
        settling ??= settle().finally(() => {
          settling = undefined;
        });
        await settling;
      }
    },
  };
}

async function confirmByLaterWrite(client: pg.ClientBase): Promise<void> {
  let cancelled = false;
  const listen = ({ routine }: { routine: string | undefined }) => {
    cancelled ||= routine === WAITING_ROUTINE;
  };
  client.on('notice', listen);
  try {
    await client.query(LATER_WRITE);
  } finally {
    client.off('notice', listen);
  }
  if (cancelled) throw new Error('The wait for the synchronous standby was cancelled.');
}
