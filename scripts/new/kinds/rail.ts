// The scaffold of a kind of bank rail. The rail is listed, but BANKS_FILE cannot use it until it is implemented.
import { addAsLastEntry, addImport } from '../file-edits.ts';
import { scaffoldNamesOf } from '../names.ts';
import { readTemplateFiles } from '../templates.ts';

const REGISTRY = 'src/adapters/rails/registry.ts';

export function scaffoldRail(given: string) {
  const names = scaffoldNamesOf(given);
  const { name, camel } = names;
  const folder = `src/adapters/rails/${name}`;
  return {
    scaffold: {
      files: readTemplateFiles('rail', { ...names }),
      edits: [
        addImport(REGISTRY, camel, `./${name}/rail.ts`),
        addAsLastEntry(REGISTRY, 'export const RAIL_KINDS: RailKinds = new Map([', `['${name}', ${camel}],`),
      ],
      taken: [folder, `test/contract/${name}`],
    },
    next: [
      'Read docs/extend/adding-a-bank-rail.md, "A new kind, step by step".',
      `Fill in ${folder}: codes.ts from the documentation of the bank, then settings.ts, payouts.ts and rail.ts.`,
      `Write a server that simulates the API in local-banks/, and use it in test/contract/${name}/${name}-bank.ts.`,
      `Run npm test -- contract/${name}. It fails until the rail keeps the contract.`,
      'As the last step, remove the refusal from settings.ts: until then, the service does not start with a rail of this kind in BANKS_FILE.',
    ],
  };
}
