// Tracks doubt about commits. When a commit that waits for a synchronous standby is cancelled, PostgreSQL reports success with
// a warning. A lost response of the server may also belong to such a commit. Then the row may exist on this server only. From
// then on, the service returns no result until a later write is confirmed. A standby that has the later write has everything
// before it.
import type pg from 'pg';
import { StoreUnavailable } from '../../../ports/store/store.ts';

export interface ReplicationDoubt {
  /** The caller must call this when the response to a possible commit was lost. */
  arise(): void;
  /** Listens for the warning with which the server reports that it did not wait for the standby. */
  watch(client: pg.ClientBase): void;
  /** Resolves at once while there is no doubt about a commit. Otherwise resolves when a later write is confirmed. */
  settled(): Promise<void>;
}

/**
 * The function in the PostgreSQL server that waits for the standby. The code recognizes the warning by this name, because the
 * text of the warning is translated and its SQLSTATE is not specific.
 */
const WAITING_ROUTINE = 'SyncRepWaitForLSN';

/**
 * This statement writes a record into the write-ahead log and no row. Its commit waits for the standby like any other commit.
 */
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
      // Even if this later write failed, the doubtful commit may have been executed.
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
