// `npm run kills` runs a sender on the local networks and local banks at full size. It kills the sender with kill -9 at random
// times while the sender pays and while the networks and banks have faults. Progress goes to standard error, figures to
// standard output. Exit code 0 means that every promise was kept, 1 that one was broken, 2 that the command was wrong.
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { run } from 'node:test';
import { parseArgs } from 'node:util';
import { NETWORK_ROWS } from '../src/adapters/networks/registry.ts';
import { FAULT_LEVELS } from '../test/support/network-sender/faults.ts';

const KNOWN = NETWORK_ROWS.map(({ name }) => name);
const NETWORKS_FILE = 'test/faults/network-sender.test.ts';
const BANKS_FILE = 'test/faults/bank-sender.test.ts';
const USAGE = `npm run kills -- [--network ${KNOWN.join('|')}] [--kills 200] [--recipients 2000] [--faults ${FAULT_LEVELS.join('|')}] [--seed S] [--banks]

  --network NAME   only this network; repeat the option for more; default: all networks in one sender
  --kills N        senders killed with kill -9, each restarted immediately
  --recipients N   wallets on each network, and accounts at banks, each paid once
  --faults LEVEL   how many faults the networks have during the run; default: some
  --banks          only the payouts of local banks; without this option, they run after the networks
  --seed S         repeats the moments, faults and pauses of an earlier run`;

interface KillSettings {
  readonly networks: readonly string[];
  readonly kills: number;
  readonly recipients: number;
  readonly faults: string;
  readonly seed: string;
  readonly onlyBanks: boolean;
}

function readSettings(): KillSettings | 'help' {
  const { values } = parseArgs({
    options: {
      network: { type: 'string', multiple: true, default: KNOWN },
      kills: { type: 'string', default: '200' },
      recipients: { type: 'string', default: '2000' },
      faults: { type: 'string', default: 'some' },
      seed: { type: 'string', default: randomBytes(4).toString('hex') },
      banks: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  if (values.seed === '') throw new Error('--seed must not be empty.');
  if (!FAULT_LEVELS.some((level) => level === values.faults))
    throw new Error(`--faults must be one of ${FAULT_LEVELS.join(', ')}, not "${values.faults}".`);
  return {
    networks: [...new Set(values.network.map(canonicalNetworkName))],
    kills: wholeNumber('--kills', values.kills),
    recipients: wholeNumber('--recipients', values.recipients),
    faults: values.faults,
    seed: values.seed,
    onlyBanks: values.banks,
  };
}

function canonicalNetworkName(text: string): string {
  const name = KNOWN.find((each) => each.toLowerCase() === text.toLowerCase());
  if (name !== undefined) return name;
  throw new Error(`--network must be one of ${KNOWN.join(', ')}, not "${text}".`);
}

function wholeNumber(flag: string, text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new Error(`${flag} must be a whole number from 1 to 999999, not "${text}".`);
}

/** Returns whether every promise held. It prints the available figures in both cases. */
async function runKills(
  { networks, kills, recipients, faults, seed, onlyBanks }: KillSettings,
  signal: AbortSignal,
): Promise<boolean> {
  const env = {
    ...process.env,
    SENDER_NETWORKS: networks.join(','),
    SENDER_KILLS: String(kills),
    SENDER_RECIPIENTS: String(recipients),
    SENDER_FAULTS: faults,
    BANK_KILLS: String(kills),
    BANK_PAYOUTS: String(recipients),
    CHAOS_SEED: seed,
    CHAOS_PROGRESS: '1',
  };
  const events = run({
    // The files run one after the other, because each uses the whole machine.
    files: (onlyBanks ? [BANKS_FILE] : [NETWORKS_FILE, BANKS_FILE]).map((file) =>
      path.join(path.dirname(import.meta.dirname), file),
    ),
    concurrency: false,
    env,
    signal,
  });
  let held = false;
  for await (const { type, data } of events) {
    if (type === 'test:stderr') process.stderr.write(data.message);
    // A count without a file name comes from the test runner itself.
    if (type === 'test:diagnostic' && data.file !== undefined) console.log(`  ${data.message}`);
    if (type === 'test:pass' && data.nesting === 1) console.log(`  held: ${data.name}`);
    if (type === 'test:fail') console.log(`  NOT HELD: ${data.name}\n${explain(data.details.error)}`);
    if (type === 'test:summary' && data.file === undefined) held = data.success;
  }
  return held;
}

function explain(error: Error): string {
  const cause = error.cause instanceof Error ? error.cause : error;
  return cause.stack ?? cause.message;
}

function nextSteps({ networks, kills, recipients, faults, seed, onlyBanks }: KillSettings): string {
  const named = onlyBanks ? '--banks' : networks.map((name) => `--network ${name}`).join(' ');
  return (
    "A promise was broken. The wallets, accounts, orders and attempts above show where. The moment of a kill also depends on the machine's speed,\n" +
    'so repeat the run several times, also on one network alone:\n' +
    `  npm run kills -- ${named} --kills ${kills} --recipients ${recipients} --faults ${faults} --seed ${seed}`
  );
}

async function main(): Promise<number> {
  let settings: KillSettings | 'help';
  try {
    settings = readSettings();
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    return 2;
  }
  if (settings === 'help') {
    console.log(USAGE);
    return 0;
  }
  const places = [...(settings.onlyBanks ? [] : settings.networks), 'local banks'];
  console.error(`kill -9 of a sender on ${places.join(', ')}, seed ${settings.seed} …`);
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort());
  const held = await runKills(settings, interrupted.signal);
  if (interrupted.signal.aborted) {
    console.error('Interrupted: there is no result.');
    return 1;
  }
  console.log(held ? 'All promises held.' : nextSteps(settings));
  return held ? 0 : 1;
}

process.exit(await main());
