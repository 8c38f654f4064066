// Parses server-sent events from bytes according to the HTML standard. Lines end with CR, LF or both, and a character may be
// split between chunks. An event without a final blank line is ignored.
import { SliproadUnexpectedAnswerError } from '../errors.ts';

export interface Message {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: string;
}

export interface Parsed {
  readonly messages: readonly Message[];
  /** The delay in milliseconds before a reconnect, as the server requested it. */
  readonly retryMs: number | undefined;
}

export interface SseParser {
  push(bytes: Uint8Array): Parsed;
}

/** This is more than any event needs. An endless line must not fill the memory. */
const MOST_CHARACTERS = 8 * 1024 * 1024;

export function makeSseParser(): SseParser {
  const decoder = new TextDecoder();
  let rest = '';
  let afterCr = false;
  let id: string | undefined;
  let event = '';
  let data: string[] = [];
  let held = 0;

  const takeField = (line: string): number | undefined => {
    const colon = line.indexOf(':');
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'data') data.push(value);
    else if (name === 'event') event = value;
    else if (name === 'id' && !value.includes('\0')) id = value;
    else if (name === 'retry' && /^\d{1,9}$/.test(value)) return Number(value);
    return undefined;
  };

  const finish = (): Message | undefined => {
    const message = { id, event: event === '' ? 'message' : event, data: data.join('\n') };
    const isEmpty = data.length === 0;
    event = '';
    data = [];
    held = 0;
    return isEmpty ? undefined : message;
  };

  return {
    push(bytes) {
      let text = decoder.decode(bytes, { stream: true });
      // Skips the LF of a CRLF that was split between two chunks.
      if (afterCr && text !== '') {
        afterCr = false;
        if (text.startsWith('\n')) text = text.slice(1);
      }
      const lines = (rest + text).split(/\r\n|\r|\n/);
      if (text.endsWith('\r')) afterCr = true;
      rest = lines.pop() ?? '';
      const messages: Message[] = [];
      let retryMs: number | undefined;
      for (const line of lines) {
        held += line.length;
        if (line === '') {
          const message = finish();
          if (message !== undefined) messages.push(message);
        } else if (!line.startsWith(':')) retryMs = takeField(line) ?? retryMs;
      }
      if (rest.length + held > MOST_CHARACTERS) throw tooLarge();
      return { messages, retryMs };
    },
  };
}

function tooLarge(): SliproadUnexpectedAnswerError {
  const message = `The stream sent an event of more than ${MOST_CHARACTERS} characters. Check baseUrl.`;
  return new SliproadUnexpectedAnswerError('unexpected_answer', message);
}
