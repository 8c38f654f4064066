// Cuts elements out of a stream of XML or SGML text, one at a time, so that even a large file needs little memory. Document types
// and entities are refused before anything is parsed.
import { UnreadableStatement } from '../../../ports/statements.ts';

/**
 * A text that arrives in pieces. Text that was already processed is dropped, so that only the needed part stays in memory. `line`
 * is the number of the line at which `rest` begins.
 */
export class StreamedText {
  rest = '';
  line = 1;

  add(piece: string): void {
    this.rest += piece;
  }

  pass(length: number): void {
    // Only the dropped text is searched for line breaks, because a file may be one long line.
    const passed = this.rest.slice(0, length);
    for (let at = passed.indexOf('\n'); at !== -1; at = passed.indexOf('\n', at + 1)) this.line++;
    this.rest = this.rest.slice(length);
  }

  /** Keeps only this many characters at the end, which may be the beginning of a tag, and drops the text before them. */
  keep(length: number): void {
    this.pass(Math.max(0, this.rest.length - length));
  }
}

/** Document types and entities are refused, because they can refer to other files and can expand without limit. */
export function refuseDocumentTypes(text: string): void {
  if (/<!(?:DOCTYPE|ENTITY|ELEMENT|ATTLIST)/i.test(text))
    throw new UnreadableStatement(
      'The file has a document type or entities of its own. Bank statements need none, so it is not read: ask the bank for a plain file.',
    );
}

export interface XmlElement {
  /** The name without its namespace prefix. */
  readonly name: string;
  /** The whole element, including its tags; null if it is too long. */
  readonly text: string | null;
  readonly line: number;
}

const OVERLAP = 12;
const LONGEST_TAG = 4_000;

export interface CutOptions {
  /** The prefix of the document's namespace, or '' if there is none. Elements of other namespaces are ignored. */
  readonly prefix: string;
  readonly names: readonly string[];
  readonly mostCharacters: number;
}

export async function* cutElements(
  text: AsyncIterable<string>,
  options: CutOptions,
): AsyncGenerator<readonly XmlElement[]> {
  const cutter = new ElementCutter(options);
  let tail = '';
  for await (const piece of text) {
    refuseDocumentTypes(tail + piece);
    tail = piece.slice(-OVERLAP);
    const found = cutter.take(piece);
    if (found.length > 0) yield found;
  }
  const last = cutter.end();
  if (last !== null) yield [last];
}

class ElementCutter {
  readonly #text = new StreamedText();
  readonly #start: RegExp;
  readonly #most: number;
  /** Set while the reader is inside a comment or CDATA section, which is skipped up to this text. */
  #until: string | null = null;

  constructor({ prefix, names, mostCharacters }: CutOptions) {
    this.#start = new RegExp(
      String.raw`<!--|<!\[CDATA\[|<(${prefix}(?:${names.join('|')}))(?:\s[^<>]*)?(\/?)>`,
    );
    this.#most = mostCharacters;
  }

  take(piece: string): readonly XmlElement[] {
    this.#text.add(piece);
    const found: XmlElement[] = [];
    while (this.#leaveHidden()) {
      const start = this.#start.exec(this.#text.rest);
      if (start === null) {
        this.#text.keep(LONGEST_TAG);
        break;
      }
      this.#text.pass(start.index);
      if (start[0].startsWith('<!')) {
        this.#until = start[0] === '<!--' ? '-->' : ']]>';
        continue;
      }
      const element = this.#elementAt(start);
      if (element === null) break;
      found.push(element);
    }
    return found;
  }

  end(): XmlElement | null {
    const cut = this.#start.exec(this.#text.rest);
    if (this.#until !== null || cut?.[1] === undefined) return null;
    this.#text.pass(cut.index);
    return { name: localName(cut[1]), text: null, line: this.#text.line };
  }

  /** Skips a comment or CDATA section. Returns false if the comment or section continues in the next piece of text. */
  #leaveHidden(): boolean {
    if (this.#until === null) return true;
    const end = this.#text.rest.indexOf(this.#until);
    if (end === -1) {
      this.#text.keep(this.#until.length);
      return false;
    }
    this.#text.pass(end + this.#until.length);
    this.#until = null;
    return true;
  }

  /** Returns the element at the beginning of the text, or null if the element continues in the next piece of text. */
  #elementAt(start: RegExpExecArray): XmlElement | null {
    const [tag, name, closed] = start as unknown as [string, string, string];
    const { rest, line } = this.#text;
    const close = `</${name}>`;
    const end = closed === '/' ? 0 : rest.indexOf(close, tag.length);
    if (end === -1) {
      if (rest.length <= this.#most) return null;
      this.#until = close;
      return { name: localName(name), text: null, line };
    }
    const length = closed === '/' ? tag.length : end + close.length;
    this.#text.pass(length);
    return { name: localName(name), text: rest.slice(0, length), line };
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
