// The catalogue in memory: read whole, and read again after each NOTIFY, which triggers send inside the commit that changes
// it. It counts as out of date as soon as the listening connection is not known to be alive.
import type { Catalogue, CatalogueSnapshot } from '../../../ports/catalogue.ts';
import { StoreUnavailable } from '../../../ports/store/unavailable.ts';
import type { ConnectionSettings, Database } from '../connection/database.ts';
import { keepListening } from '../connection/listener.ts';
import { readsInTurn } from '../connection/reads-in-turn.ts';
import { readSnapshot } from './rows.ts';

/** What the triggers of migrations/0001_catalogue.sql notify. */
const CHANNEL = 'sliproad_catalogue';

export interface PostgresCatalogue extends Catalogue {
  close(): Promise<void>;
}

export function openCatalogue(
  database: Database,
  connection: ConnectionSettings,
  onError: (error: Error) => void,
): PostgresCatalogue {
  let snapshot: CatalogueSnapshot | undefined;
  let generation = 0;
  /** Notifications received, and how many of them the snapshot includes: it is current only while they are equal. */
  let heard = 0;
  let covered = 0;

  const refresh = readsInTurn(async () => {
    const heardBefore = heard;
    const fresh = await readSnapshot(database, ++generation);
    snapshot = fresh;
    covered = heardBefore;
    return fresh;
  });

  const listener = keepListening({
    channel: CHANNEL,
    connection,
    onUp: refresh,
    onDown: onError,
    onChange: () => {
      heard++;
      refresh().catch(onError);
    },
  });

  return {
    current: () => (listener.alive() && covered === heard ? snapshot : undefined),
    refresh,
    close: () => listener.close(),
  };
}

/** Resolves once what is kept in memory is current; throws when that takes too long. */
export async function untilCurrent(kept: { current(): unknown }, timeoutMs: number): Promise<void> {
  const giveUpAt = performance.now() + timeoutMs;
  while (kept.current() === undefined) {
    if (performance.now() > giveUpAt) {
      throw new StoreUnavailable('the database did not answer in time', { mayHaveActed: false });
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
