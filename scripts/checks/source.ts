// Reads the repository for the checks: its files, and the imports of a TypeScript file. Each file is parsed once for all
// checks.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Program, parseSync, Visitor } from 'oxc-parser';

export const CODE_FOLDERS = [
  'src',
  'test',
  'local-networks',
  'local-banks',
  'scripts',
  'bench',
  'sdk',
  'dashboard/src',
] as const;

export interface Source {
  readonly file: string;
  readonly text: string;
}

interface Import {
  readonly target: string;
  readonly line: number;
}

export function readSources(root: string, patterns: string | readonly string[]): Source[] {
  return globSync(patterns, { cwd: root })
    .map((file) => file.replaceAll(path.sep, '/'))
    .sort()
    .map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }));
}

export function readCode(root: string): Source[] {
  return readSources(
    root,
    CODE_FOLDERS.map((folder) => `${folder}/**/*.{ts,tsx}`),
  );
}

export function isTest(file: string): boolean {
  return file.endsWith('.test.ts');
}

export function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

const programs = new Map<string, Program>();

export function parseSource({ file, text }: Source): Program {
  const known = programs.get(text);
  if (known !== undefined) return known;
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]!.message}`);
  programs.set(text, program);
  return program;
}

/** The imports of a file: values and types, including `export … from`, `import()` and `import('…').Type`. */
export function importsOf(source: Source): Import[] {
  const found: Import[] = [];
  const add = (node: { readonly type: string; readonly start: number; readonly value?: unknown } | null) => {
    if (node?.type !== 'Literal' || typeof node.value !== 'string') return;
    found.push({ target: node.value, line: lineOf(source.text, node.start) });
  };
  new Visitor({
    ImportDeclaration: (node) => add(node.source),
    ExportNamedDeclaration: (node) => add(node.source),
    ExportAllDeclaration: (node) => add(node.source),
    ImportExpression: (node) => add(node.source),
    TSImportType: (node) => add(node.source),
  }).visit(parseSource(source));
  return found;
}

/** The file that a relative import refers to. Undefined means that the import is a package. */
export function resolveImport(file: string, target: string): string | undefined {
  return target.startsWith('.') ? path.posix.join(path.posix.dirname(file), target) : undefined;
}
