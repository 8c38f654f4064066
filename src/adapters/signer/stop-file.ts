// The kill switch as a file: while it is there, nothing is signed. Made by a command or by hand, without a database; when
// it cannot be told whether it is there, it is.
import { lstat, mkdir, open, readFile, rm } from 'node:fs/promises';
import path from 'node:path';

export interface StopFile {
  readonly location: string;
  stopped(): Promise<boolean>;
  /** What was written at the stop; undefined when nothing is stopped. */
  note(): Promise<string | undefined>;
  /** Answers false when signing was stopped before: the first note stays. */
  stop(note: string): Promise<boolean>;
  /** Answers false when nothing was stopped. */
  resume(): Promise<boolean>;
}

export function stopFile(dataDir: string): StopFile {
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
        // The file is what stops, not what is in it.
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
