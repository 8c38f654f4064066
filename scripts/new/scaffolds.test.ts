// Tests every scaffold, created by the command in a copy of the repository. It compiles, the checks pass, the product finds it,
// it cannot move money, and its contract test runs.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { findCircles } from '../checks/circles.ts';
import { findUpwardImports } from '../checks/folder-order.ts';
import { listForbiddenNames } from '../checks/forbidden-names.ts';
import { findLayerBreaks } from '../checks/layer-breaks.ts';
import { findLongFunctions } from '../checks/long-functions.ts';
import { findFullFolders, findLongFiles } from '../checks/sizes.ts';
import { findUnclearWords } from '../checks/words.ts';
import { openScratch } from '../mutants/scratch.ts';
import { filterFiles } from '../tests/plan-shares.ts';

const scratch = openScratch(path.dirname(path.dirname(import.meta.dirname)));
after(() => scratch.close());
const { root } = scratch;

/**
 * Each kind has two scaffolds, so that the second is registered next to the first. The longest names cause line breaks, and a
 * name with an early letter is sorted first.
 */
const MADE = {
  rail: ['acme-pay', 'a-bank-with-a-name-of-thirty-c'],
  'network-family': ['acme-chain', 'zebra'],
  page: ['vault', 'business/vault'],
  'rate-source': ['acme-rates', 'a-quote'],
} as const;

function run(name: string, ...args: readonly string[]) {
  const file = name === 'node' ? process.execPath : path.join(root, 'node_modules', '.bin', name);
  // Without this, a test that a test starts would report to its parent.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(file, args, { cwd: root, encoding: 'utf8', env });
  return { status, said: stdout + stderr };
}

const passes = (...[name, ...args]: Parameters<typeof run>) => {
  const { status, said } = run(name, ...args);
  assert.equal(status, 0, said);
};

function asked(code: string): unknown {
  const file = path.join(root, 'question.ts');
  writeFileSync(file, code);
  const { status, said } = run('node', 'question.ts');
  assert.equal(status, 0, said);
  return JSON.parse(said);
}

const made = Object.entries(MADE).flatMap(([kind, names]) =>
  names.map((name) => ({ kind, name, ...run('node', 'scripts/new.ts', kind, name) })),
);

test('the command prints the created files, the registrations, the page to read and the test to run', () => {
  for (const { kind, name, status, said } of made) {
    assert.equal(status, 0, said);
    const files = said.slice(0, said.indexOf('Registered:')).match(/^ {2}\S+$/gm)!;
    for (const file of files) assert.ok(existsSync(path.join(root, file.trim())), `${kind} ${name}: ${file}`);
    const [page] = /docs\/[a-z/-]+\.md/.exec(said)!;
    assert.ok(existsSync(path.join(root, page)), page);
    const patterns = /npm test -- ([^.\n]+)\./.exec(said)![1]!.split(' ');
    const found = filterFiles(globSync('{src,test}/**/*.test.ts', { cwd: root }), patterns);
    assert.ok(
      found.some((file) => files.includes(`  ${file}`)),
      `${kind} ${name}: ${patterns}`,
    );
  }
});

test('everything compiles', () => passes('tsc', '--noEmit', '-p', '.'));
test('the dashboard compiles', () => passes('tsc', '--noEmit', '-p', 'dashboard'));
test('Biome reports nothing', () =>
  passes('biome', 'ci', '--error-on-warnings', 'src', 'test', 'dashboard/src'));
test('there is no dead code', () => passes('knip'));

test('layers, order, cycles, sizes and words pass the checks', async () => {
  const found = [
    findLayerBreaks(root, listForbiddenNames()),
    ...[findUpwardImports, findCircles, findLongFunctions, findLongFiles, findFullFolders].map((find) =>
      find(root),
    ),
    await findUnclearWords(root),
  ];
  assert.deepEqual(found.flat(), []);
});

describe('the product finds the new code', () => {
  test('a new rail is a kind in BANKS_FILE, and the service refuses to start with it and says why', () => {
    const rails = [
      {
        ...{ mode: 'live', kind: 'acme-pay', name: 'acme', options: { base_url: 'https://acme.example' } },
        account: { bank_code: 'guaranty-trust-bank', number: '1234567890' },
      },
    ];
    writeFileSync(path.join(root, 'banks.json'), JSON.stringify({ rails }));
    const said = asked(`
      import { loadBankDirectory } from './src/adapters/catalogue/bank-directory.ts';
      import { RAIL_KINDS } from './src/adapters/rails/registry.ts';
      import { readBanksFile } from './src/adapters/rails/settings/banks-file.ts';
      const source = { location: 'banks.json', variables: () => undefined, kinds: RAIL_KINDS, directory: loadBankDirectory() };
      let refusal = '';
      try { readBanksFile(source); } catch (error) { refusal = error.message; }
      console.log(JSON.stringify([[...RAIL_KINDS.keys()], refusal]));`) as [string[], string];
    assert.deepEqual(said[0].slice(-2), MADE.rail);
    assert.match(
      said[1],
      /rails\[0\]\.options\.base_url cannot be used: rails of the kind acme-pay are not written yet/,
    );
  });

  test('a rail without an implementation reaches no bank, sends nothing and returns only unknown', () => {
    const answers = asked(`
      import { openAcmePay } from './src/adapters/rails/acme-pay/rail.ts';
      const { payouts } = openAcmePay({ mode: 'live', name: 'acme', account: {} }, {});
      console.log(JSON.stringify([payouts.reaches('guaranty-trust-bank'), (await payouts.pay({})).kind,
        (await payouts.ask('r')).kind, (await payouts.enquireName({})).kind, (await payouts.balance()).kind]));`);
    assert.deepEqual(answers, [false, 'not_sent', 'unknown', 'unknown', 'unknown']);
  });

  test('a new family is accepted in NETWORKS_FILE; its addresses, opening a network and setting it up are refused', () => {
    const answers = asked(`
      import { FAMILY_FIELDS } from './src/adapters/networks/settings/families.ts';
      import { walletAddressSchema } from './src/adapters/networks/settings/values.ts';
      import { SettingsProblems } from './src/adapters/settings-problems.ts';
      import { readBySchema } from './src/adapters/settings-reader.ts';
      import { openNetwork } from './src/wire/networks/open-network.ts';
      import { openAcmeChainSetUp } from './src/adapters/networks/acme-chain/set-up.ts';
      const settings = { name: 'Acme', family: 'acme-chain', rpc: [] };
      const address = new SettingsProblems().at('token');
      readBySchema(walletAddressSchema(settings), 'some address', address);
      const says = (work) => Promise.resolve().then(work).then(() => 'nothing', ({ message }) => message);
      console.log(JSON.stringify([Object.keys(FAMILY_FIELDS), address.found[0],
        await says(() => openNetwork(settings, {})), await says(() => openAcmeChainSetUp(settings, {}))]));`);
    const refusal = 'Acme: networks of the family acme-chain are not written yet.';
    const address =
      'token must be an address on Acme (This is not a valid Acme address: addresses of the family acme-chain cannot be read yet).';
    assert.deepEqual(answers, [
      ['evm', 'solana', 'stellar', ...MADE['network-family']],
      ...[address, refusal, refusal],
    ]);
  });

  test('a new source is a kind in RATES_FILE and returns no rate', () => {
    const answers = asked(`
      import { SOURCE_KINDS } from './src/adapters/rates/kinds.ts';
      let code = '';
      try { SOURCE_KINDS.get('acme_rates').parse({ text: '{"rate":"1"}' }); } catch (error) { code = error.code; }
      console.log(JSON.stringify([[...SOURCE_KINDS.keys()].slice(-2), code]));`);
    assert.deepEqual(answers, [['acme_rates', 'a_quote'], 'unreadable']);
    passes('node', '--test', 'src/adapters/rates/kinds.test.ts');
  });

  test('a new page is in the router, and the test that opens every page finds it', () => {
    const answers = asked(`
      import { BUSINESS_PAGES, OPERATOR_PAGES } from './test/support/browser/pages.ts';
      console.log(JSON.stringify([OPERATOR_PAGES.at(-1), BUSINESS_PAGES.at(-1)]));`);
    assert.deepEqual(answers, ['/vault', '/vault']);
  });
});

test('the contract tests run the suite of their port and fail until the adapter is written', () => {
  for (const [file, words] of [
    ['test/contract/acme-pay/acme-pay.test.ts', /not ok \d+ - a payout is made once/],
    [
      'test/contract/acme-chain/acme-chain-network.test.ts',
      /networks of the family acme-chain are not written yet/,
    ],
    ['test/contract/rates/acme-rates.test.ts', /The reader of the kind acme_rates is not written yet/],
  ] as const) {
    const { status, said } = run('node', '--test', '--test-reporter=tap', file);
    assert.equal(status, 1, said);
    assert.match(said, words);
  }
});

test('a name that now exists is refused, and nothing changes', () => {
  const registry = () => readFileSync(path.join(root, 'src/adapters/rails/registry.ts'), 'utf8');
  const before = registry();
  const { status, said } = run('node', 'scripts/new.ts', 'rail', 'acme-pay');
  assert.deepEqual([status, registry()], [2, before]);
  assert.match(said, /The name is taken: src\/adapters\/rails\/acme-pay exists/);
});
