// Brings node_modules in line with package-lock.json: `run` installs what the service needs, `dev` also the tools for tests,
// checks and benchmarks, which are larger than the product.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { majorOf, packages, readIfThere, root, runtime } from './places.mjs';
import { showProgress } from './progress.mjs';

const stampFile = path.join(packages, '.sliproad-lock');
const OLDEST_NODE = 20;

/** What determines the installed tree: the lockfile and the platform. */
export function lockStamp() {
  const lock = readFileSync(path.join(root, 'package-lock.json'));
  return `${createHash('sha256').update(lock).digest('hex')} ${process.platform} ${process.arch}`;
}

/** `level`: run or dev. */
export function isInstalled(level) {
  const stamp = readIfThere(stampFile);
  const [lock, installed] = [stamp?.replace(/ \w+$/, ''), stamp?.split(' ').at(-1)];
  if (lock !== lockStamp() || (level === 'dev' && installed !== 'dev')) return false;
  const node = runtime();
  return node !== undefined && spawnSync(node, ['--version']).status === 0;
}

/** Its exit code. */
export async function install(level) {
  if (majorOf(process.versions.node) < OLDEST_NODE) {
    console.error(
      `Sliproad needs Node ${OLDEST_NODE} or newer to install itself; this is ${process.version}.`,
    );
    return 1;
  }
  const wanted = countWanted(level);
  const what = level === 'run' ? 'what Sliproad needs to run' : 'what Sliproad and its tools need';
  const progress = showProgress(`Installing ${what}`, () => countInstalled() / wanted);
  const status = await runNpm(level);
  progress.end();
  if (status !== 0) {
    console.error(
      'The install failed. Check that the npm registry can be reached, then run the command again.',
    );
    return status;
  }
  if (runtime() === undefined) {
    console.error(
      `There is no Node package for ${process.platform} ${process.arch}. Install Node 24 or newer, then run the command again.`,
    );
    return 1;
  }
  writeFileSync(stampFile, `${lockStamp()} ${level}\n`);
  return 0;
}

function runNpm(level) {
  // If the tree was installed completely, only missing packages are added, because a service may be running from it. Any other
  // tree is installed again from the start.
  const args = existsSync(stampFile) ? ['install', '--no-save'] : ['ci'];
  args.push('--no-audit', '--no-fund', '--loglevel=error', '--no-progress');
  args.push(level === 'run' ? '--omit=dev' : '--include=dev', '--include=optional');
  // npm passes its own settings to the programs that it runs; an outer --ignore-scripts or --omit must not apply here.
  const env = { ...process.env, npm_config_ignore_scripts: 'false', npm_config_omit: '' };
  const npmCli = process.env.npm_execpath;
  const [file, first] = npmCli ? [process.execPath, [npmCli]] : ['npm', []];
  // npm prints to standard output how many packages it added; the progress already shows that.
  const options = { cwd: root, stdio: ['ignore', 'ignore', 'inherit'], env };
  return new Promise((resolve) => {
    spawn(file, [...first, ...args], options)
      .on('error', (error) => {
        console.error(`npm cannot be started: ${error.message}`);
        resolve(1);
      })
      .on('close', (code) => resolve(code ?? 1));
  });
}

/** The number of packages at the top level of node_modules, from the lockfile, for this platform. */
function countWanted(level) {
  const { packages: locked } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  const isHere = ({ os, cpu }) =>
    (os?.includes(process.platform) ?? true) && (cpu?.includes(process.arch) ?? true);
  const isWanted = (place, entry) =>
    /^node_modules\/(@[^/]+\/)?[^/]+$/.test(place) && (level === 'dev' || !entry.dev) && isHere(entry);
  return Object.entries(locked ?? {}).filter(([place, entry]) => isWanted(place, entry)).length || 1;
}

/** npm creates all directories first and fills them afterwards. */
function countInstalled() {
  const inside = (folder) =>
    (existsSync(folder) ? readdirSync(folder) : []).map((name) => path.join(folder, name));
  const isScope = (place) => path.basename(place).startsWith('@');
  return inside(packages)
    .flatMap((place) => (isScope(place) ? inside(place) : [place]))
    .filter((place) => existsSync(path.join(place, 'package.json'))).length;
}
