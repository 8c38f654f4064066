// The catalogue in memory. It is served only while it includes every change that was heard of.
import type { Catalogue } from '../../../ports/catalogue.ts';
import type { ConnectionSettings, Database } from '../connection/database.ts';
import { keepSnapshot } from '../connection/kept-snapshot.ts';
import { readSnapshot } from './rows.ts';

export interface PostgresCatalogue extends Catalogue {
  close(): Promise<void>;
}

export function openCatalogue(
  database: Database,
  connection: ConnectionSettings,
  onError: (error: Error) => void,
): PostgresCatalogue {
  return keepSnapshot({
    // What the triggers of migrations/0001_catalogue.sql notify.
    channel: 'sliproad_catalogue',
    connection,
    read: (generation) => readSnapshot(database, generation),
    concerns: () => true,
    patienceMs: 0,
    onError,
  });
}
