// Tests docs/operate/going-live.md and the lines about local banks. The npm commands exist and accept their options, the page's
// names of local banks and chains are correct, and every step can be undone. commands.test.ts tests the bin/sliproad lines of
// the page.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { USAGE } from '../../local-banks/help.ts';
import { startLocalBanks } from '../../local-banks/start.ts';
import { environmentOf, networkFilesIn } from '../../local-networks/settings.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { readArguments } from '../../src/cli/terminal/options.ts';

const REPOSITORY = path.resolve(import.meta.dirname, '../..');
const read = (name: string) => readFileSync(path.join(REPOSITORY, name), 'utf8');
const PAGES = [
  ...['README.md', 'CONTRIBUTING.md'],
  ...readdirSync(path.join(REPOSITORY, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const page = read('docs/operate/going-live.md');
const dir = mkdtempSync(path.join(tmpdir(), 'sliproad-going-live-'));
after(() => rmSync(dir, { recursive: true }));

test('every npm command in the docs exists in package.json', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const named = PAGES.flatMap((name) =>
    [...read(name).matchAll(/\bnpm run ([a-z][\w-]*)/g)].map(([, script = '']) => `${name} ${script}`),
  );
  assert.ok(named.includes('README.md banks') && named.includes('docs/operate/going-live.md banks'));
  assert.deepEqual(
    named.filter((each) => scripts[each.split(' ')[1]!] === undefined),
    [],
  );
});

test('npm start and sliproad serve accept the options that the docs use', () => {
  const given = PAGES.flatMap((name) =>
    [...read(name).matchAll(/npm start -- ((?:--[a-z]+ [\w.]+ ?)+)/g)].map(([, options = '']) =>
      options.trim(),
    ),
  );
  assert.ok(given.includes('--banks local --networks local'));
  const serve = COMMANDS.find(({ name }) => name === 'serve')!;
  const [, usage = ''] = /Usage: npm start (.*?)`/.exec(read('src/main.ts')) ?? [];
  for (const options of given) {
    readArguments(options.split(' '), serve);
    for (const [option] of options.matchAll(/--[a-z]+/g)) assert.ok(usage.includes(`${option} local|FILE`));
  }
});

test('npm run banks accepts the options that the docs use', () => {
  const given = PAGES.flatMap((name) => [...read(name).matchAll(/npm run banks -- (--[a-z-]+)/g)]);
  assert.ok(given.length > 0);
  for (const [, option = ''] of given) assert.ok(option === '--help' || USAGE.includes(option), option);
});

test('the rehearsal page names the accounts and files of the local banks and chains', async () => {
  const banks = await startLocalBanks({ dir: path.join(dir, '.local-banks') });
  await banks.close();
  const [providus] = banks.rails;
  const rehearsal = page.slice(page.indexOf('## Rehearsal on this machine'));
  assert.ok(rehearsal.includes(`--number ${banks.paystack.account.number} --bank "Wema Bank"`));
  assert.ok(rehearsal.includes(`--account providus-bank:${providus!.account.number}`));
  const chains = environmentOf(networkFilesIn('.local-networks'), 'live');
  for (const [name, value] of Object.entries({ ...chains, BANKS_FILE: '.local-banks/banks.json' }))
    assert.ok(rehearsal.includes(`${name}=${value}`), name);
});

test('every step before the first payout has an action and a way to undo it', () => {
  const steps = page.split(/^## /m).filter((section) => /^\d\. /.test(section));
  assert.equal(steps.length, 9);
  for (const step of steps.slice(0, 7)) {
    assert.match(step, /^Way back: /m, step.slice(0, 40));
    assert.match(step, /^- \[ \] /m, step.slice(0, 40));
    assert.match(step, /```sh\n/, step.slice(0, 40));
  }
});
