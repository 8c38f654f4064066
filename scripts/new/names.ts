// The name that a contributor gives to the new part, and its forms in code. A name that would not compile is refused before
// anything else.

/** The message says in a sentence how to fix the request. */
export class ScaffoldRefused extends Error {}

export interface ScaffoldNames {
  readonly name: string;
  /** `acmePay` */
  readonly camel: string;
  /** `AcmePay` */
  readonly Name: string;
  /** `acme_pay` */
  readonly snake: string;
  readonly title: string;
}

const LONGEST = 30;
const KEBAB = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
const RESERVED: ReadonlySet<string> = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval export extends false ' +
    'finally for function if implements import in instanceof interface let new null package private protected public ' +
    'return static super switch this throw true try type typeof undefined var void while with yield'
  ).split(' '),
);

export function scaffoldNamesOf(given: string): ScaffoldNames {
  if (!KEBAB.test(given))
    throw new ScaffoldRefused(
      `The name ${JSON.stringify(given)} must be in kebab-case: lower-case letters, digits and single hyphens, beginning with a ` +
        'letter, such as acme-pay.',
    );
  if (given.length > LONGEST)
    throw new ScaffoldRefused(`The name "${given}" must have at most ${LONGEST} characters.`);
  const parts = given.split('-');
  const Name = parts.map(capitalize).join('');
  const camel = Name[0]!.toLowerCase() + Name.slice(1);
  if (RESERVED.has(camel))
    throw new ScaffoldRefused(
      `The name "${given}" is a reserved word of TypeScript. Choose another one, such as ${given}-bank.`,
    );
  return { name: given, camel, Name, snake: parts.join('_'), title: capitalize(parts.join(' ')) };
}

function capitalize(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
