// Finds the code that the seeds of the simulation run, because a seed proves nothing about a mistake in other code. The result
// is kept in a file until the code or the simulation changes, because finding it takes a minute.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isPlayed } from '../../test/simulation/coverage/places.ts';
import { tallySeeds } from '../../test/simulation/coverage/run.ts';
import type { Source } from '../checks/source.ts';
import { findMutationSites } from './mutation-sites.ts';

export interface PlayedSettings {
  /** Every source that can change what a seed does. */
  readonly sources: readonly Source[];
  readonly drawnFrom: readonly Source[];
  readonly seeds: number;
  readonly cacheFile: string;
}

/** Returns a function that tells whether a seed runs the code at this place of a file. */
export async function findPlayedCode(
  settings: PlayedSettings,
): Promise<(file: string, offset: number) => boolean> {
  const { sources, drawnFrom, seeds, cacheFile } = settings;
  const digest = createHash('sha256').update(String(seeds));
  for (const { file, text } of sources) digest.update(`${file}\0${text}\0`);
  const key = digest.digest('hex');
  const places = readPlaces(cacheFile, key) ?? (await findPlaces(drawnFrom, seeds));
  mkdirSync(path.dirname(cacheFile), { recursive: true });
  writeFileSync(cacheFile, JSON.stringify({ key, places: [...places] }));
  return (file, offset) => places.has(`${file} ${offset}`);
}

function readPlaces(cacheFile: string, key: string): ReadonlySet<string> | undefined {
  if (!existsSync(cacheFile)) return undefined;
  const kept = JSON.parse(readFileSync(cacheFile, 'utf8')) as { key: string; places: readonly string[] };
  return kept.key === key ? new Set(kept.places) : undefined;
}

async function findPlaces(drawnFrom: readonly Source[], seeds: number): Promise<ReadonlySet<string>> {
  console.error(`Looking which code ${seeds} seeds of the simulation run …`);
  const { functions } = await tallySeeds(1, seeds, { exact: false });
  const places = drawnFrom
    .flatMap(findMutationSites)
    .filter(({ file, start }) => isPlayed(functions, file, start));
  return new Set(places.map(({ file, start }) => `${file} ${start}`));
}
