// Writes dist/, the content of `npm pack`. Node refuses to strip types under node_modules. Therefore the TypeScript of src and
// sdk becomes JavaScript here, with the same line numbers. Files that the service reads from disk are at the expected paths.
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

const root = path.dirname(import.meta.dirname);
const dist = path.join(root, 'dist');

const DATA = ['migrations', 'contracts/artefacts', 'dashboard/dist'];

/** Imports of the project's own files, `from './x.ts'` and `import('./x.ts')`, become `.js` in the package. */
function withJsImports(file: string, code: string): string {
  const { program, errors } = parseSync(file, code, { lang: 'js' });
  if (errors.length > 0)
    throw new Error(`${file} cannot be parsed after its types were removed: ${errors[0]!.message}`);
  const ends: number[] = [];
  const add = (node: { readonly type: string; readonly end: number; readonly value?: unknown } | null) => {
    if (node?.type === 'Literal' && typeof node.value === 'string' && /^\.{1,2}\/.*\.ts$/.test(node.value))
      ends.push(node.end);
  };
  new Visitor({
    ImportDeclaration: (node) => add(node.source),
    ExportNamedDeclaration: (node) => add(node.source),
    ExportAllDeclaration: (node) => add(node.source),
    ImportExpression: (node) => add(node.source),
  }).visit(program);
  // Goes from the last to the first import, so that earlier positions stay correct. `ts'` becomes `js'`.
  return ends
    .sort((a, b) => b - a)
    .reduce((text, end) => `${text.slice(0, end - 3)}js${text.slice(end - 1)}`, code);
}

/** After an installation, the command is in the PATH. */
function useInstalledCommand(code: string): string {
  return code.replaceAll('bin/sliproad', 'sliproad');
}

function writeFile(file: string, content: string): void {
  const target = path.join(dist, file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, content);
}

rmSync(dist, { recursive: true, force: true });
for (const file of globSync('{src,sdk/src}/**/*.ts', { cwd: root })) {
  if (file.endsWith('.test.ts')) continue;
  const code = stripTypeScriptTypes(readFileSync(path.join(root, file), 'utf8'));
  writeFile(file.replace(/\.ts$/, '.js'), useInstalledCommand(withJsImports(file, code)));
}
const isCode = (file: string) => /\.ts$/.test(file);
for (const file of globSync('src/**/*.*', { cwd: root, exclude: isCode }))
  cpSync(path.join(root, file), path.join(dist, file));
for (const folder of DATA) cpSync(path.join(root, folder), path.join(dist, folder), { recursive: true });
const { name, version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  name: string;
  version: string;
};
writeFile('package.json', `${JSON.stringify({ name, version, private: true, type: 'module' }, null, 2)}\n`);
