// Follows docs/operate/networks.md literally: a shell runs the commands of its steps in order, on a local chain. The test does
// the other steps of the operator: it sends coin and tokens, and fills in the file.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import pino from 'pino';
import { type LocalEvmChain, startEvmChain } from '../../local-networks/evm/start.ts';
import { reviewCommands } from '../../src/cli/commands/reviews.ts';
import { readConfig } from '../../src/config.ts';
import type { Mode } from '../../src/domain/values/mode.ts';
import { openFoundation } from '../../src/wire/foundation.ts';
import { useIn } from '../support/embedded/used-home.ts';
import { compiledDirOf, type Home, makeHome } from '../support/home.ts';
import { until } from '../support/patience.ts';
import { addReviewers, CHECKER, MAKER } from '../support/people/reviewers.ts';
import { openTestTerminal } from '../support/people/terminal.ts';
import { startProcess } from '../support/process.ts';

const REPOSITORY = path.resolve(import.meta.dirname, '../..');
const CHAIN_ID = 31_337;
const PACE_MS = 100;
const ZERO = `0x${'0'.repeat(40)}`;
const run = promisify(execFile);

const page = readFileSync(path.join(REPOSITORY, 'docs/operate/networks.md'), 'utf8');
const steps = /## Step by step\n(.*?)\n## /s.exec(page)![1]!;
const blocks = [...steps.matchAll(/^ *```sh\n(.*?)```/gms)].map(([, text = '']) =>
  text.replaceAll(/^ +/gm, ''),
);
const [where, keys, copy, setUp, check, start, ownFunds] = blocks as [string, ...string[]];

interface Walk {
  readonly home: Home;
  paste(block: string | undefined): Promise<string>;
}

async function beginWalk(t: TestContext, mode: Mode): Promise<Walk> {
  const made = await makeHome(t);
  const dataDir = path.join(made.root, mode === 'test' ? 'data-testnet' : 'data');
  const home = { ...made, dataDir };
  mkdirSync(path.join(home.root, 'bin'));
  for (const file of ['bin/sliproad', 'networks.example.json'])
    symlinkSync(path.join(REPOSITORY, file), path.join(home.root, file));
  // As the page says, live mode omits a line that is only for test mode.
  const settings = where
    .split('\n')
    .filter((line) => mode === 'test' || !line.includes('# in test mode only'))
    .join('\n');
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, NODE_COMPILE_CACHE: compiledDirOf(home) };
  return {
    home,
    paste: async (block = '') => {
      const here = block.replaceAll('--mode live', `--mode ${mode}`);
      const { stdout } = await run('sh', ['-ec', `${settings}\n${here}`], { cwd: home.root, env });
      return stdout;
    },
  };
}

function fillIn(home: Home, chain: LocalEvmChain, token: string, mode: Mode, contracts: object): void {
  const row = {
    ...{ name: 'Polygon', mode, key: 'treasury', rpc: chain.urls, token, decimals: 6, chain_id: CHAIN_ID },
    kind: 'local',
    ...{ confirmations: 2, final_after_ms: PACE_MS, explorer_tx_url: null, agree_from: 'never' },
    ...{ low_water: { token: '1', native: '0.1' }, signing: { per_transaction: null, per_day: null } },
    ...{ disperse: ZERO, forwarder_factory: ZERO, first_block: 0, max_fee_per_gas_gwei: '500' },
  };
  const file = path.join(home.root, 'networks.json');
  writeFileSync(file, JSON.stringify({ networks: [{ ...row, ...contracts }] }));
}

async function found<Found>(what: string, find: () => Promise<Found | undefined>): Promise<Found> {
  let last: Found | undefined;
  await until(what, async () => {
    last = await find();
    return last !== undefined;
  });
  return last!;
}

async function walk(t: TestContext, mode: Mode): Promise<void> {
  const chain = await startEvmChain({ chainId: CHAIN_ID, blockEveryMs: PACE_MS, finalityBlocks: 2 });
  t.after(() => chain.close());
  const token = (await chain.chain.deployToken({ decimals: 6 })) as `0x${string}`;
  const { home, paste } = await beginWalk(t, mode);
  // In live mode the service has run before with simulated networks, as at the beginning of the README.
  if (mode === 'live') await useIn(t, home);

  const wallet = /0x[0-9a-fA-F]{40}/.exec(await paste(keys))![0] as `0x${string}`;
  await chain.chain.transact(chain.chain.accounts[0]!, { to: wallet, value: 10n ** 19n });
  await paste(copy);
  fillIn(home, chain, token, mode, {});
  const [look, sign] = setUp!.split('\n');
  assert.match(await paste(look), /has 10\.\d+ POL free and must sign:\n- /);
  const first = mode === 'test' ? sign!.replace('--yes', '--yes --new-database') : sign;
  const printed = await paste(first);
  assert.match(printed, /All transactions are final\./);
  const contracts = JSON.parse(`{${/for Polygon \(\w+\): (.*)$/m.exec(printed)![1]}}`) as object;
  fillIn(home, chain, token, mode, contracts);
  await chain.chain.mint(token, wallet, 5_000_000n);
  assert.match(await paste(check), /^Polygon \(\w+\): ok\n/);

  assert.equal(start, 'npm start\n');
  const settings = { NETWORKS_FILE: 'networks.json', SIGNER_PASSPHRASE_FILE: 'passphrase' };
  const service = await startProcess(t, { home, settings });
  const [list, propose, approve, treasury] = ownFunds!.split('\n');
  const deposit = await found('the deposit is seen', async () => /dep_\w+/.exec(await paste(list))?.[0]);
  await inTerminals(home, settings, async (as) => {
    const proposed = await as(MAKER, propose!.replace(/dep_…/, deposit));
    const proposal = /^(\w+): /m.exec(proposed)![1]!;
    assert.match(approve!, new RegExp(` ${proposal.split('_')[0]}_… `), 'the page names it otherwise');
    assert.match(await as(CHECKER, approve!.replace(/\w+_…/, proposal)), /Approved and done/);
  });
  const shown = new RegExp(`Polygon +${mode}|${mode} +Polygon`);
  // On a slow machine a network may not respond in time. The command then continues without that network, so the test runs it
  // again.
  await found('the treasury is shown', async () => shown.exec(await paste(treasury))?.[0]);
  assert.deepEqual(await service.stop(), { code: 0, signal: null });
}

async function inTerminals(
  { root, dataDir }: Home,
  settings: Readonly<Record<string, string>>,
  work: (as: (actor: string, line: string) => Promise<string>) => Promise<void>,
): Promise<void> {
  const NETWORKS_FILE = path.join(root, settings.NETWORKS_FILE!);
  const config = readConfig({ DATA_DIR: dataDir, NETWORKS_FILE });
  const foundation = await openFoundation(config, pino({ level: 'silent' }));
  try {
    await addReviewers(foundation.database);
    await work(async (actor, line) => {
      const words = line.replace(/#.*/, '').trim().split(/ +/).slice(1);
      const command = reviewCommands.find(({ name }) =>
        name.split(' ').every((word, n) => word === words[n]),
      )!;
      const terminal = openTestTerminal(foundation, actor);
      await command.run(terminal, words.slice(command.name.split(' ').length));
      return terminal.printed.join('\n');
    });
  } finally {
    await foundation.close();
  }
}

test('the page has the code blocks that this test runs', () => {
  assert.equal(blocks.length, 7);
});

// Both runs mostly wait for processes and blocks, so they run at the same time.
describe('the commands of the page work', { concurrency: 2 }, () => {
  for (const mode of ['test', 'live'] as const) test(`add a network in ${mode} mode`, (t) => walk(t, mode));
});
