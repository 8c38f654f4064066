// Adds lines to existing files. Each edit finds its place by a text in the file. If that text no longer exists, nothing is
// written and the message names the edit.
import { ScaffoldRefused } from './names.ts';

export interface FileEdit {
  readonly file: string;
  readonly line: string;
  apply(text: string): string;
}

/** Adds an import, and Biome sorts the imports. If the code of the file already uses the name, the edit is refused. */
export function addImport(file: string, name: string, from: string): FileEdit {
  const line = `import { ${name} } from '${from}';`;
  return {
    file,
    line,
    apply: (text) => {
      if (new RegExp(`\\b${name}\\b`).test(codeOf(text)))
        throw new ScaffoldRefused(
          `The name is taken: ${file} uses "${name}" for something else. Choose another one.`,
        );
      const last = [...text.matchAll(/^import [^;]*;\n/gm)].at(-1);
      if (last === undefined) throw lostPlaceError(file, 'a list of imports');
      const at = last.index + last[0].length;
      return `${text.slice(0, at)}${line}\n${text.slice(at)}`;
    },
  };
}

function codeOf(text: string): string {
  return text.replaceAll(/\/\/.*|\/\*[\s\S]*?\*\/|'[^'\n]*'/g, '');
}

export function addAsLastEntry(file: string, opening: string, line: string): FileEdit {
  return {
    file,
    line,
    apply: (text) => {
      const start = findOnlyPlace(file, text, opening);
      const indent = /^ */.exec(text.slice(text.lastIndexOf('\n', start) + 1))![0];
      const end = new RegExp(`^${indent}[\\])}]`, 'm').exec(text.slice(start));
      if (end === null) throw lostPlaceError(file, `the end of "${opening}"`);
      const at = start + end.index;
      return `${text.slice(0, at)}${indent}  ${line}\n${text.slice(at)}`;
    },
  };
}

export function insertBefore(file: string, place: string, line: string): FileEdit {
  return {
    file,
    line: line.trim(),
    apply: (text) => {
      const at = findOnlyPlace(file, text, place);
      return text.slice(0, at) + line + text.slice(at);
    },
  };
}

function findOnlyPlace(file: string, text: string, place: string): number {
  const at = text.indexOf(place);
  if (at < 0 || text.includes(place, at + 1)) throw lostPlaceError(file, `"${place}"`);
  return at;
}

function lostPlaceError(file: string, what: string): ScaffoldRefused {
  return new ScaffoldRefused(
    `${file} has changed: ${what} does not occur exactly once. Correct the edit in scripts/new/kinds.`,
  );
}
