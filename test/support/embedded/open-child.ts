// Tests run this as a separate process: it opens a DATA_DIR, prints how to connect, and closes the DATA_DIR when its input ends.
// It has no logic; its only purpose is to be killed.
import { openEmbedded } from '../../../src/adapters/embedded/server/open.ts';

const server = await openEmbedded({ dataDir: process.argv[2]!, log: () => {} });
process.stdout.write(`${JSON.stringify(server.connection)}\n`);
process.stdin.resume();
process.stdin.on('end', async () => {
  process.stdout.write(`${JSON.stringify(await server.release())}\n`);
});
