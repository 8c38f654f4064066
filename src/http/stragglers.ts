// Connections that would keep a closing server open for ever: Node waits for each that never sent a request, or only
// half of one, and stops its own time limits when it closes. Whoever is owed an answer is waited for; nobody else is.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** How long a request that is only half here may still arrive once the doors are shut. */
const GRACE_MS = 1_000;
const LOOK_EVERY_MS = 50;

export interface Owed {
  /** The answer that a request on this connection still waits for. */
  on(socket: Socket): ServerResponse | undefined;
}

export function dropStragglersOnClose(app: FastifyInstance): Owed {
  const { server } = app;
  const connections = new Set<Socket>();
  /** The latest answer begun on each connection; under TLS its socket is not the one above. */
  const answers = new Map<Socket, ServerResponse>();
  server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    if (!answers.has(socket)) socket.once('close', () => answers.delete(socket));
    answers.set(socket, response);
  });
  app.addHook('preClose', (done) => {
    const graceUntil = performance.now() + GRACE_MS;
    const looking = setInterval(() => {
      if (performance.now() < graceUntil || [...answers.values()].some(isOwed)) return;
      for (const socket of connections) socket.destroy();
    }, LOOK_EVERY_MS);
    server.once('close', () => clearInterval(looking));
    done();
  });
  return {
    on: (socket) => {
      const answer = answers.get(socket);
      return answer !== undefined && isOwed(answer) ? answer : undefined;
    },
  };
}

function isOwed(answer: ServerResponse): boolean {
  return answer.req.complete && !answer.writableFinished && !answer.destroyed;
}
