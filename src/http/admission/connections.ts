// Enforces the limits on connections: how many there are, how many requests of each are in progress, and whether the client
// receives its answers. A connection over a limit is closed; all others go on.
import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { clientOfAddress } from './client-address.ts';
import type { Traffic } from './traffic.ts';

/** Requests that one connection may have in progress. Clients that pipeline use a few; most use one. */
export const MOST_PIPELINED = 32;
/** The whole answer may take this many times the time limit of one write. */
const STEPS = 10;

export interface ConnectionOptions {
  readonly traffic: Traffic;
  readonly writeTimeoutMs: number;
  readonly requestTimeoutMs: number;
  /** Refuses the first request over the limit, and closes the connection after it. */
  readonly refuse: (response: ServerResponse) => void;
  /** Called once for each request, when its answer is sent or its connection is gone. */
  readonly answered: (response: ServerResponse) => void;
}

export interface Connections {
  /** Every open connection; with TLS the TCP connection below it. */
  readonly open: ReadonlySet<Socket>;
  watch(server: Server): void;
  /** Checks the limits before the handler is called. */
  guard(handler: RequestListener): RequestListener;
  /** The last answer of a connection that is not sent completely yet. */
  lastAnswerOn(socket: Socket): ServerResponse | undefined;
  /** The answer is a stream without end: it counts as answered, and nothing else is answered on its connection. */
  release(response: ServerResponse): void;
  /** The body is a large file: no time limit for all of it, only for a pause in which nothing of it arrives. */
  takeUpload(response: ServerResponse): void;
  /** Whether the rest of a large file is still to arrive. */
  isUploading(socket: Socket): boolean;
  answers(): Iterable<ServerResponse>;
}

interface ConnectionState {
  readonly client: string;
  readonly isProxy: boolean;
  /** Requests in progress, oldest first: not answered yet, or the answer not received yet. */
  readonly pending: Set<ServerResponse>;
  last: ServerResponse | undefined;
  /** When the connection last had nothing pending, or finished an answer. */
  movedAt: number;
  flooded: boolean;
  /** Its last answer is a stream. */
  streams: boolean;
  upload: { readonly response: ServerResponse; bytesRead: number } | undefined;
}

/** The connections of one application, on all addresses that it listens on. */
interface ConnectionTable {
  readonly open: Set<Socket>;
  readonly lines: Map<Socket, ConnectionState>;
  /** A counter that grows at a steady pace while a server is open: a clock that is cheap to read. */
  beat: number;
  beating: NodeJS.Timeout | undefined;
}

export function makeConnections(options: ConnectionOptions): Connections {
  const { traffic } = options;
  const book: ConnectionTable = { open: new Set(), lines: new Map(), beat: 0, beating: undefined };
  const { lines } = book;
  const settle = (line: ConnectionState, response: ServerResponse): void => {
    if (!line.pending.delete(response)) return;
    line.movedAt = book.beat;
    traffic.end(line.client);
    options.answered(response);
  };
  const lineOf = (socket: Socket): ConnectionState => {
    const known = lines.get(socket);
    if (known !== undefined) return known;
    const line = makeConnectionState(socket, book.beat, traffic);
    lines.set(socket, line);
    socket.once('close', () => {
      lines.delete(socket);
      // Answers that wait behind another one get no `close` event when the connection ends.
      for (const response of line.pending) settle(line, response);
    });
    return line;
  };
  function onClose(this: ServerResponse): void {
    const line = lines.get(this.req.socket);
    if (line !== undefined) settle(line, this);
  }

  /** Whether the request is to be handled. */
  const begin = (response: ServerResponse): boolean => {
    const { socket } = response.req;
    const line = lineOf(socket);
    if (line.pending.size === 0) line.movedAt = book.beat;
    line.pending.add(response);
    traffic.begin(line.client);
    response.on('close', onClose);
    const crowded = line.pending.size > 1 && traffic.isCrowded(line.client, line.isProxy);
    const unwanted = crowded || line.streams;
    if (!line.flooded && !unwanted && line.pending.size <= MOST_PIPELINED) {
      line.last = response;
      return true;
    }
    // Requests that arrived in one read are still parsed after this one; they come here and are not handled.
    if (unwanted) socket.destroy();
    else if (!line.flooded) {
      line.flooded = true;
      line.last = response;
      socket.pause();
      options.refuse(response);
    }
    return false;
  };
  return {
    open: book.open,
    watch: (server) => watchServer(server, book, options),
    guard: (handler) => (request, response) => {
      if (begin(response as ServerResponse)) handler(request, response);
    },
    lastAnswerOn: (socket) => lines.get(socket)?.last,
    release: (response) => {
      const line = lines.get(response.req.socket);
      if (line === undefined) return;
      line.streams = true;
      settle(line, response);
    },
    ...makeUploads(lines),
    answers: function* () {
      for (const { pending } of lines.values()) yield* pending;
    },
  };
}

function makeConnectionState(socket: Socket, beat: number, traffic: Traffic): ConnectionState {
  const address = socket.remoteAddress ?? '';
  return {
    client: clientOfAddress(address),
    isProxy: traffic.isProxy(address),
    pending: new Set(),
    last: undefined,
    movedAt: beat,
    flooded: false,
    streams: false,
    upload: undefined,
  };
}

function makeUploads(lines: ConnectionTable['lines']): Pick<Connections, 'takeUpload' | 'isUploading'> {
  return {
    takeUpload: (response) => {
      const { socket } = response.req;
      const line = lines.get(socket);
      if (line !== undefined) line.upload = { response, bytesRead: socket.bytesRead };
    },
    isUploading: (socket) => isArriving(lines.get(socket)?.upload),
  };
}

function isArriving(upload: ConnectionState['upload']): upload is NonNullable<ConnectionState['upload']> {
  return upload !== undefined && !upload.response.req.complete;
}

/** More of it arrived since the last time, or it waits for us. Once it is answered, its rest has no more time than any request. */
function hasMoved(socket: Socket, upload: NonNullable<ConnectionState['upload']>): boolean {
  const { bytesRead, response } = upload;
  upload.bytesRead = socket.bytesRead;
  return !response.writableFinished && (socket.bytesRead !== bytesRead || response.req.readableLength > 0);
}

function watchServer(server: Server, book: ConnectionTable, options: ConnectionOptions): void {
  const { traffic, writeTimeoutMs } = options;
  server.prependListener('connection', (socket: Socket) => {
    const address = socket.remoteAddress;
    const client = clientOfAddress(address);
    if (address === undefined || !traffic.connect(client, traffic.isProxy(address))) {
      socket.destroy();
      return;
    }
    book.open.add(socket);
    socket.once('close', () => {
      book.open.delete(socket);
      traffic.disconnect(client);
    });
  });
  server.setTimeout(writeTimeoutMs, (socket: Socket) => {
    const [head] = book.lines.get(socket)?.pending ?? [];
    // While no answer has begun, the service is still working on it or the time limit of the request applies.
    if (head === undefined || head.headersSent) socket.destroy();
  });
  const beatMs = Math.max(100, Math.min(5_000, writeTimeoutMs / 4));
  const patience = Math.ceil((STEPS * writeTimeoutMs + options.requestTimeoutMs) / beatMs);
  const pause = Math.ceil(options.requestTimeoutMs / beatMs);
  book.beating ??= setInterval(() => {
    book.beat++;
    for (const [socket, line] of book.lines) {
      const { pending, upload } = line;
      const isUpload = isArriving(upload);
      if (isUpload && hasMoved(socket, upload)) line.movedAt = book.beat;
      const isWaitedFor = pending.size > 0 || isUpload;
      if (isWaitedFor && book.beat - line.movedAt > (isUpload ? pause : patience)) socket.destroy();
    }
  }, beatMs).unref();
  server.once('close', () => clearInterval(book.beating));
}

// Closes connections that would keep a closing server open forever: Node waits for each that sent no request or only a part
// of one, and stops its own time limits. Only connections with an answer pending are waited for.

/** How long the rest of a request may still arrive after the close has begun. */
const GRACE_MS = 1_000;
const CHECK_EVERY_MS = 50;

export function dropStragglersOnClose(
  app: FastifyInstance,
  connections: Connections,
  writeTimeoutMs: number,
): void {
  app.addHook('preClose', (done) => {
    const graceUntil = performance.now() + GRACE_MS;
    const looking = setInterval(() => {
      const now = performance.now();
      // An answer that the client receives too slowly delays the close for one write time limit at most.
      const tooLate = now > graceUntil + writeTimeoutMs;
      const waits = (answer: ServerResponse) => isAnswerOwed(answer) && !(tooLate && answer.headersSent);
      if (now < graceUntil || [...connections.answers()].some(waits)) return;
      for (const socket of connections.open) socket.destroy();
    }, CHECK_EVERY_MS);
    app.server.once('close', () => clearInterval(looking));
    if (!app.server.listening) clearInterval(looking);
    done();
  });
}

/** Whether the request has arrived completely and its answer is not sent completely. */
export function isAnswerOwed(answer: ServerResponse): boolean {
  return answer.req.complete && !answer.writableFinished && !answer.destroyed;
}
