// Runs the service in this process: reads the configuration, opens both ports and handles signals. `npm start` and `sliproad
// serve` both call this file.
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Config, ConfigError, readConfig, settingWarnings } from './config.ts';
import { type Log, openLog } from './log.ts';
import { announceToLocalBanks } from './wire/local-banks.ts';
import { openService, type Service } from './wire.ts';

export interface ReadyReport {
  readonly address: string;
  readonly otcPort: number;
  readonly sandboxFile: string | null;
}

export interface ServeOptions {
  /** `local` means the networks of `npm run networks`. Any other value is the path of a file, like NETWORKS_FILE. */
  readonly networks?: string | undefined;
  /** `local` means the banks of `npm run banks`. Any other value is the path of a file, like BANKS_FILE. */
  readonly banks?: string | undefined;
  /** Receives the address of the service once the service is ready. By default, the service prints lines for people. */
  readonly onReady?: (serving: ReadyReport) => void;
}

/** Resolves once the service is ready, or after a stop signal. A stop signal also ends the process. */
export async function serve({ networks, banks, onReady }: ServeOptions = {}): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const config = readConfig(applyBanksOption(applyNetworksOption(process.env, networks, banks), banks));
  const log = openLog(config.logLevel, config.secretKeyHeader);
  process.on('exit', () => log.flush());
  for (const warning of settingWarnings(process.env)) log.logger.warn(warning);
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
  if (banks === 'local') await tellLocalBanks(config, log);
  log.logger.info({ address: service.baseUrl, otc_port: config.otcPort }, 'ready');
  log.flush();
  if (onReady === undefined) printStartHelp(service, config);
  else {
    const sandboxFile = service.sandbox?.file ?? null;
    onReady({ address: service.baseUrl, otcPort: config.otcPort, sandboxFile });
  }
}

/** The folder into which `npm run networks` writes its settings and keys. */
const LOCAL_NETWORKS = '.local-networks';

/**
 * A local chain belongs to one mode. It belongs to live mode if the service also uses the local banks, because these are banks
 * of live mode. Otherwise it belongs to test mode.
 */
function applyNetworksOption(
  env: NodeJS.ProcessEnv,
  networks: string | undefined,
  banks: string | undefined,
): NodeJS.ProcessEnv {
  if (networks === undefined) return env;
  if (networks !== 'local') return { ...env, NETWORKS_FILE: networks };
  if (!existsSync(`${LOCAL_NETWORKS}/networks.json`))
    throw new ConfigError(
      'The local networks are not running. Start them in another terminal: npm run networks',
    );
  return {
    ...env,
    NETWORKS_FILE: `${LOCAL_NETWORKS}/${banks === 'local' ? 'live-networks' : 'networks'}.json`,
    SIGNER_KEY_FILE: `${LOCAL_NETWORKS}/signer-keys.json`,
    SIGNER_PASSPHRASE: '',
    SIGNER_PASSPHRASE_FILE: `${LOCAL_NETWORKS}/passphrase`,
  };
}

/** The file into which `npm run banks` writes its settings and secrets. */
const LOCAL_BANKS = '.local-banks/banks.json';

function applyBanksOption(env: NodeJS.ProcessEnv, banks: string | undefined): NodeJS.ProcessEnv {
  if (banks === undefined) return env;
  if (banks !== 'local') return { ...env, BANKS_FILE: banks };
  if (!existsSync(LOCAL_BANKS))
    throw new ConfigError('The local banks are not running. Start them in another terminal: npm run banks');
  return { ...env, BANKS_FILE: LOCAL_BANKS };
}

/** The local banks run on this machine, so they call the service at its local address and not at its public address. */
async function tellLocalBanks({ host, port }: Config, { logger }: Log): Promise<void> {
  const own = /^(?:0\.0\.0\.0|::1?)$/.test(host) ? 'localhost' : host;
  try {
    await announceToLocalBanks(LOCAL_BANKS, `http://${own}:${port}`);
  } catch (error) {
    logger.warn({ err: error }, 'our event address could not be sent to the local banks: restart them');
  }
}

/** Reports a port that is in use before the service sets up anything. */
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

const PEOPLE_PHRASES = ['', ', and of one person', ', and of two people', ', and of three people'] as const;

function printStartHelp(service: Service, config: Config): void {
  const { baseUrl: address } = service;
  if (service.sandbox === null) {
    console.log(
      `\nSliproad is ready at ${address}\n${ratesLine(service)}\nNext, create the first admin: docs/operate/first-day.md\n`,
    );
    return;
  }
  console.log(`
Sliproad is ready at ${address}
Credentials of the sandbox business${PEOPLE_PHRASES[service.sandbox.people.length]}: ${service.sandbox.file}
${ratesLine(service)}

Try it:
  curl -s ${address}/transactions/v1/vendors -H "${config.secretKeyHeader}: ${service.sandbox.testKey}"

People sign in at ${address}/app/sign-in
`);
}

function ratesLine({ rates: { test, live } }: Service): string {
  return `Test mode serves ${test}; live mode serves ${live}.`;
}

/**
 * One listener handles the signals of the whole run. If the service replaced the listener, a signal that arrives in between
 * would be lost.
 */
function stopOnSignals(opening: Promise<Service>, config: Config, log: Log): { readonly asked: boolean } {
  const state = { asked: false, open: false };
  opening.then(
    () => {
      state.open = true;
    },
    () => undefined, // main reports the error
  );
  const stop = async (signal: NodeJS.Signals) => {
    log.logger.info({ signal }, 'stopping');
    const drains = state.open;
    const service = await opening; // an interrupted start would leave the embedded database running
    if (drains) {
      service.beginDraining();
      // Before the port closes, clients on open connections receive their response with "connection: close".
      await sleep(config.drainMs);
    }
    await service.close();
    log.logger.info('stopped');
    log.flush();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      // During the start, the process exits at once in two cases. Without an embedded database there is nothing to clean up. A
      // second signal means that the operator does not want to wait.
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
