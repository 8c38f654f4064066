// `npm run networks` starts the four local networks, prints how to use them, and stops them on request.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { describeFirstSteps, describeLocalNetworks } from './first-steps.ts';
import { CannotStartError } from './refuse-taken.ts';
import { type LocalNetworks, startLocalNetworks } from './start.ts';

const USAGE = `Usage: npm run networks -- [--dir DIRECTORY] [--base-port PORT]

Starts Stellar, Polygon, Solana and Avalanche on this machine, with a test NGNC and a funded treasury on each.

  --dir DIRECTORY   where settings and keys go; .local-networks unless given
  --base-port PORT  the first of nine ports; 8600 unless given`;
const DIRECTORY = '.local-networks';
const BASE_PORT = '8600';
const HIGHEST_PORT = 65_535 - 8;

async function main(): Promise<void> {
  const { dir, basePort, help } = readArguments(process.argv.slice(2));
  if (help) return console.log(USAGE);
  const starting = startLocalNetworks({
    dir,
    basePort,
    onStep: (line) => console.log(`  ${line}`),
  });
  stopOnSignals(starting, dir);
  console.log('Starting four networks …');
  const networks = await starting;
  const data = dataDir(dir, networks);
  console.log(describeLocalNetworks(networks));
  console.log(describeFirstSteps(networks, { dir, data, isUsual: dir === DIRECTORY }));
}

/** Each run has its own chains. Therefore a database with data about these chains is useless for the next run. */
const dataDir = (dir: string, { instance }: LocalNetworks): string => path.join(dir, `data-${instance}`);

function readArguments(args: string[]): { dir: string; basePort: number; help: boolean } {
  const options = {
    dir: { type: 'string', default: DIRECTORY },
    'base-port': { type: 'string', default: BASE_PORT },
    help: { type: 'boolean', default: false },
  } as const;
  try {
    const { dir, 'base-port': given, help } = parseArgs({ args, options }).values;
    const basePort = /^\d{1,5}$/.test(given) ? Number(given) : 0;
    if (basePort < 1 || basePort > HIGHEST_PORT)
      throw new Error(`--base-port must be a number from 1 to ${HIGHEST_PORT}.`);
    return { dir: path.normalize(dir), basePort, help };
  } catch (error) {
    throw new CannotStartError(`${(error as Error).message}\n\n${USAGE}`);
  }
}

/** Everything runs in this process, so its end stops everything. Only the settings must be removed. */
function stopOnSignals(starting: Promise<LocalNetworks>, dir: string): void {
  let running: LocalNetworks | undefined;
  starting.then(
    (networks) => {
      running = networks;
    },
    () => undefined, // reported by main
  );
  let stopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, async () => {
      // Reached by a second signal, or by a signal before anything needs to be removed.
      if (stopping || running === undefined) process.exit(1);
      stopping = true;
      const data = dataDir(dir, running);
      await running.close();
      console.log('\nThe networks are stopped.');
      if (existsSync(data))
        console.log(`The database of this run can no longer be used. To remove it: rm -r ${data}`);
      process.exit(0);
    });
  }
}

main().catch((error: Error) => {
  console.error(error instanceof CannotStartError ? `\n${error.message}\n` : error);
  process.exit(1);
});
