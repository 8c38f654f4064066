// A kind of rate source: RATES_FILE can name it, and it reports no rate before it is written.
import { importLine, lastIn } from '../edits.ts';
import { namesOf, Refused } from '../names.ts';
import { filesOf } from '../templates.ts';

const KINDS = 'src/adapters/rates/kinds.ts';

export function rateSource(given: string) {
  const names = namesOf(given);
  const { name, camel, snake } = names;
  // Kinds are named in RATES_FILE by letters and underscores.
  if (/\d/.test(name)) throw new Refused(`The name "${name}" of a rate source must have no digits.`);
  return {
    scaffold: {
      files: filesOf('rate-source', { ...names }),
      edits: [
        importLine(KINDS, camel, `./${name}.ts`),
        lastIn(
          KINDS,
          'export const SOURCE_KINDS: ReadonlyMap<string, SourceKind> = new Map([',
          `['${snake}', ${camel}],`,
        ),
      ],
      taken: [],
    },
    next: [
      'Read docs/extend/adding-a-rate-source.md.',
      `Write test/support/rate-servers/${name}.ts from the documentation of the API, before the reader.`,
      `Write parse in src/adapters/rates/${name}.ts, and a unit test beside it. Until then the source reports nothing.`,
      `Run npm test -- contract/rates/${name}. It fails until the source keeps the contract.`,
    ],
  };
}
