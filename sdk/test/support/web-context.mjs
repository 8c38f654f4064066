// Runs the smoke test in a context that has only the globals of the web: no process, no Buffer, no require. Arguments: the folder
// of the built SDK, the address of the server.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createContext, SourceTextModule } from 'node:vm';

const [sdkDir, baseUrl] = process.argv.slice(2);
const WEB = [
  'fetch',
  'Headers',
  'Request',
  'Response',
  'URL',
  'URLSearchParams',
  'TextEncoder',
  'TextDecoder',
  'crypto',
];
const MORE = [
  'ReadableStream',
  'AbortController',
  'AbortSignal',
  'setTimeout',
  'clearTimeout',
  'atob',
  'btoa',
];
const context = createContext(Object.fromEntries([...WEB, ...MORE].map((name) => [name, globalThis[name]])));

const modules = new Map();
function load(file) {
  if (!modules.has(file)) {
    modules.set(file, new SourceTextModule(readFileSync(file, 'utf8'), { context, identifier: file }));
  }
  return modules.get(file);
}

async function start(file) {
  const module = load(file);
  await module.link((specifier, from) => {
    if (!specifier.startsWith('.')) throw new Error(`${from.identifier} imports ${specifier}`);
    return load(path.join(path.dirname(from.identifier), specifier));
  });
  await module.evaluate();
  return module.namespace;
}

const sdk = await start(path.join(sdkDir, 'index.js'));
const { smoke } = await start(path.join(import.meta.dirname, 'smoke.mjs'));
console.log(await smoke(sdk, baseUrl));
