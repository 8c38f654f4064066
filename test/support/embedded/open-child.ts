// Tests run this as a separate process. It opens a DATA_DIR, prints how to connect, and closes the DATA_DIR when its input
// ends. Tests kill this process, so it has no other logic.
import { openEmbedded } from '../../../src/adapters/embedded/server/open.ts';

const server = await openEmbedded({ dataDir: process.argv[2]!, log: () => {} });
process.stdout.write(`${JSON.stringify(server.connection)}\n`);
process.stdin.resume();
process.stdin.on('end', async () => {
  process.stdout.write(`${JSON.stringify(await server.release())}\n`);
});
