// The lines of a text, each with its number. A line that is too long for any statement is not kept in memory: it comes as null.

export interface TextLine {
  readonly number: number;
  /** Null: it is longer than MOST_CHARACTERS. */
  readonly text: string | null;
}

export const MOST_CHARACTERS = 65_536;

/** Lines end with LF, CRLF or CR. Each group is what one piece of the text completed. */
export async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<readonly TextLine[]> {
  let number = 1;
  let rest = '';
  let tooLong = false;
  for await (const piece of text) {
    const parts = (rest + piece).split(/\r\n|\n|\r(?!$)/);
    const last = parts.pop()!;
    const lines = parts.map((part): TextLine => {
      const isLong = tooLong || part.length > MOST_CHARACTERS;
      tooLong = false;
      return { number: number++, text: isLong ? null : part };
    });
    rest = last;
    if (rest.length > MOST_CHARACTERS) {
      // A CR may be the first half of a line end.
      rest = rest.endsWith('\r') ? '\r' : '';
      tooLong = true;
    }
    if (lines.length > 0) yield lines;
  }
  const last = rest.replace(/\r$/, '');
  if (tooLong || last !== '') yield [{ number, text: tooLong ? null : last }];
}
