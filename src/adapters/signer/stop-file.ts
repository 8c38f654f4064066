// The kill switch as a file: while it is there, nothing is signed. Made by a command or by hand, without a database. When
// it cannot be checked whether the file exists, signing counts as stopped.
import { lstat, mkdir, open, readFile, rm } from 'node:fs/promises';
import path from 'node:path';

export interface StopFile {
  readonly location: string;
  stopped(): Promise<boolean>;
  /** The note of the stop; undefined when signing is not stopped. */
  note(): Promise<string | undefined>;
  /** Returns false when signing was already stopped: the first note stays. */
  stop(note: string): Promise<boolean>;
  /** Returns false when signing was not stopped. */
  resume(): Promise<boolean>;
}

export function makeStopFile(dataDir: string): StopFile {
  const location = path.join(dataDir, 'stop-signing');
  const stopped = () =>
    // Not followed: a link that leads nowhere stops as well.
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
        // The file itself stops signing, whatever it holds.
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
