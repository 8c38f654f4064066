// Opens the catalogue and the rates of this process, waits until both are current, and opens their metrics.
import { openCatalogue, type PostgresCatalogue } from '../adapters/postgres/catalogue.ts';
import { waitUntilCurrent } from '../adapters/postgres/connection/kept-snapshot.ts';
import { openRateBoard, type PostgresRateBoard } from '../adapters/postgres/rates/board.ts';
import { type Metrics, makeMetrics } from '../http/metrics.ts';
import type { CatalogueSnapshot } from '../ports/catalogue.ts';
import type { CloseStack } from './close-stack.ts';
import type { Foundation } from './foundation.ts';
import { START_PATIENCE_MS } from './open-database.ts';

export async function openCurrentCatalogue(
  { database, connection }: Foundation,
  closing: CloseStack,
  onError: (error: Error) => void,
): Promise<PostgresCatalogue> {
  const catalogue = openCatalogue(database, connection, onError);
  closing.add(() => catalogue.close());
  await waitUntilCurrent(catalogue, START_PATIENCE_MS);
  return catalogue;
}

export async function openCurrentRates(
  { database, connection }: Foundation,
  closing: CloseStack,
  onError: (error: Error) => void,
): Promise<PostgresRateBoard> {
  const board = openRateBoard(database, connection, onError);
  closing.add(() => board.close());
  await waitUntilCurrent(board, START_PATIENCE_MS);
  return board;
}

/** `current` returns undefined while the catalogue in memory may differ from the database. */
export function makeServiceMetrics(current: () => CatalogueSnapshot | undefined): Metrics {
  return makeMetrics({
    sliproad_catalogue_current: {
      help: '1 while the keys and vendors in memory are known to match the database.',
      read: () => (current() === undefined ? 0 : 1),
    },
    sliproad_movements_paused: {
      help: '1 while money movements are paused, or while it is unknown whether they are paused.',
      read: () => (current()?.movementsPaused === false ? 0 : 1),
    },
  });
}
