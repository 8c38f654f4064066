// A reading thread that sends one group of rows, and then works without a pause until a test releases it: a file in the folder of
// HELD_READING. The folder shows when the thread is held.
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { openStatementFile } from '../../../src/adapters/statements/readers.ts';
import type { ThreadTask } from '../../../src/adapters/statements/thread/messages.ts';
import { serveReading } from '../../../src/adapters/statements/thread/serve-reading.ts';

const task = workerData as ThreadTask;
const folder = process.env.HELD_READING!;

await serveReading(parentPort!, async (bytes) => {
  const opened = await openStatementFile(bytes, task);
  async function* held() {
    for await (const items of opened.items) {
      yield items;
      writeFileSync(path.join(folder, 'held'), '');
      while (!existsSync(path.join(folder, 'released')));
    }
  }
  return { ...opened, items: held() };
});
