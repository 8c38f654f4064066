// Enforces the limits on connections: their number, the requests in progress on each, and the time in which the client must
// receive its responses. A connection that exceeds a limit is closed; all other connections continue.
import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { clientOfAddress } from './client-address.ts';
import type { Traffic } from './traffic.ts';

/**
 * The maximum number of requests in progress on one connection. Clients that pipeline have a few requests in progress; most
 * clients have one.
 */
export const MOST_PIPELINED = 32;
/** Sending a whole response may take this many times the time limit of one write. */
const STEPS = 10;

export interface ConnectionOptions {
  readonly traffic: Traffic;
  readonly writeTimeoutMs: number;
  readonly requestTimeoutMs: number;
  /** Refuses the first request over the limit, and closes the connection after it. */
  readonly refuse: (response: ServerResponse) => void;
  /** Called once for each request, when its response is sent or its connection is closed. */
  readonly answered: (response: ServerResponse) => void;
}

export interface Connections {
  /** Every open connection; with TLS, the underlying TCP connection. */
  readonly open: ReadonlySet<Socket>;
  watch(server: Server): void;
  /** Checks the limits before the handler is called. */
  guard(handler: RequestListener): RequestListener;
  /** The last response of a connection, if it is not completely sent yet. */
  lastAnswerOn(socket: Socket): ServerResponse | undefined;
  /**
   * The response is an endless stream: the request no longer counts as in progress, and its connection accepts no other request.
   */
  release(response: ServerResponse): void;
  /** The body is a large file. The upload as a whole has no time limit; only a pause without new bytes has one. */
  takeUpload(response: ServerResponse): void;
  /** Whether a large file has not arrived completely yet. */
  isUploading(socket: Socket): boolean;
  answers(): Iterable<ServerResponse>;
}

interface ConnectionState {
  readonly client: string;
  readonly isProxy: boolean;
  /** Requests in progress, oldest first: those without a response, and those whose response the client has not received yet. */
  readonly pending: Set<ServerResponse>;
  last: ServerResponse | undefined;
  /** The time when the connection last had nothing pending, or last finished a response. */
  movedAt: number;
  flooded: boolean;
  /** Whether the last response of the connection is a stream. */
  streams: boolean;
  upload: { readonly response: ServerResponse; bytesRead: number } | undefined;
}

/** The connections of one application, on all addresses on which it listens. */
interface ConnectionTable {
  readonly open: Set<Socket>;
  readonly lines: Map<Socket, ConnectionState>;
  /** A counter that grows at a steady rate while a server is open. It is used as a clock that is cheap to read. */
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
      // Responses that are queued behind another response get no `close` event when the connection ends.
      for (const response of line.pending) settle(line, response);
    });
    return line;
  };
  function onClose(this: ServerResponse): void {
    const line = lines.get(this.req.socket);
    if (line !== undefined) settle(line, this);
  }

  /** Whether the request must be handled. */
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
    // Other requests that arrived in the same read are still parsed. They reach this line too and are not handled.
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

/**
 * Whether bytes arrived since the last check or wait to be read. Once its response is sent, an upload has the same time limit as
 * other requests.
 */
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
    // Until a response starts, the service is still working on it, or the time limit of the request applies.
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

// Closes connections that would keep a closing server open forever: Node waits for connections without a complete request and no
// longer applies its own time limits to them. The server waits only for connections with a pending response.

/** How long an incomplete request may still arrive after the close has started. */
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
      // A client that receives its response too slowly delays the close by at most one write time limit.
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

/** Whether the request has arrived completely but its response is not completely sent. */
export function isAnswerOwed(answer: ServerResponse): boolean {
  return answer.req.complete && !answer.writableFinished && !answer.destroyed;
}
