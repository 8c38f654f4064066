// Reads the tags of an OFX file from a stream, each with the text after the tag.
import { refuseDocumentTypes, StreamedText } from '../text/elements.ts';

export interface OfxTag {
  /** The name is in capital letters. The name of a closing tag begins with a slash. */
  readonly name: string;
  /** The text up to the next tag. Null for a closing tag. */
  readonly value: string | null;
  readonly line: number;
}

const MOST_VALUE = 10_000;
const LONGEST_TAG = 20_000;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

export async function* readOfxTags(text: AsyncIterable<string>): AsyncGenerator<readonly OfxTag[]> {
  const passing = new StreamedText();
  for await (const piece of text) {
    passing.add(piece);
    const tags: OfxTag[] = [];
    for (let next = takeTag(passing); next !== null; next = takeTag(passing)) tags.push(next);
    if (tags.length > 0) yield tags;
  }
  const last = /^<([^>]*)>([\s\S]*)$/.exec(passing.rest);
  if (last !== null) yield [tagOf(last[1]!, last[2]!, passing.line)];
}

/** Returns the next tag. Returns null if there is none, or if the tag or its value continues in the next piece of text. */
function takeTag(text: StreamedText): OfxTag | null {
  const start = text.rest.indexOf('<');
  text.pass(start === -1 ? text.rest.length : start);
  const { rest, line } = text;
  const end = rest.indexOf('>');
  if (end === -1) {
    if (rest.length > LONGEST_TAG) text.keep(0);
    return null;
  }
  const next = rest.indexOf('<', end);
  if (next === -1 && rest.length - end <= MOST_VALUE) return null;
  text.pass(next === -1 ? rest.length : next);
  return tagOf(rest.slice(1, end), next === -1 ? null : rest.slice(end + 1, next), line);
}

/** `value` is null if the value is too long. */
function tagOf(inside: string, value: string | null, line: number): OfxTag {
  const name = inside.trim();
  refuseDocumentTypes(`<${name}`);
  return { name: nameOf(name), value: cleanValue(name, value), line };
}

function nameOf(name: string): string {
  return name.split(/\s/)[0]!.toUpperCase();
}

function cleanValue(name: string, value: string | null): string | null {
  if (value === null || name.startsWith('/')) return null;
  return value.replaceAll(/&(amp|lt|gt|quot|apos|nbsp);/g, (_whole, each: string) => ENTITIES[each]!).trim();
}
