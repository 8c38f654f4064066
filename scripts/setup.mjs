// Brings node_modules in line with package-lock.json, and the built dashboard in line with its source, before a script runs.
// Plain JavaScript for Node 20: it is the one file that runs before the pinned runtime is there.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const stampFile = path.join(root, 'node_modules', '.sliproad-lock');
const runtime = path.join(root, 'node_modules', '.bin', 'node');

/** What the installed tree depends on: the lockfile and the platform it was installed for. */
function wantedStamp() {
  const lock = readFileSync(path.join(root, 'package-lock.json'));
  return `${createHash('sha256').update(lock).digest('hex')} ${process.platform} ${process.arch}`;
}

function installed() {
  if (!existsSync(runtime) || !existsSync(stampFile)) return false;
  if (readFileSync(stampFile, 'utf8').trim() !== wantedStamp()) return false;
  return spawnSync(runtime, ['--version']).status === 0;
}

/** Its exit code. */
function install() {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < 20) {
    console.error(`Sliproad needs Node 20 or newer to install itself; this is ${process.version}.`);
    return 1;
  }
  console.error('Installing what Sliproad needs (about a minute the first time) …');
  const npmCli = process.env.npm_execpath;
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error', '--include=dev', '--include=optional'];
  // npm hands its own settings down to what it runs; an outer --ignore-scripts or --omit must not leak in here.
  const env = { ...process.env, npm_config_ignore_scripts: 'false', npm_config_omit: '' };
  const result = npmCli
    ? spawnSync(process.execPath, [npmCli, ...args], { cwd: root, stdio: ['ignore', 2, 2], env })
    : spawnSync('npm', args, { cwd: root, stdio: ['ignore', 2, 2], env });
  if (result.status !== 0) {
    console.error(
      'The install failed. Check that the npm registry can be reached, then run the command again.',
    );
    return result.status ?? 1;
  }
  writeFileSync(stampFile, `${wantedStamp()}\n`);
  return 0;
}

const dashboard = path.join(root, 'dashboard');
const built = path.join(dashboard, 'dist');

/** What the built dashboard depends on: its files, and the packages it is built with. */
function dashboardStamp() {
  const digest = createHash('sha256').update(wantedStamp());
  for (const folder of ['.', 'public', 'src']) {
    const names = readdirSync(path.join(dashboard, folder), { recursive: folder !== '.' })
      .map(String)
      .sort();
    for (const name of names) {
      const file = path.join(dashboard, folder, name);
      if (!/\.(tsx?|css|svg|html|json)$/.test(name) || /\.test\.ts$/.test(name)) continue;
      digest.update(`${folder}/${name}\n`).update(readFileSync(file));
    }
  }
  return digest.digest('hex');
}

function isBuilt() {
  const stampOfBuilt = path.join(built, '.stamp');
  return existsSync(stampOfBuilt) && readFileSync(stampOfBuilt, 'utf8') === dashboardStamp();
}

/** Its exit code. */
function build() {
  console.error('Building the dashboard …');
  // Beside its place first: a service that starts meanwhile finds the old one or the new one, whole.
  const fresh = `${built}-${process.pid}`;
  const vite = path.join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const args = [vite, 'build', '--outDir', fresh, '--emptyOutDir', '--logLevel', 'warn'];
  const result = spawnSync(runtime, args, { cwd: dashboard, stdio: ['ignore', 2, 2] });
  if (result.status !== 0) {
    rmSync(fresh, { recursive: true, force: true });
    console.error('The build of the dashboard failed; what it says is above.');
    return result.status ?? 1;
  }
  writeFileSync(path.join(fresh, '.stamp'), dashboardStamp());
  const old = `${built}-old-${process.pid}`;
  if (existsSync(built)) renameSync(built, old);
  renameSync(fresh, built);
  rmSync(old, { recursive: true, force: true });
  return 0;
}

// Outside of node_modules, which an install empties.
const turnFile = path.join(root, '.setting-up');

/**
 * One set-up at a time: commands in two terminals would install into the same folder at once. The file names the process that has
 * its turn; the turn of a process that is gone is over. Where no file can be made, the folder belongs to another user.
 */
function takeTurn() {
  for (let waits = 0; ; waits++) {
    try {
      writeFileSync(turnFile, `${process.pid}\n`, { flag: 'wx' });
      return { waited: waits > 0, end: () => rmSync(turnFile, { force: true }) };
    } catch (error) {
      if (error.code !== 'EEXIST') return { waited: false, end: () => undefined };
    }
    if (waits === 0)
      console.error(`Another command sets Sliproad up in this folder: waiting for it (${turnFile}) …`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
    removeTurnOfTheGone();
  }
}

function removeTurnOfTheGone() {
  const aside = `${turnFile}-${process.pid}`;
  try {
    if (isRunning(Number(readFileSync(turnFile, 'utf8')))) return;
    renameSync(turnFile, aside);
    // Another process may have taken its turn between the two lines: then it gets its file back.
    if (isRunning(Number(readFileSync(aside, 'utf8')))) renameSync(aside, turnFile);
    else rmSync(aside);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}

function isRunning(pid) {
  // Not written yet.
  if (!(pid > 0)) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code !== 'ESRCH';
  }
}

let ready = installed();
if (!ready || !isBuilt()) {
  const turn = takeTurn();
  try {
    if (turn.waited) ready = installed();
    if (!ready) process.exitCode = install();
    if (!process.exitCode && !isBuilt()) process.exitCode = build();
  } finally {
    turn.end();
  }
}
