// A reading thread with a bug.
import { parentPort } from 'node:worker_threads';
import { serveReading } from '../../../src/adapters/statements/thread/serve-reading.ts';

await serveReading(parentPort!, async () => {
  throw new TypeError('a bug in a reader');
});
