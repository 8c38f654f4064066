// Checks before the start of the local networks that their ports and their directory are free. The checks run before anything
// is started.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { NetworkFiles } from './settings.ts';

export class CannotStartError extends Error {
  override readonly name = 'CannotStart';
}

/** Two runs in one directory would remove each other's files. */
export async function refuseSecondRun(files: NetworkFiles): Promise<void> {
  const runs = await readFile(files.networks, 'utf8')
    .then((text) =>
      fetch((JSON.parse(text) as { faucet: string }).faucet, { signal: AbortSignal.timeout(10_000) }),
    )
    .then(
      ({ ok }) => ok,
      // The file does not exist or is incomplete, or its process no longer exists because a run was killed.
      () => false,
    );
  if (!runs) return;
  throw new CannotStartError(
    `Local networks run already: ${files.networks} is theirs. Stop them, or take another --dir and --base-port.`,
  );
}

export async function refuseTakenPorts(basePort: number, count: number): Promise<void> {
  for (let port = basePort; port < basePort + count; port++) {
    const problem = await portProblem(port);
    if (problem === undefined) continue;
    throw new CannotStartError(
      `Port ${port} ${problem}. The networks take ${basePort} to ${basePort + count - 1}: stop what uses it, or choose ` +
        'other ports with --base-port.',
    );
  }
}

function portProblem(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code === 'EADDRINUSE' ? 'is in use' : `cannot be used (${code})`),
    );
    probe.listen({ host: '127.0.0.1', port }, () => probe.close(() => resolve(undefined)));
  });
}
