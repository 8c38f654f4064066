// The rule of the house: imports go one way. http, workers and cli use app; app uses domain and ports; adapters
// implement ports; only wire.ts sees adapters. No network and no bank is named inside domain or app.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** What a file of each layer may import, besides its own layer. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  ports: ['domain'],
  app: ['domain', 'ports'],
  // Artefacts: contracts/artefacts, the compiled contracts.
  adapters: ['domain', 'ports', 'artefacts'],
  http: ['domain', 'ports', 'app'],
  workers: ['domain', 'ports', 'app'],
  cli: ['domain', 'ports', 'app', 'wire', 'config', 'log'],
  config: ['domain'],
  log: ['config'],
  wire: ['domain', 'ports', 'app', 'adapters', 'http', 'workers', 'config', 'log'],
  main: ['wire', 'config', 'log'],
};

/** Packages the pure layers may use: what computes, and never what reads a clock, a file or a socket. */
const PURE_PACKAGES = new Set(['node:crypto', 'node:zlib']);
const PURE_LAYERS = new Set(['domain', 'ports', 'app']);
/** What the simulation runs: the same code, on its own clock and by its own chance. */
const SIMULATED =
  /^src\/((domain|app)\/|workers\/settlement-stages\.ts|adapters\/((banks|networks)\/simulated\/|simulation\/(?!postgres)))/;
/** Time and chance come in through ports. */
const IMPURE = /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bprocess\.|\bsetTimeout\(|\brandomBytes\(/;

const IMPORT = /(?:^|\n)\s*(?:import|export)\b[^;]*?from\s+'([^']+)'|import\(\s*'([^']+)'\s*\)/g;

export function findLayerBreaks(root: string, names: readonly string[]): string[] {
  const files = globSync('src/**/*.ts', { cwd: root }).sort();
  return files.flatMap((file) => breaksOf(root, file.replaceAll(path.sep, '/'), names));
}

function breaksOf(root: string, file: string, names: readonly string[]): string[] {
  if (file.endsWith('.test.ts')) return [];
  const text = readFileSync(path.join(root, file), 'utf8');
  const layer = layerOf(file);
  const allowed = MAY_IMPORT[layer];
  if (allowed === undefined) return [`${file}: src/${layer} is not a layer`];
  const breaks: string[] = [];
  for (const [, from, dynamic] of text.matchAll(IMPORT)) {
    const target = (from ?? dynamic)!;
    if (target.startsWith('.')) {
      const to = layerOf(path.posix.join(path.posix.dirname(file), target));
      if (to !== layer && !allowed.includes(to))
        breaks.push(`${file}: ${layer} must not import ${to} (${target})`);
    } else if (PURE_LAYERS.has(layer) && !PURE_PACKAGES.has(target)) {
      breaks.push(`${file}: ${layer} must not import the package ${target}`);
    }
  }
  if (SIMULATED.test(file)) {
    const code = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '');
    const impure = IMPURE.exec(code);
    if (impure !== null) breaks.push(`${file}: ${impure[0]} belongs behind a port`);
  }
  if (layer === 'domain' || layer === 'app') {
    for (const name of names) {
      if (new RegExp(`\\b${name}\\b`, 'i').test(text)) breaks.push(`${file}: names ${name}`);
    }
  }
  return breaks;
}

function layerOf(file: string): string {
  return file.split('/')[1]!.replace(/\.ts$/, '');
}
