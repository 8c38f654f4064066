// Reads the source files in which bugs are planted, and finds the top-level declarations of each file. A bug names a
// declaration and never a path, so a declaration may move to another file.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync, type Statement } from 'oxc-parser';

export const ROOT = path.resolve(import.meta.dirname, '../../..');

export type Sources = ReadonlyMap<string, string>;

export interface Declaration {
  readonly name: string;
  readonly file: string;
  readonly isExported: boolean;
  readonly start: number;
  readonly end: number;
}

/** Reads the files of the service, and the files of the simulation with its models of the outside world and the database. */
export function readSources(): Sources {
  const files = globSync(['src/**/*.ts', 'test/simulation/**/*.ts'], { cwd: ROOT })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => !file.endsWith('.test.ts') && !file.startsWith('test/simulation/planted/'))
    .sort();
  return new Map(files.map((file) => [file, readFileSync(path.join(ROOT, file), 'utf8')]));
}

export function declarationsNamed(sources: Sources, name: string): readonly Declaration[] {
  // Most files do not declare the name, and parsing is slow, so the function parses only files that may declare it.
  const declaring = new RegExp(`\\b(?:function\\*?|const|let|class)\\s+${name}\\b`);
  return [...sources]
    .filter(([, text]) => text.includes(name) && declaring.test(text))
    .flatMap(([file, text]) => declarationsIn(file, text))
    .filter((each) => each.name === name);
}

/** The last parsed version of each file. Many bugs apply to the same text, so the text is parsed only once. */
const parsed = new Map<string, { readonly text: string; readonly declarations: readonly Declaration[] }>();

export function declarationsIn(file: string, text: string): readonly Declaration[] {
  const known = parsed.get(file);
  if (known?.text === text) return known.declarations;
  const declarations = parse(file, text);
  parsed.set(file, { text, declarations });
  return declarations;
}

function parse(file: string, text: string): readonly Declaration[] {
  const { program, errors } = parseSync(file, text);
  if (errors[0] !== undefined) throw new Error(`${file} cannot be parsed: ${errors[0].message}`);
  return program.body.flatMap((statement) => {
    const isExported = statement.type === 'ExportNamedDeclaration';
    const declared = isExported ? statement.declaration : statement;
    const { start, end } = statement;
    return namesOf(declared).map((name) => ({ name, file, isExported, start, end }));
  });
}

function namesOf(declared: Statement | null): readonly string[] {
  switch (declared?.type) {
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
      return declared.id === null ? [] : [declared.id.name];
    case 'VariableDeclaration':
      return declared.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []));
    default:
      return [];
  }
}
