// The service that the benchmark measures. It runs the servers of the product and additional routes for comparison. It is a
// child process of the benchmark and reports its CPU time.
import { openDatabase } from '../src/adapters/postgres/connection/database.ts';
import { readConfig } from '../src/config.ts';
import { addOnramp } from '../src/http/routes/transactions.ts';
import { openLog } from '../src/log.ts';
import { makeSubmissionDeps } from '../src/wire/features/intake.ts';
import { type OpenFeature, openService } from '../src/wire.ts';
import { addConstant } from './constant-route.ts';
import { plainStore, storeNothing } from './stores.ts';

const config = readConfig(process.env);
const log = openLog(config.logLevel, config.secretKeyHeader);

const compared: OpenFeature = (parts) => {
  const database = openDatabase({
    connection: parts.connection,
    poolSize: config.databasePoolSize,
    answerTimeoutMs: config.databaseTimeoutMs,
    applicationName: 'sliproad-bench',
    onError: () => undefined,
  });
  const { buy } = makeSubmissionDeps(parts);
  return {
    routes: [
      {
        server: 'main',
        add: (app, { authenticate }) => {
          addOnramp(app, '/bench/onramp-stores-nothing', authenticate, { ...buy, store: storeNothing() });
          addOnramp(app, '/bench/onramp-plain', authenticate, { ...buy, store: plainStore(database) });
          addConstant(app);
        },
      },
    ],
    close: () => database.close(),
  };
};

const service = await openService(config, log, { beside: [compared] });
await service.servers.otc.listen({ host: config.host, port: config.otcPort });
await service.servers.main.listen({ host: config.host, port: config.port });
process.on('message', (message) => {
  if (message === 'cpu') process.send?.({ cpu: process.cpuUsage() });
});
process.on('SIGTERM', () => {
  service.close().then(() => process.exit(0));
});
process.send?.({ ready: true });
