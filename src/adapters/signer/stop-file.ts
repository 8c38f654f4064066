// The kill switch as a file. While the file exists, nothing is signed. A command or a person creates the file, and no database
// is needed. If the process cannot check whether the file exists, signing counts as stopped.
import { lstat, mkdir, open, readFile, rm } from 'node:fs/promises';
import path from 'node:path';

export interface StopFile {
  readonly location: string;
  stopped(): Promise<boolean>;
  /** Returns the note of the stop, or undefined if signing is not stopped. */
  note(): Promise<string | undefined>;
  /** Stops signing. Returns false if signing was already stopped; then the first note is kept. */
  stop(note: string): Promise<boolean>;
  resume(): Promise<boolean>;
}

export function makeStopFile(dataDir: string): StopFile {
  const location = path.join(dataDir, 'stop-signing');
  const stopped = () =>
    // Links are not followed, so a link without a target also stops signing.
    lstat(location).then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
    );
  return {
    location,
    stopped,
    note: async () => {
      if (!(await stopped())) return undefined;
      return (await readFile(location, 'utf8').catch(() => '')).trim();
    },
    stop: async (note) => {
      await mkdir(dataDir, { recursive: true, mode: 0o700 });
      try {
        const handle = await open(location, 'wx', 0o644);
        await handle.writeFile(`${note}\n`);
        await handle.sync();
        await handle.close();
        return true;
      } catch (error) {
        // The file stops signing, even if it is empty or has other content.
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
        throw error;
      }
    },
    resume: async () => {
      const was = await stopped();
      await rm(location, { force: true });
      return was;
    },
  };
}
