// Checks that imports go in one direction. http and cli use renderings, which use app. http, workers and cli use app. app uses
// domain and ports, and adapters implement ports. Only wire may import adapters. The code of domain and app contains no name of
// a network or bank, reads no clock and uses no randomness.
import { importsOf, isTest, lineOf, readSources, resolveImport, type Source } from './source.ts';

/** What a file of each layer may import, in addition to its own layer. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  ports: ['domain'],
  app: ['domain', 'ports'],
  adapters: ['domain', 'ports', 'artefacts'],
  renderings: ['domain', 'ports', 'app'],
  http: ['domain', 'ports', 'app', 'renderings'],
  workers: ['domain', 'ports', 'app'],
  cli: ['domain', 'ports', 'app', 'renderings', 'wire', 'config', 'log', 'serve', 'sdk'],
  config: ['domain'],
  log: ['config'],
  wire: ['domain', 'ports', 'app', 'adapters', 'http', 'workers', 'config', 'log'],
  serve: ['wire', 'config', 'log'],
  main: ['serve', 'wire', 'config'],
};

/** Packages that the pure layers may use. They only compute, and read no clock, file or socket. */
const PURE_PACKAGES = new Set(['node:crypto', 'node:zlib']);
const PURE_LAYERS = new Set(['domain', 'ports', 'app']);
/** The code that the simulation runs with its own clock and its own randomness. */
const SIMULATED =
  /^src\/((domain|app)\/|workers\/settlement-stages\.ts|adapters\/((banks|networks)\/simulated\/|simulation\/(?!postgres)))/;
/** Time and randomness come only through ports. */
const IMPURE = /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bprocess\.|\bsetTimeout\(|\brandomBytes\(/;

export function findLayerBreaks(root: string, names: readonly string[]): string[] {
  const server = readSources(root, 'src/**/*.ts')
    .filter(({ file }) => !isTest(file))
    .flatMap((source) => [
      ...findWrongImports(source),
      ...findClocksAndChance(source),
      ...findOutsideNames(source, names),
    ]);
  // A test may compare a rule of the pages with the same rule of the service.
  const pages = readSources(root, 'dashboard/src/**/*.{ts,tsx}').filter(({ file }) => !isTest(file));
  return [...server, ...pages.flatMap(findImportsOfService)];
}

/** The dashboard may use only the session API of the service. */
function findImportsOfService(source: Source): string[] {
  return importsOf(source)
    .filter(({ target }) => {
      const to = resolveImport(source.file, target);
      return to !== undefined && !to.startsWith('dashboard/src/');
    })
    .map(
      ({ target, line }) =>
        `${source.file}:${line}: the dashboard must not import ${target} from outside of dashboard/src`,
    );
}

function findWrongImports(source: Source): string[] {
  const { file } = source;
  const layer = layerOf(file);
  const allowed = MAY_IMPORT[layer];
  if (allowed === undefined)
    return [`${file}:1: src/${layer} is not a layer: add it in scripts/checks/layer-breaks.ts`];
  return importsOf(source).flatMap(({ target, line }) => {
    const resolved = resolveImport(file, target);
    if (resolved === undefined) {
      if (!PURE_LAYERS.has(layer) || PURE_PACKAGES.has(target)) return [];
      return [`${file}:${line}: ${layer} must not import the package ${target}: put it behind a port`];
    }
    const to = layerOf(resolved);
    if (to === layer || allowed.includes(to)) return [];
    return [`${file}:${line}: ${layer} must not import ${to} (${target}): see the layers in CONTRIBUTING.md`];
  });
}

function findClocksAndChance({ file, text }: Source): string[] {
  if (!SIMULATED.test(file)) return [];
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, (comment) =>
    comment.replaceAll(/[^\n]/g, ' '),
  );
  const impure = IMPURE.exec(code);
  if (impure === null) return [];
  return [`${file}:${lineOf(code, impure.index)}: ${impure[0]} belongs behind a port`];
}

function findOutsideNames({ file, text }: Source, names: readonly string[]): string[] {
  if (!['domain', 'app'].includes(layerOf(file))) return [];
  return names.flatMap((name) => {
    const found = new RegExp(`\\b${name}\\b`, 'i').exec(text);
    return found === null
      ? []
      : [`${file}:${lineOf(text, found.index)}: names ${name}: that belongs into an adapter`];
  });
}

function layerOf(file: string): string {
  return file.startsWith('sdk/') ? 'sdk' : file.split('/')[1]!.replace(/\.ts$/, '');
}
