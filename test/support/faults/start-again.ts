// A test runs this as a separate process. It runs `npm start` repeatedly with other settings, as its input specifies, and
// reports the output and exit code of each start. One process makes all starts, because loading the service takes longer than
// refusing to start it.
import { text } from 'node:stream/consumers';

export interface Refused {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const given = { ...process.env };
const main = new URL('../../../src/main.ts', import.meta.url);
const answers: Refused[] = [];
const write = process.stdout.write.bind(process.stdout);
const exit = process.exit.bind(process);

for (const [nth, settings] of (JSON.parse(await text(process.stdin)) as Record<string, string>[]).entries()) {
  const written = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    process[stream].write = (chunk: string | Uint8Array) => {
      written[stream] += String(chunk);
      return true;
    };
  process.env = { ...given, ...settings };
  const code = await new Promise<number>((resolve) => {
    process.exit = resolve as typeof process.exit;
    import(`${main.href}?${nth}`).catch((error: Error) => {
      written.stderr += error.stack;
      resolve(-1);
    });
  });
  answers.push({ code, ...written });
}
write(`${JSON.stringify(answers)}\n`, () => exit(0));
