// Doubt about what was committed. A commit that waits for a synchronous standby and is cancelled answers success with a
// warning, and a lost answer may have been such a commit: the row is here, and perhaps only here. The rule: from then on
// nothing is answered until a later write was confirmed, because a standby that has it has everything before it.
import type pg from 'pg';
import { StoreUnavailable } from '../../../ports/store/unavailable.ts';

export interface ReplicationDoubt {
  /** An answer was lost that may have been a commit. */
  arise(): void;
  /** Listens for the server's own word that a commit was not waited for to the end. */
  watch(client: pg.ClientBase): void;
  /** Resolves at once while there is no doubt; otherwise when a later write was confirmed. */
  settled(): Promise<void>;
}

/** The place in the server that waits. Its messages are translated, and their SQLSTATE is that of any warning. */
const WAITING_ROUTINE = 'SyncRepWaitForLSN';

/** Writes one record into the log and no row; its commit waits for the standby like any other. */
const LATER_WRITE = `select pg_logical_emit_message(true, 'sliproad', '')`;

export function makeReplicationDoubt(
  withClient: (work: (client: pg.ClientBase) => Promise<void>) => Promise<void>,
): ReplicationDoubt {
  let arisen = 0;
  let settledUpTo = 0;
  let settling: Promise<void> | undefined;

  const settle = async () => {
    const upTo = arisen;
    await withClient(writeLater).catch((error: Error) => {
      // Whatever became of this write: the one in doubt may have acted.
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

async function writeLater(client: pg.ClientBase): Promise<void> {
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
