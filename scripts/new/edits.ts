// Lines that go into files that are already there. Each edit finds its place by a text of the file; where that is gone, nothing is
// written and the message names the edit.
import { Refused } from './names.ts';

export interface Edit {
  readonly file: string;
  /** What is added, as it is shown afterwards. */
  readonly line: string;
  /** The whole text of the file with it. */
  apply(text: string): string;
}

/** Among the imports; Biome sorts them. A name that the code of the file uses already is taken. */
export function importLine(file: string, name: string, from: string): Edit {
  const line = `import { ${name} } from '${from}';`;
  return {
    file,
    line,
    apply: (text) => {
      if (new RegExp(`\\b${name}\\b`).test(codeOf(text)))
        throw new Refused(
          `The name is taken: ${file} uses "${name}" for something else. Choose another one.`,
        );
      const last = [...text.matchAll(/^import [^;]*;\n/gm)].at(-1);
      if (last === undefined) throw lost(file, 'a list of imports');
      const at = last.index + last[0].length;
      return `${text.slice(0, at)}${line}\n${text.slice(at)}`;
    },
  };
}

/** Without comments and texts. */
function codeOf(text: string): string {
  return text.replaceAll(/\/\/.*|\/\*[\s\S]*?\*\/|'[^'\n]*'/g, '');
}

/** The last entry of the list, object or switch that this text opens. */
export function lastIn(file: string, opening: string, line: string): Edit {
  return {
    file,
    line,
    apply: (text) => {
      const start = onlyPlace(file, text, opening);
      const indent = /^ */.exec(text.slice(text.lastIndexOf('\n', start) + 1))![0];
      const end = new RegExp(`^${indent}[\\])}]`, 'm').exec(text.slice(start));
      if (end === null) throw lost(file, `the end of "${opening}"`);
      const at = start + end.index;
      return `${text.slice(0, at)}${indent}  ${line}\n${text.slice(at)}`;
    },
  };
}

/** Beside a text that stands in the file once. */
export function before(file: string, place: string, line: string): Edit {
  return {
    file,
    line: line.trim(),
    apply: (text) => {
      const at = onlyPlace(file, text, place);
      return text.slice(0, at) + line + text.slice(at);
    },
  };
}

function onlyPlace(file: string, text: string, place: string): number {
  const at = text.indexOf(place);
  if (at < 0 || text.includes(place, at + 1)) throw lost(file, `"${place}"`);
  return at;
}

function lost(file: string, what: string): Refused {
  return new Refused(
    `${file} has changed: ${what} is not there once. Correct the edit in scripts/new/kinds.`,
  );
}
