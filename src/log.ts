// The log: JSON lines on standard output. Secrets are never put in; what might hold one by accident is redacted.
import pino, { type Logger } from 'pino';
import type { LogLevel } from './config.ts';

export interface Log {
  readonly logger: Logger;
  /** For lines whose every field is chosen one by one, such as one per request: nothing to redact, so nothing spent. */
  readonly plain: Logger;
  /** Writes out what is still buffered. */
  flush(): void;
}

export function openLog(level: LogLevel, secretKeyHeader: string, dest: 1 | 2 = 1): Log {
  // Lines are gathered for a moment instead of costing a system call each.
  const destination = pino.destination({ dest, sync: false, minLength: 4_096, periodicFlush: 200 });
  const options = { level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime };
  const logger = pino(
    {
      ...options,
      redact: {
        paths: [
          secretKeyHeader,
          'authorization',
          'cookie',
          'connectionString',
          'password',
          'secretKey',
        ].flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
        censor: '[redacted]',
      },
    },
    destination,
  );
  return {
    logger,
    plain: pino(options, destination),
    flush: () => {
      try {
        destination.flushSync();
      } catch {
        // The destination was never opened: nothing is buffered.
      }
    },
  };
}
