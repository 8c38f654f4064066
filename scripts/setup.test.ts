// The quick path of the set-up: nothing runs while nothing has changed, and whatever changed brings the full check back.
import assert from 'node:assert/strict';
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';

/** A repository in which the runtime and npm only write down that they were called. */
function makeRepository(t: TestContext) {
  const root = mkdtempSync(path.join(tmpdir(), 'sliproad-setup-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const at = (name: string) => path.join(root, name);
  for (const folder of ['scripts', 'bin', 'node_modules/.bin', 'dashboard/public', 'dashboard/src/parts'])
    mkdirSync(at(folder), { recursive: true });
  for (const name of ['setup.sh', 'setup.mjs'])
    copyFileSync(path.join(import.meta.dirname, name), at(`scripts/${name}`));
  const calls = at('calls');
  // `vite build --outDir DIR`: the script, `build`, the option and the directory.
  const runtime = `#!/bin/sh\necho "$*" >>'${calls}'\nif [ "$2" = build ]; then mkdir "$4"; fi\n`;
  writeFileSync(at('node_modules/.bin/node'), runtime);
  chmodSync(at('node_modules/.bin/node'), 0o755);
  writeFileSync(at('bin/npm.cjs'), `require('fs').appendFileSync(${JSON.stringify(calls)}, 'npm ci\\n');`);
  writeFileSync(at('package-lock.json'), '{ "one": 1 }');
  const lock = createHash('sha256').update('{ "one": 1 }').digest('hex');
  writeFileSync(at('node_modules/.sliproad-lock'), `${lock} ${process.platform} ${process.arch}\n`);
  writeFileSync(at('dashboard/src/parts/page.tsx'), 'one');

  const PATH = `${path.dirname(process.execPath)}:${process.env.PATH}`;
  const env = { PATH, npm_execpath: at('bin/npm.cjs') };
  const setUp = (): string => {
    writeFileSync(calls, '');
    execFileSync('sh', [at('scripts/setup.sh')], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    return readFileSync(calls, 'utf8');
  };
  /** Until nothing runs any more; a build changes what the quick path looks at. */
  const settle = () => {
    for (let runs = 0; setUp() !== ''; runs++) assert.ok(runs < 3, 'the full check goes on and on');
  };
  /** From so many terminals in one moment: what ran, and what they said. */
  const setUpAtOnce = async (terminals: number) => {
    writeFileSync(calls, '');
    const runs = Array.from({ length: terminals }, () =>
      promisify(execFile)('sh', [at('scripts/setup.sh')], { env }),
    );
    const said = (await Promise.all(runs)).map(({ stderr }) => stderr).join('');
    return { calls: readFileSync(calls, 'utf8'), said };
  };
  return { at, setUp, settle, setUpAtOnce };
}

const CHECKED = '--version\n';
const BUILT = /^--version\n.*vite\.js build --outDir/;

test('a tree that has not changed runs nothing, and a change of any kind the full check', (t) => {
  const { at, setUp, settle } = makeRepository(t);
  assert.match(setUp(), BUILT, 'the first time');
  settle();

  const page = at('dashboard/src/parts/page.tsx');
  const { atime, mtime } = statSync(page);
  writeFileSync(page, 'two');
  utimesSync(page, atime, mtime);
  assert.match(setUp(), BUILT, 'as long as before, and dated as before');
  settle();

  writeFileSync(at('dashboard/src/parts/new.css'), '');
  assert.match(setUp(), BUILT, 'one file more');
  settle();
  rmSync(at('dashboard/src/parts/new.css'));
  assert.match(setUp(), BUILT, 'one file less');
  settle();

  rmSync(at('dashboard/dist'), { recursive: true });
  assert.match(setUp(), BUILT, 'the built one is gone');
  settle();

  const { mode } = statSync(at('node_modules/.bin/node'));
  chmodSync(at('node_modules/.bin/node'), mode);
  assert.equal(setUp(), CHECKED, 'the runtime was touched');
  settle();

  writeFileSync(at('package-lock.json'), '{ "one": 2 }');
  assert.match(setUp(), /^npm ci\n.*vite\.js build/, 'another lockfile');
});

test('a check that failed is done again', (t) => {
  const { at, setUp, settle } = makeRepository(t);
  settle();
  writeFileSync(at('package-lock.json'), '{ "one": 3 }');
  writeFileSync(at('bin/npm.cjs'), 'process.exit(7);');
  assert.throws(setUp, /The install failed/);
  assert.throws(setUp, /The install failed/);
});

test('commands in several terminals set up once: the others wait, and a turn that was cut short ends', async (t) => {
  const { at, setUpAtOnce } = makeRepository(t);
  writeFileSync(at('package-lock.json'), '{ "one": 4 }');
  const slow = `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700);`;
  writeFileSync(at('bin/npm.cjs'), `${slow}${readFileSync(at('bin/npm.cjs'), 'utf8')}`);
  // The process that had its turn is gone: this one has ended.
  const { pid } = spawnSync('true');
  writeFileSync(at('.setting-up'), `${pid}\n`);
  const { calls, said } = await setUpAtOnce(4);
  assert.equal(calls.match(/npm ci/g)?.length, 1);
  assert.equal(calls.match(/vite\.js build/g)?.length, 1);
  assert.match(said, /waiting for it/);
  assert.equal(existsSync(at('.setting-up')), false);
});
