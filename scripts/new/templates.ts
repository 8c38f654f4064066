// The files of a scaffold: every text below scripts/new/templates/<kind> has the path of its future file, with placeholders NAME
// and AREA in the path and {{…}} in the text.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ScaffoldRefused } from './names.ts';

const room = path.join(import.meta.dirname, 'templates');

/** The files by path from the root of the repository. */
export function readTemplateFiles(
  kind: string,
  values: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const names = globSync('**/*.txt', { cwd: path.join(room, kind) }).sort();
  return Object.fromEntries(
    names.map((name) => {
      const file = name
        .replaceAll(path.sep, '/')
        .replaceAll('NAME', values.name ?? '')
        .replaceAll('AREA', values.area ?? '')
        .replace(/\.txt$/, '');
      return [file, fillTemplate(readFileSync(path.join(room, kind, name), 'utf8'), values, name)];
    }),
  );
}

function fillTemplate(text: string, values: Readonly<Record<string, string>>, name: string): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, key: string) => {
    const value = values[key];
    if (value === undefined)
      throw new ScaffoldRefused(`The template ${name} asks for {{${key}}}, which has no value.`);
    return value;
  });
}
