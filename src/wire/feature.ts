// Defines a feature of the service: its routes, its loops and its cleanup. To add a feature, write a file in features/ and add
// it to the list in wire.ts.
import type { Logger } from 'pino';
import type { PostgresRateBoard } from '../adapters/postgres/rates/board.ts';
import type { RailsEnabled } from '../app/input/caller.ts';
import type { TreasuryGuard } from '../app/treasury/guard-treasury.ts';
import type { WebhookDeps } from '../app/webhooks/webhook-deps.ts';
import type { Config } from '../config.ts';
import type { Metrics } from '../http/metrics.ts';
import type { ServerRoutes } from '../http/servers.ts';
import type { StreamDeps } from '../http/streams/serve-stream.ts';
import type { Catalogue } from '../ports/catalogue.ts';
import type { Guards } from '../ports/operations/guards.ts';
import type { Loop } from '../workers/loop.ts';
import { type CloseStack, closeTogether, makeCloseStack } from './close-stack.ts';
import type { Foundation } from './foundation.ts';
import type { PublicUrls } from './public-urls.ts';
import type { Signals } from './signals.ts';

export interface Feature {
  readonly routes?: readonly ServerRoutes[];
  /** After the servers are closed, these loops stop together with the loops of all features. */
  readonly loops?: readonly Loop[];
  /** The service calls this after all loops have stopped. The store, the catalogue and the database are then still open. */
  readonly close?: () => Promise<void>;
}

export type OpenFeature = (parts: ServiceParts) => Feature | Promise<Feature>;

/** The parts that all features share. Each part is built once. */
export interface ServiceParts extends Omit<Foundation, 'close'> {
  readonly config: Config;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly catalogue: Catalogue;
  readonly rateBoard: PostgresRateBoard;
  readonly guard: TreasuryGuard;
  readonly guards: Guards;
  readonly signals: Signals;
  readonly webhooks: WebhookDeps;
  readonly live: StreamDeps;
  readonly rails: RailsEnabled;
  readonly urls: PublicUrls;
  readonly version: string;
  /** The path of the sandbox credentials; null if the operator provides the database. */
  readonly sandboxPath: string | null;
  readonly isDraining: () => boolean;
  /**
   * Returns whether rails can reach this service. A rail that asks for approval before it pays must not get a payout while the
   * service cannot respond.
   */
  readonly isListening: () => boolean;
  readonly onError: (error: Error) => void;
}

/** Opens the features in order. If one feature fails to open, `closing` closes the features that were opened before it. */
export async function openFeatures(
  features: readonly OpenFeature[],
  parts: ServiceParts,
  closing: CloseStack,
): Promise<readonly ServerRoutes[]> {
  const opened: Feature[] = [];
  closing.add(() => closeFeatures(opened));
  for (const open of features) opened.push(await open(parts));
  return opened.flatMap(({ routes = [] }) => routes);
}

async function closeFeatures(features: readonly Feature[]): Promise<void> {
  const closing = makeCloseStack();
  for (const { close } of features) if (close !== undefined) closing.add(close);
  const loops = features.flatMap((feature) => feature.loops ?? []);
  closing.add(() => closeTogether(loops.map((loop) => () => loop.stop())));
  await closing.close();
}
