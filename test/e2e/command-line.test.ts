// Tests the command line as a script uses it. Every outcome gives one JSON document on standard output, notes on standard
// error, and an exit code. The test runs the commands in docs/operate that can run in a sandbox.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { useIn } from '../support/embedded/used-home.ts';
import { makeHome } from '../support/home.ts';
import { runCommand, startProcess } from '../support/process.ts';

const REPOSITORY = path.resolve(import.meta.dirname, '../..');
const wordsOf = (line: string) => (line.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''));

function operatePages(): string {
  return ['first-day', 'businesses', 'money', 'rates', 'running-networks', 'incidents']
    .map((name) => readFileSync(path.join(REPOSITORY, `docs/operate/${name}.md`), 'utf8'))
    .join('\n');
}

test('exit codes and JSON of the command line', async (t) => {
  const home = await makeHome(t);
  const run = (line: string, settings = {}, input = '') => runCommand(home, wordsOf(line), settings, input);

  await t.test('without a database', async () => {
    const none = await run('vendors list --json');
    assert.deepEqual([none.code, JSON.parse(none.stdout).error.code], [6, 'unreachable']);
    assert.match(none.stderr, /There is no database in .* set DATA_DIR/);
    const dead = {
      DATABASE_URL: 'postgres://127.0.0.1:1/none',
      SECRETS_KEY_FILE: path.join(home.root, 'key'),
    };
    assert.equal((await run('doctor', dead)).code, 1);
    assert.equal((await run('completion bash')).code, 0);
    const wrong = await run('vendors list', { LOG_LEVEL: 'loud' });
    assert.deepEqual([wrong.code, wrong.stdout], [2, '']);
  });

  await useIn(t, home);
  const service = await startProcess(t, { home, settings: { SLIPROAD_PORT: '1' } });
  await t.test('the start warns about a misspelt setting', () => {
    assert.match(
      service.stdout(),
      /SLIPROAD_PORT is set, but Sliproad has no such setting\. Did you mean PORT\?/,
    );
  });

  await t.test('each outcome has its own exit code', async () => {
    const { business_id } = service.sandbox();
    for (const [line, code, word] of [
      ['vendors list extra', 2, 'usage'],
      ['vendors list --jsno', 2, undefined],
      ['vendrs list', 2, 'usage'],
      [`keys add --business ${business_id}`, 2, 'usage'],
      ['keys add --business biz_none --mode test', 3, 'not_found'],
      ['reviews show txn_none', 3, 'not_found'],
      [`keys add --business ${business_id} --mode live`, 4, 'not_allowed'],
      [`freezes lift --business ${business_id} --mode test --reason x`, 5, 'conflict'],
    ] as const) {
      const ended = await run(`${line} ${word === undefined ? '' : '--json'}`);
      assert.equal(ended.code, code, `${line}: ${ended.stderr}`);
      assert.notEqual(ended.stderr, '', line);
      if (word !== undefined) assert.equal(JSON.parse(ended.stdout).error.code, word, line);
    }
    const listed = await run('vendors list --json');
    assert.deepEqual([listed.code, listed.stderr], [0, '']);
    assert.equal(typeof JSON.parse(listed.stdout).vendors[0].vendor_id, 'string');
    const plain = await run('vendors list', { FORCE_COLOR: '1' });
    assert.ok(!plain.stdout.includes('\u001b'), 'no colour when the output is not a terminal');
    const well = await run('doctor --json');
    assert.deepEqual([well.code, JSON.parse(well.stdout).problems], [0, 0], well.stdout);
  });

  await t.test('docs/operate: the commands on its pages can be copied and run', async () => {
    const { business_id } = service.sandbox();
    const page = operatePages();
    const lines = [...page.matchAll(/```sh\n(.*?)```/gs)]
      .flatMap(([, block = '']) => block.replaceAll(/\\\n\s*/g, ' ').split('\n'))
      .filter((line) => /^bin\/sliproad (businesses|keys add|rates|fees|limits|ledger|halts)/.test(line))
      .map((line) => line.replace(/^bin\/sliproad /, '').replace(/\s#.*/, ''))
      // In test mode one person is enough to decide. Records of the sandbox replace the placeholders of the page.
      .map((line) => line.replace('--mode live', '--mode test').replace(/biz_…/, business_id))
      .filter((line) => !line.includes('…'));
    assert.ok(lines.length >= 12, String(lines.length));
    for (const line of lines) {
      const { code, stderr } = await run(line);
      assert.equal(code, 0, `${line}: ${stderr}`);
    }
  });
});
