// Generates mutants: copies of a file with one small mistake. The same seed gives the same mutants for the same sources. A
// larger count only adds mutants.
import { createHash } from 'node:crypto';
import { parseSync } from 'oxc-parser';
import { makeDice } from '../../test/support/dice.ts';
import { isTest, lineOf, readSources, type Source } from '../checks/source.ts';
import { findMutationSites, MUTATION_KINDS, type MutationKind, type MutationSite } from './mutation-sites.ts';

export interface Mutant {
  readonly index: number;
  readonly kind: MutationKind;
  readonly file: string;
  readonly line: number;
  readonly text: string;
  readonly id: string;
}

/** The rules, the use cases, and the parts of adapters that handle money. */
const MONEY = [
  'src/domain',
  'src/app',
  'src/adapters/{banks,bank-charges,networks,rates,signer,simulation,statements}',
  'src/adapters/postgres/{accept,commit,connection,ledger,matching,networks,quotes,rails,rates,reads}',
  'src/adapters/postgres/{reconciliation,review,statements,treasury}',
];

export function readMoneySources(root: string): readonly Source[] {
  const patterns = MONEY.map((folder) => `${folder}/**/*.ts`);
  return readSources(root, patterns).filter(({ file }) => !isTest(file));
}

/** `isWanted` decides whether to make a mistake at this place of a file. */
export function drawMutants(
  sources: readonly Source[],
  seed: number,
  count: number,
  isWanted: (file: string, offset: number) => boolean = () => true,
): readonly Mutant[] {
  const bySource = new Map(sources.map((source) => [source.file, source]));
  const sites = sources.flatMap(findMutationSites).filter(({ file, start }) => isWanted(file, start));
  const waiting = new Map(
    MUTATION_KINDS.map((kind) => [
      kind,
      shuffle(
        sites.filter((site) => site.kind === kind),
        `${seed} ${kind}`,
      ),
    ]),
  );
  const mutants: Mutant[] = [];
  // Alternates between the kinds of mistakes, because the code has many more conditions than locks.
  while (mutants.length < count && [...waiting.values()].some(({ length }) => length > 0)) {
    for (const kind of MUTATION_KINDS) {
      const site = waiting.get(kind)!.pop();
      const made = site && makeMutant(bySource.get(site.file)!, site, mutants.length);
      if (made !== undefined && mutants.length < count) mutants.push(made);
    }
  }
  return mutants;
}

/** Undefined if the file would stay the same or would not parse. */
function makeMutant(
  source: Source,
  { kind, file, start, end, put }: MutationSite,
  index: number,
): Mutant | undefined {
  const text = source.text.slice(0, start) + put + source.text.slice(end);
  if (text === source.text || parseSync(file, text).errors.length > 0) return undefined;
  const id = createHash('sha256').update(`${file}\0${text}`).digest('hex').slice(0, 16);
  return { index, kind, file, line: lineOf(source.text, start), text, id };
}

function shuffle<Item>(items: readonly Item[], seed: string): Item[] {
  const dice = makeDice(seed);
  const mixed = [...items];
  for (let left = mixed.length - 1; left > 0; left--) {
    const other = dice.below(left + 1);
    [mixed[left], mixed[other]] = [mixed[other]!, mixed[left]!];
  }
  return mixed;
}
