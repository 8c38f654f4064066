// Finds environment variables whose names look like misspelt settings. Such a variable has no effect. Without a warning, the
// operator would not notice that the default applies.
import { countTypingMistakes } from '../domain/values/nearest-word.ts';
import type { Environment } from './setting-reader.ts';

export interface MisspeltSetting {
  readonly name: string;
  /** The setting that the operator probably meant. Null: no setting has a similar name. */
  readonly meant: string | null;
}

const PREFIX = /^SLIPROAD_/;
/** Variables that the client commands read (cli/client/service.ts). */
const CLIENT_NAMES = ['SECRET_KEY', 'BASE_URL', 'BUSINESS_ID', 'LINK_TAG'].map((name) => `SLIPROAD_${name}`);

const MIN_CHARACTERS = 5;
const LETTERS_PER_MISTAKE = 6;

/**
 * Returns names that start with SLIPROAD_, and names with at most one typing mistake for every six letters of a setting's name.
 * `DATABSE_URL` is probably a misspelt setting, and `DATABASE_USER` is not.
 */
export function findMisspeltSettings(env: Environment, known: readonly string[]): MisspeltSetting[] {
  const names = new Set(known);
  return Object.keys(env)
    .filter((name) => !names.has(name) && !CLIENT_NAMES.includes(name))
    .flatMap((name): MisspeltSetting[] => {
      const bare = name.toUpperCase().replace(PREFIX, '').replaceAll('-', '_');
      const meant = names.has(bare) ? bare : findNearestSetting(bare, known);
      if (meant !== undefined) return [{ name, meant }];
      return PREFIX.test(name.toUpperCase()) ? [{ name, meant: null }] : [];
    });
}

function findNearestSetting(bare: string, known: readonly string[]): string | undefined {
  if (bare.length < MIN_CHARACTERS) return undefined;
  const near = known
    .filter(
      (word) => word.length >= MIN_CHARACTERS && Math.abs(word.length - bare.length) <= allowedMistakes(word),
    )
    .map((word) => ({ word, mistakes: countTypingMistakes(bare, word) }))
    .filter(({ word, mistakes }) => mistakes <= allowedMistakes(word));
  return near.sort((a, b) => a.mistakes - b.mistakes)[0]?.word;
}

function allowedMistakes({ length }: string): number {
  return Math.max(1, Math.floor(length / LETTERS_PER_MISTAKE));
}

export function describeMisspeltSetting({ name, meant }: MisspeltSetting): string {
  const way = meant === null ? 'See config.example.env for the names.' : `Did you mean ${meant}?`;
  return `${name} is set, but Sliproad has no such setting. ${way}`;
}
