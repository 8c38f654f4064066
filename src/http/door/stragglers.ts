// Closes connections that would keep a closing server open for ever: Node waits for each that sent no request or only a part
// of one, and stops its own time limits. Only connections with an answer pending are waited for.
import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Connections } from './connections.ts';

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
      const waits = (answer: ServerResponse) => isOwed(answer) && !(tooLate && answer.headersSent);
      if (now < graceUntil || [...connections.answers()].some(waits)) return;
      for (const socket of connections.open) socket.destroy();
    }, CHECK_EVERY_MS);
    app.server.once('close', () => clearInterval(looking));
    if (!app.server.listening) clearInterval(looking);
    done();
  });
}

/** Whether the request has arrived completely and its answer is not sent completely. */
export function isOwed(answer: ServerResponse): boolean {
  return answer.req.complete && !answer.writableFinished && !answer.destroyed;
}
