// A reading thread that uses more and more memory.
import { parentPort } from 'node:worker_threads';
import { serveReading } from '../../../src/adapters/statements/thread/serve-reading.ts';

const kept: object[] = [];

await serveReading(parentPort!, async () => ({
  ...{ format: 'csv', profile: 'generic', isUnverified: false, listing: 'everything' },
  items: (async function* () {
    for (;;) {
      kept.push(
        Array.from({ length: 1_000 }, (_, index) => ({ index, text: `row ${kept.length} ${index}` })),
      );
      if (kept.length === 1) yield [];
    }
  })(),
}));
