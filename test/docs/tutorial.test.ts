// Follows docs/start/tutorial.md step by step in a new directory. The test runs every command, saves every file, and compares
// the output with the output on the page. Only the ports differ, and the SDK package is built from a copy.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { installPacked } from '../../sdk/test/support/packed.ts';
import { FAST } from '../e2e/calls.ts';
import { freePort, makeHome } from '../support/home.ts';
import { until } from '../support/patience.ts';
import { startProcess } from '../support/process.ts';
import { readSteps, type Step, shows, withoutVarying } from '../support/tutorial/page.ts';
import { openShell, type Program, startProgram } from '../support/tutorial/terminals.ts';

const REPOSITORY = path.resolve(import.meta.dirname, '../..');
const INSTALL = `# Terminal 3
mkdir ../shop
npm pack --silent --workspace sdk --pack-destination ../shop
cd ../shop
npm init -y
npm install ./sliproad-sdk-0.2.0.tgz
`;
const INTERRUPTED = 130;

const page = readFileSync(path.join(REPOSITORY, 'docs/start/tutorial.md'), 'utf8');
const project = await installPacked();

async function setUp(t: TestContext) {
  const home = await makeHome(t);
  const clone = path.join(home.root, 'sliproad');
  mkdirSync(path.join(clone, 'bin'), { recursive: true });
  symlinkSync(path.join(REPOSITORY, 'bin/sliproad'), path.join(clone, 'bin/sliproad'));
  symlinkSync(home.dataDir, path.join(clone, 'data'));
  symlinkSync(project.dir, path.join(home.root, 'shop'));
  const env = {
    PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`,
    HOME: process.env.HOME,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? path.join(home.root, 'compiled'),
  };
  const receiverPort = await freePort();
  const here = (text: string) =>
    text.replaceAll(/\b4000\b/g, String(home.port)).replaceAll(/\b3000\b/g, String(receiverPort));
  return { home, here, clone: { cwd: clone, env }, shop: { cwd: path.join(home.root, 'shop'), env } };
}

/**
 * The test compares the lines in any order: programs print at different times, and webhooks may arrive in a different order.
 */
async function see(program: Program, { terminal, text }: Extract<Step, { kind: 'see' }>): Promise<void> {
  const lines = (all: string) => withoutVarying(all).split('\n').sort().join('\n');
  const seen = () =>
    terminal === 3 ? lines(program.printed()) === lines(text) : shows(program.printed(), text);
  await until(`terminal ${terminal} shows\n${text}\n`, seen).catch((error: Error) => {
    throw new Error(`${error.message}It shows\n${program.printed()}`);
  });
  program.forget();
}

test('the tutorial works without changes', async (t) => {
  const { home, here, clone, shop } = await setUp(t);
  const service = await startProcess(t, { home, settings: FAST });
  const shell = openShell(t, clone);
  const programs = new Map<number, Program>();
  let last = '';
  const run = async (terminal: number, commands: string) => {
    if (terminal === 1) return assert.equal(commands, '# Terminal 1\nnpm start\n');
    if (commands === INSTALL) return;
    if (terminal === 2) {
      const { printed, code } = await shell.run(commands.replaceAll('curl -s', 'curl -s --fail-with-body'));
      assert.equal(code, 0, `${commands}${printed}`);
      last = printed;
      return;
    }
    await programs.get(terminal)?.interrupt();
    programs.set(terminal, startProgram(t, commands, terminal === 3 ? shop : clone));
  };
  for (const step of readSteps(here(page))) {
    if (step.kind === 'run') await run(step.terminal, step.text);
    else if (step.kind === 'save') project.write(step.name, step.text);
    else if (step.terminal === 1)
      assert.ok(
        shows(service.stdout().slice(service.stdout().indexOf('Sliproad is ready')), `${step.text}…`),
        service.stdout(),
      );
    else if (step.terminal === 2)
      assert.ok(shows(last, step.text), `expected\n${step.text}\nbut it was\n${last}`);
    else await see(programs.get(step.terminal)!, step);
  }
  const readme = readFileSync(path.join(REPOSITORY, 'README.md'), 'utf8');
  const [, hear = ''] = /^## Events and webhooks\n.*?```sh\n(.*?)```/ms.exec(readme) ?? [];
  await run(2, here(hear));
  assert.match(last, /"secret":"whsec_.*"type":"transaction\.completed"/s);
  assert.equal(await programs.get(4)!.interrupt(), INTERRUPTED);
});
