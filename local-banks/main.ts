// `npm run banks` starts the three local banks, prints how to use them, and stops them on request.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { describeLocalBanks, USAGE } from './help.ts';
import { CannotStartError } from './refuse-taken.ts';
import { type LocalBanks, startLocalBanks } from './start.ts';

const DIRECTORY = '.local-banks';
const BASE_PORT = '8700';
const HIGHEST_PORT = 65_535 - 3;

async function main(): Promise<void> {
  const { dir, basePort, help } = readArguments(process.argv.slice(2));
  if (help) return console.log(USAGE);
  const starting = startLocalBanks({ dir, basePort, charges: true });
  stopOnSignals(starting);
  console.log('Starting three banks …');
  console.log(describeLocalBanks(await starting));
}

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

function stopOnSignals(starting: Promise<LocalBanks>): void {
  let running: LocalBanks | undefined;
  starting.then(
    (banks) => {
      running = banks;
    },
    () => undefined, // reported by main
  );
  let stopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, async () => {
      if (stopping || running === undefined) process.exit(1);
      stopping = true;
      await running.close();
      console.log('\nThe banks are stopped. Started in the same directory, they go on where they were.');
      process.exit(0);
    });
  }
}

main().catch((error: Error) => {
  console.error(error instanceof CannotStartError ? `\n${error.message}\n` : error);
  process.exit(1);
});
