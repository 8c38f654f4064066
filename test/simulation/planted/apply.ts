// Applies the patches of a planted bug to the source files in memory. If a patch cannot be applied, or its code cannot run, the
// error names the bug, the function and the missing part.
import path from 'node:path';
import { parseSync } from 'oxc-parser';
import { locate, locateSnippet } from './locate.ts';
import { namesUsed } from './names.ts';
import type { Bug, Change, Import } from './patch.ts';
import { declarationsNamed, type Sources } from './sources.ts';
import { skipSpace } from './tokens.ts';

const OPENING = new Set(['(', '[', '{', ',']);

export function applyBug(bug: Bug, sources: Sources): ReadonlyMap<string, string> {
  const patched = new Map<string, string>();
  for (const patch of bug.patches) {
    const now = new Map([...sources, ...patched]);
    let file = '';
    try {
      file = locate(now, patch).file;
      patched.set(file, 'name' in patch ? withImport(patch, file, now) : changed(patch, file, now));
    } catch (error) {
      const place = file === '' ? '' : `, ${file}`;
      throw new Error(`${bug.name} (in ${patch.in}${place}): ${(error as Error).message}`);
    }
  }
  return patched;
}

export function findStale(bugs: readonly Bug[], sources: Sources): readonly string[] {
  return bugs.flatMap((bug) => {
    try {
      applyBug(bug, sources);
      return [];
    } catch (error) {
      return [(error as Error).message];
    }
  });
}

function changed(change: Change, file: string, sources: Sources): string {
  const text = sources.get(file)!;
  const { start, end, before } = locateSnippet(sources, locate(sources, change), change);
  const { put, where } = change;
  // When a patch removes an item from a list, it must remove one comma too.
  const comma = skipSpace(text, end);
  const leavesComma = put === '' && OPENING.has(before ?? '') && text[comma] === ',';
  const from = where === 'after' ? end : start;
  const to = where === 'before' ? start : leavesComma ? comma + 1 : end;
  const result = `${text.slice(0, from)} ${put} ${text.slice(to)}`;
  mustRun(result, { from, to: from + put.length + 2 }, file, sources);
  return result;
}

function mustRun(
  text: string,
  { from, to }: { readonly from: number; readonly to: number },
  file: string,
  sources: Sources,
): void {
  const { program, errors } = parseSync(file, text);
  if (errors[0] !== undefined) throw new Error(`the changed code cannot be parsed: ${errors[0].message}`);
  const { undeclared, properties } = namesUsed(program, from, to);
  if (undeclared.length > 0)
    throw new Error(
      `the new code uses ${undeclared.join(', ')}, not declared in the file: rename it, or addImport`,
    );
  const unknown = properties.filter((name) => !isMentioned(sources, name));
  if (unknown.length > 0)
    throw new Error(
      `the new code uses the property ${unknown.join(', ')}, which no source mentions any more`,
    );
}

function isMentioned(sources: Sources, name: string): boolean {
  const word = new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`);
  return sources.values().some((text) => text.includes(name) && word.test(text));
}

function withImport({ name }: Import, file: string, sources: Sources): string {
  const text = sources.get(file)!;
  const { module } = parseSync(file, text);
  const isImported = module.staticImports.some(({ entries }) =>
    entries.some(({ localName, isType }) => localName.value === name && !isType),
  );
  if (isImported || declarationsNamed(sources, name).some((each) => each.file === file)) return text;
  const [only, ...others] = declarationsNamed(sources, name).filter(({ isExported }) => isExported);
  if (only === undefined) throw new Error(`${name} cannot be imported: no file exports it`);
  if (others.length > 0)
    throw new Error(
      `${name} cannot be imported: ${[only, ...others].map((each) => each.file).join(' and ')} export it`,
    );
  const relative = path.posix.relative(path.posix.dirname(file), only.file);
  return `import { ${name} } from '${relative.startsWith('.') ? relative : `./${relative}`}';\n${text}`;
}
