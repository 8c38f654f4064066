// Run by the tests as a process of its own: opens a DATA_DIR, says how to connect, and lets go of it when its input
// ends. It keeps no rule of its own; it is there to be killed.
import { openEmbedded } from '../../../src/adapters/embedded/server/open.ts';

const server = await openEmbedded({ dataDir: process.argv[2]!, log: () => {} });
process.stdout.write(`${JSON.stringify(server.connection)}\n`);
process.stdin.resume();
process.stdin.on('end', async () => {
  process.stdout.write(`${JSON.stringify(await server.release())}\n`);
});
