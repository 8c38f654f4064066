// Checks that a subject has the same folder name in every layer. The subjects are the folders of src/domain and src/app. The
// layers below have the same folders, and a few additional ones.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { FOLDER_ORDER } from './folder-order.ts';

const SUBJECTS = [...new Set([...FOLDER_ORDER['src/domain']!, ...FOLDER_ORDER['src/app']!])];

const OWN_FOLDERS: Readonly<Record<string, readonly string[]>> = {
  'src/ports': ['store'],
  'src/adapters': ['embedded', 'mail', 'postgres', 'screening', 'secrets', 'signer', 'simulation'],
  'src/adapters/postgres': ['accept', 'commit', 'connection', 'reads'],
  'src/workers': [],
  'src/cli/commands': ['client'],
};

export function findSubjectProblems(
  root: string,
  own = OWN_FOLDERS,
  subjects: readonly string[] = SUBJECTS,
): string[] {
  const known = Object.entries(own).flatMap(([layer, folders]) => {
    const there = foldersIn(root, layer);
    return [
      ...there
        .filter((folder) => ![...subjects, ...folders].includes(folder))
        .map(
          (folder) =>
            `${layer}/${folder}: no subject has this name: use the name that src/domain or src/app has for it`,
        ),
      ...folders
        .filter((folder) => !there.includes(folder))
        .map((folder) => `scripts/checks/subject-folders.ts: there is no ${layer}/${folder}: take it out`),
    ];
  });
  return [...known, ...findNearlyEqual(subjects)];
}

/** Finds names such as "network" and "networks". With both names, a reader cannot know which folder contains what. */
function findNearlyEqual(subjects: readonly string[]): string[] {
  return subjects
    .filter((subject) => subjects.includes(`${subject}s`))
    .map((subject) => `src: "${subject}" and "${subject}s" are two subjects: give one of them another name`);
}

function foldersIn(root: string, layer: string): readonly string[] {
  return readdirSync(path.join(root, layer), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}
