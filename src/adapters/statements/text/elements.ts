// Cuts elements out of a stream of XML or SGML text, one at a time, so that a file of any length needs little memory. Document types
// and entities are refused before anything is parsed.
import { UnreadableStatement } from '../../../ports/statements/reader.ts';

export interface Element {
  /** Without the prefix of its namespace. */
  readonly name: string;
  /** The whole element, its tags included; null: it is too long to be kept. */
  readonly text: string | null;
  readonly line: number;
}

const FORBIDDEN = /<!(?:DOCTYPE|ENTITY|ELEMENT|ATTLIST)/i;
const OVERLAP = 12;
/** A start tag or a comment that is longer than this many characters is dropped as it passes. */
const LONGEST_TAG = 4_000;

export interface CutOptions {
  /** Of the namespace of the document; '' without one. Elements of other namespaces are passed over. */
  readonly prefix: string;
  /** The elements to hand out, without prefix, as they are written. */
  readonly names: readonly string[];
  readonly mostCharacters: number;
}

export async function* elementsOf(
  text: AsyncIterable<string>,
  { prefix, names, mostCharacters }: CutOptions,
): AsyncGenerator<readonly Element[]> {
  const START = new RegExp(String.raw`<!--|<!\[CDATA\[|<(${prefix}(?:${names.join('|')}))(?:\s[^>]*)?(\/?)>`);
  let rest = '';
  let line = 1;
  let tail = '';
  /** Inside of something that is passed over, up to this text. */
  let until: string | null = null;
  const pass = (length: number) => {
    for (let at = rest.indexOf('\n'); at !== -1 && at < length; at = rest.indexOf('\n', at + 1)) line++;
    rest = rest.slice(length);
  };
  for await (const piece of text) {
    if (FORBIDDEN.test(tail + piece))
      throw new UnreadableStatement(
        'The file has a document type or entities of its own. Bank statements need none, so it is not read: ask the bank for a plain file.',
      );
    tail = piece.slice(-OVERLAP);
    rest += piece;
    const found: Element[] = [];
    for (;;) {
      if (until !== null) {
        const end = rest.indexOf(until);
        if (end === -1) {
          pass(Math.max(0, rest.length - until.length));
          break;
        }
        pass(end + until.length);
        until = null;
      }
      const start = START.exec(rest);
      if (start === null) {
        pass(Math.max(0, rest.length - LONGEST_TAG));
        break;
      }
      pass(start.index);
      if (start[0].startsWith('<!')) {
        until = start[0] === '<!--' ? '-->' : ']]>';
        continue;
      }
      const [tag, name, closed] = start as unknown as [string, string, string];
      const close = `</${name}>`;
      const end = closed === '/' ? 0 : rest.indexOf(close, tag.length);
      if (end === -1) {
        if (rest.length <= mostCharacters) break;
        found.push({ name: localName(name), text: null, line });
        until = close;
        continue;
      }
      const length = closed === '/' ? tag.length : end + close.length;
      found.push({ name: localName(name), text: rest.slice(0, length), line });
      pass(length);
    }
    if (found.length > 0) yield found;
  }
  const cut = START.exec(rest);
  if (until === null && cut?.[1] !== undefined)
    yield [{ name: localName(cut[1]), text: null, line: line + countLines(rest.slice(0, cut.index)) }];
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function countLines(text: string): number {
  return text.split('\n').length - 1;
}
