// A copy of the tree for mutants and scaffolds, so that the working tree itself never changes. Installed and built files are
// symbolic links.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface Scratch {
  readonly root: string;
  withText<Answer>(file: string, text: string, work: () => Promise<Answer>): Promise<Answer>;
  close(): void;
}

const LINKED = ['node_modules', 'sdk/node_modules', 'dashboard/node_modules', 'build', 'dashboard/dist'];

export function openScratch(from: string): Scratch {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'sliproad-mutants-')));
  for (const file of filesOf(from)) {
    if (!existsSync(path.join(from, file))) continue;
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    cpSync(path.join(from, file), path.join(root, file), { verbatimSymlinks: true });
  }
  for (const name of LINKED)
    if (existsSync(path.join(from, name)) && !existsSync(path.join(root, name)))
      symlinkSync(path.join(from, name), path.join(root, name));
  return {
    root,
    withText: async (file, text, work) => {
      const place = path.join(root, file);
      const before = readFileSync(place, 'utf8');
      writeFileSync(place, text);
      try {
        return await work();
      } finally {
        writeFileSync(place, before);
      }
    },
    close: () => rmSync(root, { recursive: true, force: true }),
  };
}

function filesOf(root: string): readonly string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 });
  return [...new Set(listed.split('\0').filter((name) => name !== ''))];
}
