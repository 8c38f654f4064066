// The scaffold of a kind of rate source. RATES_FILE can contain it, but it reports no rate until it is implemented.
import { addAsLastEntry, addImport } from '../file-edits.ts';
import { ScaffoldRefused, scaffoldNamesOf } from '../names.ts';
import { readTemplateFiles } from '../templates.ts';

const KINDS = 'src/adapters/rates/kinds.ts';

export function scaffoldRateSource(given: string) {
  const names = scaffoldNamesOf(given);
  const { name, camel, snake } = names;
  // Kinds in RATES_FILE consist of letters and underscores.
  if (/\d/.test(name)) throw new ScaffoldRefused(`The name "${name}" of a rate source must have no digits.`);
  return {
    scaffold: {
      files: readTemplateFiles('rate-source', { ...names }),
      edits: [
        addImport(KINDS, camel, `./${name}.ts`),
        addAsLastEntry(
          KINDS,
          'export const SOURCE_KINDS: ReadonlyMap<string, SourceKind> = new Map([',
          `['${snake}', ${camel}],`,
        ),
      ],
      taken: [],
    },
    next: [
      'Read docs/extend/adding-a-rate-source.md.',
      `Write test/support/rate-servers/${name}.ts from the documentation of the API, before you write the parser.`,
      `Write parse in src/adapters/rates/${name}.ts, and a unit test beside it. Until then the source reports nothing.`,
      `Run npm test -- contract/rates/${name}. It fails until the source keeps the contract.`,
    ],
  };
}
