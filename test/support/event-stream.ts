// A client of an event stream, as an integrator would write it. It stores the received events and the position from which to
// resume.

export interface Received {
  readonly id: string;
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events freely
  readonly data: any;
}

export interface StreamClient {
  readonly status: number;
  readonly headers: Headers;
  readonly received: readonly Received[];
  readonly comments: readonly string[];
  readonly text: string;
  /** Resolves when the stream has ended, with the reason if the service sent one. */
  readonly over: Promise<string | undefined>;
  close(): void;
}

export async function openStream(
  url: string,
  { key, lastEventId, onEvent }: { key: string; lastEventId?: string; onEvent?: (event: Received) => void },
): Promise<StreamClient> {
  const aborting = new AbortController();
  const response = await fetch(url, {
    headers: {
      'svc-sec-key': key,
      accept: 'text/event-stream',
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    },
    signal: aborting.signal,
  });
  const received: Received[] = [];
  const comments: string[] = [];
  const { status, headers } = response;
  const close = () => aborting.abort();
  const base = { status, headers, received, comments, close };
  if (status !== 200) return { ...base, text: await response.text(), over: Promise.resolve(undefined) };
  return { ...base, text: '', over: follow(response, received, comments, onEvent) };
}

async function follow(
  response: Response,
  received: Received[],
  comments: string[],
  onEvent: ((event: Received) => void) | undefined,
): Promise<string | undefined> {
  let rest = '';
  const decoder = new TextDecoder();
  try {
    for await (const bytes of response.body!) {
      rest += decoder.decode(bytes, { stream: true });
      const blocks = rest.split('\n\n');
      rest = blocks.pop()!;
      for (const block of blocks) {
        if (block.startsWith(':')) comments.push(block);
        const fields = fieldsOf(block);
        if (fields.event === 'stream.ended') return JSON.parse(fields.data!).reason;
        if (fields.id === undefined) continue;
        const event = { id: fields.id, type: fields.event!, data: JSON.parse(fields.data!) };
        received.push(event);
        onEvent?.(event);
      }
    }
  } catch {
    // The stream was cut off, and an incomplete event does not count.
  }
  return undefined;
}

function fieldsOf(block: string): Record<string, string> {
  const lines = block.split('\n').filter((line) => !line.startsWith(':'));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
}
