// Makes the Node server of an application: its time limits, the limits on its connections, and the responses to bytes that are
// not a valid request.
import http, { type RequestListener, type Server } from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { type Connections, isAnswerOwed } from './connections.ts';
import type { RawAnswers } from './raw-answers.ts';

export interface NodeServerOptions {
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
}

export interface NodeServerParts {
  readonly connections: Connections;
  readonly rawAnswers: RawAnswers;
  /** Called when a time limit or a parse error ends a request that the application is already reading. */
  readonly onCutOff: (socket: Socket, error: NodeJS.ErrnoException) => void;
}

export function makeNodeServer(
  options: NodeServerOptions,
  { connections, rawAnswers, onCutOff }: NodeServerParts,
  handler: RequestListener,
): Server {
  const limits = {
    headersTimeout: options.headersTimeoutMs,
    requestTimeout: options.requestTimeoutMs,
    keepAliveTimeout: options.keepAliveTimeoutMs,
    connectionsCheckingInterval: Math.min(1_000, options.headersTimeoutMs),
    requireHostHeader: false, // request-checks.ts checks this header, and responds with the common error body
  };
  const guarded = connections.guard(handler);
  const server =
    options.tls === null
      ? http.createServer(limits, guarded)
      : // The other time limits start only after the TLS handshake, so the handshake has a separate time limit.
        https.createServer(
          { ...limits, ...options.tls, handshakeTimeout: options.headersTimeoutMs },
          guarded,
        );
  connections.watch(server);

  const ending = new WeakSet<Socket>();
  /** Stops reading from the connection, completes a pending response, and then closes the connection. */
  const end = (socket: Socket, answer: () => void): void => {
    if (ending.has(socket)) return;
    ending.add(socket);
    const owed = connections.lastAnswerOn(socket);
    if (owed === undefined || !isAnswerOwed(owed)) {
      answer();
      return;
    }
    socket.pause();
    owed.once('close', () => socket.destroy());
  };
  const encrypted = new WeakSet<Socket>();
  server.on('secureConnection', (socket: Socket) => encrypted.add(socket));
  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket;
    // An upload has its own limit: the maximum pause between two parts of the file (connections.ts).
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && connections.isUploading(socket)) return;
    // The server cannot send a response before the TLS handshake has finished.
    if (options.tls !== null && !encrypted.has(socket)) socket.destroy();
    else {
      end(socket, () => {
        onCutOff(socket, error);
        rawAnswers.broken(error, socket);
      });
    }
  });
  server.on('connect', (_request, stream) => {
    const socket = stream as Socket;
    socket.on('error', () => socket.destroy());
    end(socket, () => rawAnswers.connect(socket));
  });
  server.on('checkExpectation', (_request, response) => rawAnswers.unmetExpectation(response));
  return server;
}
