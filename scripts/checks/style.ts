// The style of the project: words and phrases that hide who does what, or that a reader must read twice, each with a better
// text. docs/start/glossary.md has the terms of the product.

interface Phrase {
  readonly words: RegExp;
  readonly instead: string;
}

export const PHRASES: readonly Phrase[] = [
  { words: /\btold\b/gi, instead: 'say who reports, saves, broadcasts or passes what to whom' },
  {
    words: /\bnobody\b/gi,
    instead: 'name the person, business or process that does not, or say "no business", "no operator", "not"',
  },
  { words: /\b(?:some|any)body\b/gi, instead: 'name the person, business or process' },
  { words: /\bmend(?:s|ed|ing)?\b/gi, instead: 'write "fix"' },
  { words: /\bof\s+this\s+moment\b/gi, instead: 'write "current"' },
  { words: /\bfor\s+ever\b/gi, instead: 'write "permanent", "permanently" or "never"' },
  { words: /\bunder\s+way\b/gi, instead: 'write "in progress"' },
  { words: /\bshall\b/gi, instead: 'write "must", "may" or "will"' },
  { words: /\bwhat\s+holds\s+now\b/gi, instead: 'write "current"' },
  { words: /\bin\s+a\s+day\s+of\s+Lagos\b/gi, instead: 'write "per day (Lagos time)"' },
  { words: /\btakes\s+two\b(?!\s+\w)/gi, instead: 'write "needs two people"' },
  { words: /\bis\s+there\s+more\s+than\s+once\b/gi, instead: 'write "is repeated"' },
];
