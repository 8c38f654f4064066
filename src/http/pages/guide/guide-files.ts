// The files of docs/ for the guide: five parts, the decisions, and the pictures. Names and titles are read once. The text of a
// page is read when a reader requests the page.
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** In the published package the code is in dist/, one folder deeper. */
const DOCS = ['../../../../docs', '../../../../../docs']
  .map((place) => path.join(import.meta.dirname, place))
  .find((place) => existsSync(place))!;
const PARTS = ['start', 'concepts', 'integrate', 'operate', 'extend', 'decisions'];
export const GUIDE_PATH = '/docs/guide';

export interface GuideFile {
  /** The path below docs/, for example "operate/rails.md". */
  readonly file: string;
  readonly url: string;
  readonly title: string;
}

export interface GuidePart {
  readonly lead: GuideFile;
  /** The pages of the part, in the order in which its overview page names them. */
  readonly pages: readonly GuideFile[];
}

export function guideUrlOf(file: string): string {
  return `${GUIDE_PATH}/${file.replace(/(\/README)?\.md$/, '')}`;
}

export function readGuideText(file: string): Promise<string> {
  return readFile(path.join(DOCS, file), 'utf8');
}

export function readGuidePicture(name: string): Promise<Buffer> {
  return readFile(path.join(DOCS, 'pictures', name));
}

export async function listGuidePictures(): Promise<readonly string[]> {
  return (await readdir(path.join(DOCS, 'pictures'))).filter((name) => /\.(png|svg)$/.test(name));
}

export function listGuideParts(): Promise<readonly GuidePart[]> {
  return Promise.all(PARTS.map(readPart));
}

async function readPart(part: string): Promise<GuidePart> {
  const names = (await readdir(path.join(DOCS, part))).filter((name) => name.endsWith('.md')).sort();
  const leading = await readGuideText(`${part}/README.md`);
  const rank = (name: string) => {
    const at = leading.indexOf(`](${name}`);
    return at === -1 ? leading.length : at;
  };
  const ordered = names.filter((name) => name !== 'README.md').sort((a, b) => rank(a) - rank(b));
  const [lead, ...pages] = await Promise.all(
    ['README.md', ...ordered].map(async (name): Promise<GuideFile> => {
      const file = `${part}/${name}`;
      return { file, url: guideUrlOf(file), title: titleOf(await readGuideText(file), file) };
    }),
  );
  return { lead: lead!, pages };
}

function titleOf(text: string, file: string): string {
  const heading = /^# (.+)$/m.exec(text)?.[1];
  if (heading === undefined) throw new Error(`docs/${file} has no title`);
  return heading.replaceAll('`', '');
}
