// Starts the service and stops it: configuration, both ports, signals.
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Config, ConfigError, readConfig } from './config.ts';
import { type Log, openLog } from './log.ts';
import { isOperatorError, openService, type Service } from './wire.ts';

async function main(): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const config = readConfig(withNetworks(process.env, readArguments(process.argv.slice(2)).networks));
  const log = openLog(config.logLevel, config.secretKeyHeader);
  process.on('exit', () => log.flush());
  await refuseTakenPort(config.host, config.port, 'PORT');
  await refuseTakenPort(config.host, config.otcPort, 'OTC_PORT');
  const opening = openService(config, log);
  const stop = stopOnSignals(opening, config, log);
  const service = await opening;
  if (stop.asked) return;
  try {
    await service.servers.otc.listen({ host: config.host, port: config.otcPort });
    await service.servers.main.listen({ host: config.host, port: config.port });
  } catch (error) {
    await service.close();
    throw error;
  }
  sayWhereToStart(service, config, log);
}

function readArguments(args: readonly string[]): { readonly networks?: string } {
  try {
    return parseArgs({ args: [...args], options: { networks: { type: 'string' } } }).values;
  } catch (error) {
    const { message } = error as Error;
    throw new ConfigError(`${message}\nUsage: npm start [-- --networks local|FILE]`);
  }
}

/** Where `npm run networks` leaves its settings and keys. */
const LOCAL = '.local-networks';

/** `--networks local`: those of `npm run networks`; `--networks FILE`: as NETWORKS_FILE. */
function withNetworks(env: NodeJS.ProcessEnv, networks: string | undefined): NodeJS.ProcessEnv {
  if (networks === undefined) return env;
  if (networks !== 'local') return { ...env, NETWORKS_FILE: networks };
  if (!existsSync(`${LOCAL}/networks.json`))
    throw new ConfigError(
      'The local networks are not running. Start them in another terminal: npm run networks',
    );
  return {
    ...env,
    NETWORKS_FILE: `${LOCAL}/networks.json`,
    SIGNER_KEY_FILE: `${LOCAL}/signer-keys.json`,
    SIGNER_PASSPHRASE: '',
    SIGNER_PASSPHRASE_FILE: `${LOCAL}/passphrase`,
  };
}

/** A port in use is reported before anything is set up. */
async function refuseTakenPort(host: string, port: number, setting: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const why =
        error.code === 'EADDRINUSE'
          ? `Port ${port} is in use. Stop the program that uses it, or set ${setting} to another port.`
          : `Cannot listen on ${host}:${port} (${error.code}). Check HOST and ${setting}.`;
      reject(new ConfigError(why));
    });
    probe.listen({ host, port }, () => probe.close(() => resolve()));
  });
}

function sayWhereToStart(service: Service, config: Config, log: Log): void {
  const { baseUrl: address } = service;
  log.logger.info({ address, otc_port: config.otcPort }, 'ready');
  log.flush();
  if (service.sandbox === null) {
    console.log(
      `\nSliproad is ready at ${address}\nA new installation begins with its first admin: docs/operating.md, The first day\n`,
    );
    return;
  }
  console.log(`
Sliproad is ready at ${address}
Credentials of the sandbox business, and of three people: ${service.sandbox.file}

Try it:
  curl -s ${address}/transactions/v1/vendors -H "${config.secretKeyHeader}: ${service.sandbox.testKey}"

People sign in at ${address}/app/sign-in
`);
}

/** One listener from start to end: a signal that arrives while listeners are replaced would be lost. */
function stopOnSignals(opening: Promise<Service>, config: Config, log: Log): { readonly asked: boolean } {
  const state = { asked: false, open: false };
  opening.then(
    () => {
      state.open = true;
    },
    () => undefined, // main reports it
  );
  const stop = async (signal: NodeJS.Signals) => {
    log.logger.info({ signal }, 'stopping');
    const drains = state.open;
    const service = await opening; // a start that is cut short would leave the embedded database running
    if (drains) {
      service.beginDraining();
      // Clients on open connections get their answer with "connection: close" before listening ends.
      await sleep(config.drainMs);
    }
    await service.close();
    log.logger.info('stopped');
    log.flush();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      // During the start, stop at once: without an embedded database there is nothing to clean up, and a second signal
      // means that the operator does not want to wait.
      if (!state.open && (state.asked || config.databaseUrl !== null)) process.exit(1);
      if (state.asked) return;
      state.asked = true;
      stop(signal).catch((error) => {
        log.logger.error({ err: error }, 'the stop failed');
        log.flush();
        process.exit(1);
      });
    });
  }
  return state;
}

main().catch((error: Error) => {
  const expected = error instanceof ConfigError || isOperatorError(error);
  console.error(expected ? `\n${error.message}\n` : error);
  process.exit(1);
});
