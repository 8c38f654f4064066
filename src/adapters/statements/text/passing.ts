// A text that comes in pieces and is left behind as it is read, so that only what is needed stays in memory, and the number of the
// line that the rest begins with.
import { UnreadableStatement } from '../../../ports/statements/reader.ts';

export class PassingText {
  rest = '';
  line = 1;

  add(piece: string): void {
    this.rest += piece;
  }

  /** Leaves so many characters behind. */
  pass(length: number): void {
    // Only what is left behind is searched: a file may be one line.
    const passed = this.rest.slice(0, length);
    for (let at = passed.indexOf('\n'); at !== -1; at = passed.indexOf('\n', at + 1)) this.line++;
    this.rest = this.rest.slice(length);
  }

  /** Leaves all behind but so many characters, which may be the beginning of something. */
  keep(length: number): void {
    this.pass(Math.max(0, this.rest.length - length));
  }
}

/** Document types and entities of a file can name other files, and can grow without end. */
export function refuseDocumentTypes(text: string): void {
  if (/<!(?:DOCTYPE|ENTITY|ELEMENT|ATTLIST)/i.test(text))
    throw new UnreadableStatement(
      'The file has a document type or entities of its own. Bank statements need none, so it is not read: ask the bank for a plain file.',
    );
}
