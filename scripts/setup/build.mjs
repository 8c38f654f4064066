// Builds the dashboard, and the bundle of the service and its command line, from the sources. Each is built next to its final
// path and then moved there as a whole, so that a service that starts in the meantime finds the old one or the new one.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { lockStamp } from './install.mjs';
import { readIfThere, root, runtime } from './places.mjs';
import { showProgress } from './progress.mjs';

/**
 * `folders`: folders that the build reads completely; `files`: single files. `command`: the arguments of Node for a target
 * directory.
 */
const BUILDS = [
  {
    what: 'the dashboard',
    built: 'dashboard/dist',
    folders: ['dashboard/public', 'dashboard/src'],
    files: [
      'dashboard/index.html',
      'dashboard/package.json',
      'dashboard/tsconfig.json',
      'dashboard/vite.config.ts',
    ],
    cwd: 'dashboard',
    command: (target) => [
      path.join(root, 'node_modules/vite/bin/vite.js'),
      ...['build', '--outDir', target, '--emptyOutDir', '--logLevel', 'warn'],
    ],
  },
  {
    what: 'the service',
    built: 'build',
    folders: ['src', 'sdk/src', 'contracts/artefacts'],
    files: ['scripts/setup/build-service.mjs'],
    cwd: '.',
    command: (target) => [path.join(root, 'scripts/setup/build-service.mjs'), target],
  },
];

/** The builds whose sources have changed since. */
export function outdated() {
  return BUILDS.filter(
    ({ built, ...sources }) => readIfThere(path.join(root, built, '.stamp')) !== stampOf(sources),
  );
}

/** Runs the builds in parallel and returns the exit code. */
export async function build(missing) {
  const names = missing.map(({ what }) => what).join(' and ');
  let done = 0;
  const progress = showProgress(`Building ${names}`, () => done / missing.length);
  const codes = await Promise.all(
    missing.map(async (one) => {
      const code = await buildOne(one);
      done++;
      return code;
    }),
  );
  progress.end();
  return codes.find((code) => code !== 0) ?? 0;
}

async function buildOne({ what, built, cwd, command, ...sources }) {
  const stamp = stampOf(sources);
  const place = path.join(root, built);
  const fresh = `${place}-${process.pid}`;
  const options = { cwd: path.join(root, cwd), stdio: ['ignore', 2, 2] };
  const code = await new Promise((resolve) => {
    spawn(runtime(), command(fresh), options)
      .on('error', () => resolve(1))
      .on('close', (status) => resolve(status ?? 1));
  });
  if (code !== 0) {
    rmSync(fresh, { recursive: true, force: true });
    console.error(`The build of ${what} failed; the lines above say why.`);
    return code;
  }
  writeFileSync(path.join(fresh, '.stamp'), stamp);
  const old = `${place}-old-${process.pid}`;
  if (existsSync(place)) renameSync(place, old);
  renameSync(fresh, place);
  rmSync(old, { recursive: true, force: true });
  return 0;
}

/** A stamp of the sources, and of the packages that build them. */
function stampOf({ folders, files }) {
  const digest = createHash('sha256').update(lockStamp());
  const isSource = (file) => /\.(tsx?|mjs|css|svg|html|json)$/.test(file) && !/\.test\.ts$/.test(file);
  const inside = folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true }).map((name) => path.join(folder, String(name))),
  );
  for (const file of [...files, ...inside].filter(isSource).sort()) {
    if (!existsSync(path.join(root, file))) continue;
    digest.update(`${file}\n`).update(readFileSync(path.join(root, file)));
  }
  return digest.digest('hex');
}
