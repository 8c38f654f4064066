// A process that runs settlement: the real stages on the real networks and the real database, but without the HTTP servers. The
// test kills it from outside at any time, or it kills itself with kill -9 at a given moment.
import { flushCompileCache } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { openCatalogue } from '../../../src/adapters/postgres/catalogue.ts';
import { waitUntilCurrent } from '../../../src/adapters/postgres/connection/kept-snapshot.ts';
import { makeTreasuryGuard } from '../../../src/app/treasury/guard-treasury.ts';
import { makeGuards } from '../../../src/app/treasury/guards.ts';
import { readShortage } from '../../../src/app/treasury/read-treasuries.ts';
import { readConfig } from '../../../src/config.ts';
import { openFoundation } from '../../../src/wire/foundation.ts';
import { openSettlement } from '../../../src/wire/settlement.ts';
import { limitMs } from '../patience.ts';
import { type Moment, watchedNetworks, watchedStore, watchFor } from './moments.ts';

export type Signal = 'settling';

const ENABLE_AGAIN_MS = 500;

async function main(): Promise<void> {
  // The sender exits when its parent has ended, because nothing else would end it.
  process.once('disconnect', () => process.exit(1));
  const config = readConfig(process.env);
  const log = pino({ level: 'warn' }, pino.destination({ dest: 2, sync: true }));
  const moment = JSON.parse(process.env.SENDER_MOMENT ?? 'null') as Moment | null;
  const watch = watchFor(moment, () => process.kill(process.pid, 'SIGKILL'));
  const foundation = await openFoundation(config, log, { networks: 'open' });
  // Providers fail here on purpose, so the sender waits until all of its networks are enabled.
  for (const network of foundation.networks.disabled('test'))
    while ((await foundation.enableNetwork(network)) !== null) await sleep(ENABLE_AGAIN_MS);
  const onError = (error: Error) => log.warn({ err: error }, 'catalogue');
  const catalogue = openCatalogue(foundation.database, foundation.connection, onError);
  await waitUntilCurrent(catalogue, limitMs('condition'));
  const parts = {
    ...foundation,
    networks: watchedNetworks(foundation.networks, watch),
    store: watchedStore(foundation.store, watch),
    catalogue,
    screening: { screen: async () => [] },
    guards: makeGuards(foundation),
    // The sender has no port, and no rail calls it.
    ...{ isListening: () => true, isDraining: () => false },
    guard: makeTreasuryGuard({
      ...foundation,
      shortageOf: (mode, network) => readShortage(foundation, mode, network),
      onTrouble: (message, detail) => log.error(detail, message),
    }),
  };
  await openSettlement(config, parts, log, () => undefined);
  const signal: Signal = 'settling';
  process.send!(signal);
  // The sender stores the compile cache, so that later processes start in half the time.
  flushCompileCache();
}

await main();
