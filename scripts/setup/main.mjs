// Before a script runs, it brings node_modules in line with package-lock.json, and the builds in line with their sources. `node
// main.mjs run` is enough to run the service; `node main.mjs dev` also installs the tools for tests, checks and benchmarks.
import { build, outdated } from './build.mjs';
import { install, isInstalled } from './install.mjs';
import { takeTurn } from './turn.mjs';

const level = process.argv[2] ?? 'dev';

let ready = isInstalled(level);
if (!ready || outdated().length > 0) {
  const turn = await takeTurn();
  try {
    if (turn.waited) ready = isInstalled(level);
    if (!ready) process.exitCode = await install(level);
    const missing = process.exitCode ? [] : outdated();
    if (missing.length > 0) process.exitCode = await build(missing);
  } finally {
    turn.end();
  }
}
