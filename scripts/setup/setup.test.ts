// Tests the fast path of the set-up. While nothing has changed, no program runs. Every change triggers the full check again.
import assert from 'node:assert/strict';
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
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

const FOLDERS = [
  ...['scripts/setup', 'bin', 'node_modules/.bin', 'dashboard/public', 'dashboard/src/components'],
  ...['src/domain', 'sdk/src', 'contracts/artefacts'],
];

function makeRepository(t: TestContext) {
  const root = mkdtempSync(path.join(tmpdir(), 'sliproad-setup-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const at = (name: string) => path.join(root, name);
  for (const folder of FOLDERS) mkdirSync(at(folder), { recursive: true });
  for (const name of readdirSync(import.meta.dirname).filter((each) => !each.endsWith('.ts')))
    copyFileSync(path.join(import.meta.dirname, name), at(`scripts/setup/${name}`));
  const calls = at('calls');
  // The target directory is the fourth argument in `vite.js build --outDir DIR`, and the second in `build-service.mjs DIR`.
  const runtime = `#!/bin/sh
case $1 in
  *vite.js) echo pages; mkdir "$4" ;;
  *build-service.mjs) echo service; mkdir "$2" ;;
  *) echo "$*" ;;
esac >>'${calls}'
`;
  writeFileSync(at('node_modules/.bin/node'), runtime);
  chmodSync(at('node_modules/.bin/node'), 0o755);
  const noteCall = `'npm ' + process.argv.filter((each) => /^(ci|install|--(omit|include)=dev)$/.test(each)).join(' ') + '\\n'`;
  writeFileSync(at('bin/npm.cjs'), `require('fs').appendFileSync(${JSON.stringify(calls)}, ${noteCall});`);
  writeFileSync(at('package-lock.json'), '{ "one": 1 }');
  const lock = createHash('sha256').update('{ "one": 1 }').digest('hex');
  writeFileSync(at('node_modules/.sliproad-lock'), `${lock} ${process.platform} ${process.arch} run\n`);
  writeFileSync(at('dashboard/src/components/page.tsx'), 'one');
  writeFileSync(at('src/domain/money.ts'), 'one');

  const PATH = `${path.dirname(process.execPath)}:${process.env.PATH}`;
  const env = { PATH, npm_execpath: at('bin/npm.cjs') };
  /** Returns the programs that ran, in order. The two builds run at the same time. */
  const setUp = (level = 'run'): string => {
    writeFileSync(calls, '');
    execFileSync('sh', [at('scripts/setup/setup.sh'), level], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    return readFileSync(calls, 'utf8')
      .replace('service\npages', 'pages\nservice')
      .replaceAll('\n', ' ')
      .trim();
  };
  /** Repeats the set-up until no program runs any more, because a build changes files that the fast path checks. */
  const settle = () => {
    for (let runs = 0; setUp() !== ''; runs++) assert.ok(runs < 3, 'the full check goes on and on');
  };
  const setUpAtOnce = async (terminals: number) => {
    writeFileSync(calls, '');
    const runs = Array.from({ length: terminals }, () =>
      promisify(execFile)('sh', [at('scripts/setup/setup.sh'), 'run'], { env }),
    );
    const said = (await Promise.all(runs)).map(({ stderr }) => stderr).join('');
    return { calls: readFileSync(calls, 'utf8'), said };
  };
  return { at, setUp, settle, setUpAtOnce };
}

const CHECKED = '--version';

test('an unchanged tree runs nothing, and any change runs the full check', (t) => {
  const { at, setUp, settle } = makeRepository(t);
  assert.equal(setUp(), `${CHECKED} pages service`, 'the first time');
  settle();

  for (const [source, build] of [
    ['dashboard/src/components/page.tsx', 'pages'],
    ['src/domain/money.ts', 'service'],
  ] as const) {
    const { atime, mtime } = statSync(at(source));
    writeFileSync(at(source), 'two');
    utimesSync(at(source), atime, mtime);
    assert.equal(setUp(), `${CHECKED} ${build}`, 'as long as before, and dated as before');
    settle();
  }

  writeFileSync(at('dashboard/src/components/new.css'), '');
  assert.equal(setUp(), `${CHECKED} pages`, 'one file more');
  settle();
  rmSync(at('dashboard/src/components/new.css'));
  assert.equal(setUp(), `${CHECKED} pages`, 'one file less');
  settle();
  writeFileSync(at('src/domain/money.test.ts'), '');
  assert.equal(setUp(), CHECKED, 'a test is not built');
  settle();

  rmSync(at('dashboard/dist'), { recursive: true });
  assert.equal(setUp(), `${CHECKED} pages`, 'the built one is gone');
  settle();

  const { mode } = statSync(at('node_modules/.bin/node'));
  chmodSync(at('node_modules/.bin/node'), mode);
  assert.equal(setUp(), CHECKED, 'the runtime was touched');
  settle();

  writeFileSync(at('package-lock.json'), '{ "one": 2 }');
  assert.equal(setUp(), 'npm install --omit=dev pages service', 'another lockfile');
});

test('running the service needs no tools; the first command that needs them installs them, and they stay installed', (t) => {
  const { at, setUp, settle } = makeRepository(t);
  settle();
  assert.equal(setUp('dev'), 'npm install --include=dev');
  for (let runs = 0; setUp('dev') !== ''; runs++) assert.ok(runs < 3);
  assert.equal(setUp('run').includes('npm'), false, 'with the tools the service runs, too');
  settle();
  rmSync(at('node_modules/.sliproad-lock'));
  assert.equal(setUp('run'), 'npm ci --omit=dev', 'an install that was cut short is made anew');
});

test('a failed check runs again', (t) => {
  const { at, setUp, settle } = makeRepository(t);
  settle();
  writeFileSync(at('package-lock.json'), '{ "one": 3 }');
  writeFileSync(at('bin/npm.cjs'), 'process.exit(7);');
  assert.throws(setUp, /The install failed/);
  assert.throws(setUp, /The install failed/);
});

test('only one of several simultaneous commands does the set-up, and the lock of an ended process does not block it', async (t) => {
  const { at, setUpAtOnce } = makeRepository(t);
  writeFileSync(at('package-lock.json'), '{ "one": 4 }');
  const slow = `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700);`;
  writeFileSync(at('bin/npm.cjs'), `${slow}${readFileSync(at('bin/npm.cjs'), 'utf8')}`);
  // This process has ended, so it stands for a holder of the lock that no longer exists.
  const { pid } = spawnSync('true');
  writeFileSync(at('.setting-up'), `${pid}\n`);
  const { calls, said } = await setUpAtOnce(4);
  for (const once of [/npm install/g, /pages/g, /service/g]) assert.equal(calls.match(once)?.length, 1);
  assert.match(said, /Waiting for another command/);
  assert.equal(existsSync(at('.setting-up')), false);
});
