// The Node server below an application: its time limits, the watch over its connections, and what is done with bytes
// that never become a request.
import http, { type RequestListener, type Server } from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import type { Connections } from './connections.ts';
import type { RawAnswers } from './raw-answers.ts';
import { isOwed } from './stragglers.ts';

export interface NodeServerOptions {
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
}

export interface NodeServerParts {
  readonly connections: Connections;
  readonly rawAnswers: RawAnswers;
  /** A time limit or a parse error hit a request that the application has already; it hears so from its body. */
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
    requireHostHeader: false, // request-checks.ts does it, with a body
  };
  const guarded = connections.guard(handler);
  const server =
    options.tls === null
      ? http.createServer(limits, guarded)
      : // A handshake that does not end holds a connection before any other time limit begins.
        https.createServer(
          { ...limits, ...options.tls, handshakeTimeout: options.headersTimeoutMs },
          guarded,
        );
  connections.watch(server);

  const ending = new WeakSet<Socket>();
  /** Nothing may be written in the place of an answer that is owed: it is waited for, and nothing more is read. */
  const end = (socket: Socket, answer: () => void): void => {
    if (ending.has(socket)) return;
    ending.add(socket);
    const owed = connections.lastAnswerOn(socket);
    if (owed === undefined || !isOwed(owed)) {
      answer();
      return;
    }
    socket.pause();
    owed.once('close', () => socket.destroy());
  };
  const shaken = new WeakSet<Socket>();
  server.on('secureConnection', (socket: Socket) => shaken.add(socket));
  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket;
    // Before the end of its handshake nothing can be said on it.
    if (options.tls !== null && !shaken.has(socket)) socket.destroy();
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
