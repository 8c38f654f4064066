// Tests that only reviewed code is installed. Versions are exact, the lockfile fixes contents and contains no host, and only
// listed packages may run install scripts.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly optional?: boolean;
  readonly engines?: { readonly node?: string };
  readonly link?: boolean;
}

const read = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
const manifest = JSON.parse(read('package.json'));
const lockText = read('package-lock.json');
const lock: { readonly packages: Readonly<Record<string, Locked>> } = JSON.parse(lockText);
/** Leaves out the project's own packages: the repository itself, and its workspaces with the links to them. */
const own = new Set<string>(['', ...manifest.workspaces]);
const installed = Object.entries(lock.packages).filter(
  ([place, { link, resolved }]) => !own.has(place) && !(link && own.has(resolved ?? '')),
);
const nameOf = (place: string) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);

test('threat 93: only listed packages run install scripts, and every listed package has one', () => {
  const run = installed
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([place]) => nameOf(place));
  assert.deepEqual([...new Set(run)].sort(), Object.keys(manifest.allowScripts).sort());
});

test('threat 93: the lockfile marks every package that has an install script', () => {
  let seen = 0;
  for (const [place, { hasInstallScript = false }] of installed) {
    const directory = new URL(`../${place}/`, import.meta.url);
    // Packages for another platform are not installed.
    if (!existsSync(new URL('package.json', directory))) continue;
    seen++;
    const { scripts = {} } = JSON.parse(readFileSync(new URL('package.json', directory), 'utf8'));
    const has = ['preinstall', 'install', 'postinstall'].some((name) => name in scripts);
    const builds = existsSync(new URL('binding.gyp', directory));
    assert.equal(has || builds, hasInstallScript, place);
  }
  assert.ok(seen > 100);
});

test('threat 93: the bill of materials lists every package of the lockfile with the hash of its contents', () => {
  const args = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'];
  const cwd = new URL('..', import.meta.url);
  const text = execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const components: { name: string; version: string; hashes?: { alg: string; content: string }[] }[] =
    JSON.parse(text).components;
  const listed = new Map(
    components.map(({ name, version, hashes }) => [`${name}@${version}`, hashes?.[0]?.content]),
  );
  for (const [place, { version, integrity }] of installed) {
    const hash = Buffer.from(integrity!.slice('sha512-'.length), 'base64').toString('hex');
    assert.equal(listed.get(`${nameOf(place)}@${version}`), hash, place);
  }
});

test('threat 93: every dependency has one exact version, and the lockfile has the same version', () => {
  const workspaces = manifest.workspaces.map((name: string) => JSON.parse(read(`${name}/package.json`)));
  const named = [manifest, ...workspaces].flatMap(({ dependencies, optionalDependencies, devDependencies }) =>
    Object.entries({ ...dependencies, ...optionalDependencies, ...devDependencies }),
  );
  assert.ok(named.length > 10);
  for (const [name, version] of named) {
    assert.match(String(version), /^\d+\.\d+\.\d+(-[0-9a-z.]+)?$/, name);
    assert.equal(lock.packages[`node_modules/${name}`]?.version, version, name);
  }
});

test('threat 93: the lockfile fixes the contents of every package and contains no download location', () => {
  assert.ok(installed.length > 100);
  for (const [place, { integrity, resolved, link }] of installed) {
    assert.match(integrity ?? '', /^sha512-/, place);
    assert.deepEqual([resolved, link], [undefined, undefined], place);
  }
  assert.doesNotMatch(lockText, /registry\.|"(git|file|http)[+:]/);
});

test('no optional package requires a newer Node than the one that installs', () => {
  // npm installs with any Node from 20 on, and silently skips optional packages that require a newer one. The pinned Node,
  // which runs later, would then miss them. Therefore such a requirement is removed from the lockfile.
  const oldest = /^(>= ?(?:[0-9]|1[0-9]|20)(?:\.[0-9.]+)?|.*\^20\..*|.*>=11\.0\.0)$/;
  const asking = installed
    .filter(([, { optional, engines }]) => optional && engines?.node !== undefined)
    .filter(([, { engines }]) => !oldest.test(engines!.node!));
  assert.deepEqual(
    asking.map(([place]) => nameOf(place)),
    [],
  );
  // The first start builds the dashboard with these packages, whichever Node 20 installed them.
  const builds = installed.filter(([place]) => nameOf(place).startsWith('@rolldown/binding-'));
  assert.ok(builds.length > 5);
  for (const [place, { engines }] of builds) assert.equal(engines, undefined, place);
});
