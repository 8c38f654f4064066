// Connections that would keep a closing server open for ever: Node waits for each that never sent a request, or only
// half of one, and stops its own time limits when it closes. Whoever is owed an answer is waited for; nobody else is.
import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Connections } from './connections.ts';

/** How long a request that is only half here may still arrive once the doors are shut. */
const GRACE_MS = 1_000;
const LOOK_EVERY_MS = 50;

export function dropStragglersOnClose(
  app: FastifyInstance,
  connections: Connections,
  writeTimeoutMs: number,
): void {
  app.addHook('preClose', (done) => {
    const graceUntil = performance.now() + GRACE_MS;
    const looking = setInterval(() => {
      const now = performance.now();
      // An answer that was given and is taken too slowly holds up a stop no longer than it may stand still.
      const tooLate = now > graceUntil + writeTimeoutMs;
      const waits = (answer: ServerResponse) => isOwed(answer) && !(tooLate && answer.headersSent);
      if (now < graceUntil || [...connections.answers()].some(waits)) return;
      for (const socket of connections.open) socket.destroy();
    }, LOOK_EVERY_MS);
    app.server.once('close', () => clearInterval(looking));
    if (!app.server.listening) clearInterval(looking);
    done();
  });
}

/** Whether the whole request is here and its answer is not yet all away. */
export function isOwed(answer: ServerResponse): boolean {
  return answer.req.complete && !answer.writableFinished && !answer.destroyed;
}
