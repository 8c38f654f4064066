// Writes an export to standard output or to a file. The file gets its final name only when it is complete.
import { once } from 'node:events';
import { createWriteStream, renameSync, rmSync } from 'node:fs';
import { finished } from 'node:stream/promises';
import { CommandError } from '../terminal/command-error.ts';

export interface ExportFile {
  write(line: string): Promise<void>;
  keep(): Promise<void>;
  discard(): Promise<void>;
}

export async function openExportFile(file: string): Promise<ExportFile> {
  const unfinished = `${file}.${process.pid}.partial`;
  // The file contains account numbers and names, so only its owner may read it.
  const stream = createWriteStream(unfinished, { mode: 0o600 });
  try {
    await once(stream, 'open');
  } catch (error) {
    throw new CommandError(`Could not write ${file} (--output): ${(error as Error).message}`, 'usage');
  }
  const ended = finished(stream);
  ended.catch(() => undefined); // the next write, or keep, reports the error
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
