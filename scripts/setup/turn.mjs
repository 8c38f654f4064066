// Only one set-up runs at a time: commands in two terminals would otherwise install into the same folder at once. A file contains
// the id of the process that holds the lock. If that process has ended, the lock is released.
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './places.mjs';

// The file is outside of node_modules, because an install empties that folder.
const turnFile = path.join(root, '.setting-up');
const LOOK_EVERY_MS = 300;

/** If no file can be created, the folder belongs to another user. */
export async function takeTurn() {
  for (let waits = 0; ; waits++) {
    try {
      writeFileSync(turnFile, `${process.pid}\n`, { flag: 'wx' });
      return { waited: waits > 0, end: () => rmSync(turnFile, { force: true }) };
    } catch (error) {
      if (error.code !== 'EEXIST') return { waited: false, end: () => undefined };
    }
    if (waits === 0)
      console.error(`Waiting for another command that is setting up Sliproad in this folder (${turnFile}) …`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    removeTurnOfTheGone();
  }
}

function removeTurnOfTheGone() {
  const aside = `${turnFile}-${process.pid}`;
  try {
    if (isRunning(Number(readFileSync(turnFile, 'utf8')))) return;
    renameSync(turnFile, aside);
    // Another process may have taken the lock between the two lines: then it gets its file back.
    if (isRunning(Number(readFileSync(aside, 'utf8')))) renameSync(aside, turnFile);
    else rmSync(aside);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}

function isRunning(pid) {
  // Not written yet.
  if (!(pid > 0)) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code !== 'ESRCH';
  }
}
