// The log: JSON lines on standard output. Secrets are never logged. Fields that might contain a secret by accident are
// redacted.
import pino, { type Logger } from 'pino';
import type { LogLevel } from './config.ts';

export interface Log {
  readonly logger: Logger;
  /**
   * For log lines whose fields are all chosen one by one, such as the line per request. They need no redaction, so they avoid
   * its cost.
   */
  readonly plain: Logger;
  flush(): void;
}

export function openLog(level: LogLevel, secretKeyHeader: string, dest: 1 | 2 = 1): Log {
  // Log lines are buffered for a short time to save system calls.
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
        // The log destination was never opened, so it has no buffered lines.
      }
    },
  };
}
