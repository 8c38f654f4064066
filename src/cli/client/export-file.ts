// Where an export is written: to standard output, or to a file that appears under its name only when it is whole.
import { once } from 'node:events';
import { createWriteStream, renameSync, rmSync } from 'node:fs';
import { finished } from 'node:stream/promises';
import { CommandError } from '../terminal/failure.ts';

export interface ExportFile {
  write(line: string): Promise<void>;
  /** The export is whole. */
  keep(): Promise<void>;
  /** It is not: nothing is left behind. */
  discard(): Promise<void>;
}

export async function openExportFile(file: string): Promise<ExportFile> {
  const unfinished = `${file}.${process.pid}.partial`;
  // Account numbers and names: for their owner alone.
  const stream = createWriteStream(unfinished, { mode: 0o600 });
  try {
    await once(stream, 'open');
  } catch (error) {
    throw new CommandError(`--output: ${file} cannot be written: ${(error as Error).message}`, 'usage');
  }
  const ended = finished(stream);
  ended.catch(() => undefined); // reported by the next write, or by keep
  return {
    write: async (line) => {
      if (stream.errored) throw stream.errored;
      if (!stream.write(`${line}\n`)) await Promise.race([once(stream, 'drain'), ended]);
    },
    keep: async () => {
      stream.end();
      await ended;
      renameSync(unfinished, file);
    },
    discard: async () => {
      stream.destroy();
      await ended.catch(() => undefined);
      rmSync(unfinished, { force: true });
    },
  };
}
