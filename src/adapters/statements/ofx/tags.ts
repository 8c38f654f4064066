// The tags of an OFX file, each with the text behind it, cut out of a stream.
import { UnreadableStatement } from '../../../ports/statements/reader.ts';

export interface Tag {
  /** In capitals; a closing tag begins with a slash. */
  readonly name: string;
  /** The text up to the next tag; null for a closing tag. */
  readonly value: string | null;
  readonly line: number;
}

/** More characters between two tags are no value. */
const MOST_VALUE = 10_000;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

export async function* tagsOf(text: AsyncIterable<string>): AsyncGenerator<readonly Tag[]> {
  let rest = '';
  let line = 1;
  let isCut = false;
  for await (const piece of text) {
    rest += piece;
    const tags: Tag[] = [];
    let at = rest.indexOf('<');
    let passed = 0;
    while (at !== -1) {
      const end = rest.indexOf('>', at);
      if (end === -1) break;
      const next = rest.indexOf('<', end);
      if (next === -1 && rest.length - end <= MOST_VALUE) break;
      const name = rest.slice(at + 1, end).trim();
      refuseTypes(name);
      line += linesIn(rest, passed, at);
      const value = next === -1 ? null : rest.slice(end + 1, next);
      tags.push({ name: nameOf(name), value: cleanValue(name, value), line });
      passed = at;
      isCut = next === -1;
      at = next;
      if (isCut) break;
    }
    if (isCut || (at === -1 && rest.length > MOST_VALUE)) at = rest.length;
    const keep = at === -1 ? passed : at;
    line += linesIn(rest, passed, keep);
    rest = rest.slice(keep);
    if (rest.length > 2 * MOST_VALUE) rest = rest.slice(0, 1);
    isCut = false;
    if (tags.length > 0) yield tags;
  }
  const last = /^<([^>]*)>([\s\S]*)$/.exec(rest);
  if (last !== null) yield [{ name: nameOf(last[1]!.trim()), value: cleanValue(last[1]!, last[2]!), line }];
}

function refuseTypes(name: string): void {
  if (/^!(?:DOCTYPE|ENTITY|ELEMENT|ATTLIST)/i.test(name))
    throw new UnreadableStatement(
      'The file has a document type or entities of its own. Bank statements need none, so it is not read: ask the bank for a plain file.',
    );
}

function nameOf(name: string): string {
  return name.split(/\s/)[0]!.toUpperCase();
}

function cleanValue(name: string, value: string | null): string | null {
  if (value === null || name.startsWith('/')) return null;
  return value.replaceAll(/&(amp|lt|gt|quot|apos|nbsp);/g, (_whole, each: string) => ENTITIES[each]!).trim();
}

function linesIn(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
