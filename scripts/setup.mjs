// Brings node_modules in line with package-lock.json before a script runs. Plain JavaScript for Node 20:
// it is the one file that runs before the pinned runtime is there.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
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

if (!installed()) {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < 20) {
    console.error(`Sliproad needs Node 20 or newer to install itself; this is ${process.version}.`);
    process.exit(1);
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
    process.exit(result.status ?? 1);
  }
  writeFileSync(stampFile, `${wantedStamp()}\n`);
}
