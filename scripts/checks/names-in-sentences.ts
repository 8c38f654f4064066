// Checks that a sentence in the dashboard contains no code name. A rename by text search once put "12 s elapsedText" on a page.
import { Visitor } from 'oxc-parser';
import { isTest, lineOf, parseSource, readSources, type Source } from './source.ts';

const READ = ['dashboard/src/**/*.{ts,tsx}'];
/** These files show code intentionally. */
const SHOW_CODE = ['dashboard/src/pages/business/start/snippets.ts'];
const NAME_OF_CODE = /(?:^|[\s“"'])([a-z]+[A-Z][a-zA-Z]+)(?=[\s.,;:!?”"']|$)/g;

export function findNamesInSentences(root: string): string[] {
  return readSources(root, READ)
    .filter(({ file }) => !isTest(file) && !SHOW_CODE.includes(file))
    .flatMap(findIn);
}

function findIn(source: Source): string[] {
  const found: string[] = [];
  const read = (text: string, offset: number) => {
    // A single word is a value and not a sentence. A text with brackets or an equals sign is code.
    if (!/\S\s+\S/.test(text) || /[{}<>=]/.test(text)) return;
    for (const { 1: name } of text.matchAll(NAME_OF_CODE))
      found.push(
        `${source.file}:${lineOf(source.text, offset)}: "${name}" is a name of the code in a sentence for people`,
      );
  };
  new Visitor({
    Literal({ value, start }) {
      if (typeof value === 'string') read(value, start);
    },
    TemplateElement({ value, start }) {
      read(value.cooked ?? '', start);
    },
    JSXText({ value, start }) {
      read(value, start);
    },
  }).visit(parseSource(source));
  return found;
}
