// What is installed is what was looked at: exact versions, a lockfile that names contents and no host, and install
// scripts only of packages that are listed for it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
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
const installed = Object.entries(lock.packages).filter(([place]) => place !== '');
const nameOf = (place: string) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);

test('threat 93: only listed packages run scripts when they are installed, and no other is listed', () => {
  const run = installed
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([place]) => nameOf(place));
  assert.deepEqual([...new Set(run)].sort(), Object.keys(manifest.allowScripts).sort());
});

test('threat 93: every dependency is one exact version, and the lockfile has that one', () => {
  const { dependencies, optionalDependencies, devDependencies } = manifest;
  const named = Object.entries({ ...dependencies, ...optionalDependencies, ...devDependencies });
  assert.ok(named.length > 10);
  for (const [name, version] of named) {
    assert.match(String(version), /^\d+\.\d+\.\d+(-[0-9a-z.]+)?$/, name);
    assert.equal(lock.packages[`node_modules/${name}`]?.version, version, name);
  }
});

test('threat 93: the lockfile fixes the contents of every package and says nothing about where it comes from', () => {
  assert.ok(installed.length > 100);
  for (const [place, { integrity, resolved, link }] of installed) {
    assert.match(integrity ?? '', /^sha512-/, place);
    assert.deepEqual([resolved, link], [undefined, undefined], place);
  }
  assert.doesNotMatch(lockText, /registry\.|"(git|file|http)[+:]/);
});

test('no package that npm may leave out asks for a newer Node than the one that installs', () => {
  // npm installs with whatever Node is there, from 20 on, and leaves optional packages out without a word when they ask for
  // more; the pinned Node that then runs would miss them. Such a demand is taken out of the lockfile.
  const oldest = /^(>= ?(?:[0-9]|1[0-9]|20)(?:\.[0-9.]+)?|.*\^20\..*|.*>=11\.0\.0)$/;
  const asking = installed
    .filter(([, { optional, engines }]) => optional && engines?.node !== undefined)
    .filter(([, { engines }]) => !oldest.test(engines!.node!));
  assert.deepEqual(
    asking.map(([place]) => nameOf(place)),
    [],
  );
});
