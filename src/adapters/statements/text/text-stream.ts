// Reads the beginning of a byte stream in advance, and decodes its text. The byte order mark decides the encoding; the default is
// UTF-8. From the first invalid UTF-8 byte on, the text is decoded as Windows-1252, in which every byte is valid.
export interface PeekedStream {
  readonly head: Buffer;
  readonly all: AsyncIterable<Uint8Array>;
}

const HEAD_BYTES = 65_536;

export async function peekStream(bytes: AsyncIterable<Uint8Array>, size = HEAD_BYTES): Promise<PeekedStream> {
  const iterator = bytes[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let length = 0;
  let ended = false;
  while (length < size) {
    const { value, done } = await iterator.next();
    if (done === true) {
      ended = true;
      break;
    }
    first.push(value);
    length += value.length;
  }
  const head = Buffer.concat(first);
  async function* everything() {
    try {
      if (head.length > 0) yield head;
      while (!ended) {
        const { value, done } = await iterator.next();
        if (done === true) break;
        yield value;
      }
    } finally {
      await iterator.return?.();
    }
  }
  return { head: head.subarray(0, size), all: everything() };
}

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

function encodingOf(head: Uint8Array): Encoding {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}

export function decodeHead(head: Uint8Array): string {
  const encoding = encodingOf(head);
  return new TextDecoder(encoding).decode(head);
}

/** Pieces are small, so that the memory of one piece can be freed before the next one is read. */
const PIECE_BYTES = 16_384;

async function* splitIntoPieces(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes)
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) yield chunk.subarray(at, at + PIECE_BYTES);
}

export async function* decodeText({ head, all: bytes }: PeekedStream): AsyncGenerator<string> {
  const all = splitIntoPieces(bytes);
  const encoding = encodingOf(head);
  if (encoding !== 'utf-8') {
    const decoder = new TextDecoder(encoding);
    for await (const chunk of all) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
    return;
  }
  let rest: Uint8Array = new Uint8Array(0);
  let isFirst = true;
  let old: InstanceType<typeof TextDecoder> | null = null;
  for await (const chunk of all) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const whole = old === null ? bytes.length - incompleteTailLength(bytes) : bytes.length;
    rest = bytes.subarray(whole);
    let text = old === null ? decodeUtf8(bytes.subarray(0, whole)) : old.decode(bytes);
    if (text === null) {
      old = new TextDecoder('windows-1252');
      text = old.decode(bytes);
      rest = new Uint8Array(0);
    }
    if (isFirst) text = text.replace(/^\ufeff/, '');
    isFirst = false;
    yield text;
  }
  if (rest.length > 0) yield decodeUtf8(rest) ?? new TextDecoder('windows-1252').decode(rest);
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Returns the number of bytes of an incomplete character at the end. */
function incompleteTailLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) {
      const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return needed > back ? back : 0;
    }
  }
  return 0;
}

/**
 * One line of a text with its number. A line that is too long for any statement is not kept in memory, and its text is null.
 */
export interface TextLine {
  readonly number: number;
  /** Null if the line is longer than MOST_CHARACTERS. */
  readonly text: string | null;
  /** True for a last line without a line end. The file may have been cut off inside of it. */
  readonly isOpen?: boolean;
}

export const MOST_CHARACTERS = 65_536;

/** Lines end with LF, CRLF or CR. Each group contains the lines that one piece of text completes. */
export async function* splitIntoLines(text: AsyncIterable<string>): AsyncGenerator<readonly TextLine[]> {
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
      // A CR at the end of a piece may be the first half of a CRLF.
      rest = rest.endsWith('\r') ? '\r' : '';
      tooLong = true;
    }
    if (lines.length > 0) yield lines;
  }
  const last = rest.replace(/\r$/, '');
  if (tooLong || last !== '') yield [{ number, text: tooLong ? null : last, isOpen: !rest.endsWith('\r') }];
}
