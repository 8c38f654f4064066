// Defines how values are read from the database. Every keyed hash of personal data is replaced by the fixed text for erased
// data. So no query can show a hash, and no rule can use a hash as a name or a number.
import pg from 'pg';
import { hideErasedHashes } from '../../../domain/values/erased.ts';

const { JSON: JSON_TEXT, JSONB, TEXT } = pg.types.builtins;
const MARK = 'h1:';

const readText = (text: string): unknown => (text.startsWith(MARK) ? hideErasedHashes(text) : text);

const readJson = (text: string): unknown => {
  const value: unknown = JSON.parse(text);
  return text.includes(`"${MARK}`) ? hideErasedHashes(value) : value;
};

export const ERASED_VALUES: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (format !== 'binary' && oid === TEXT) return readText;
    if (format !== 'binary' && (oid === JSONB || oid === JSON_TEXT)) return readJson;
    return pg.types.getTypeParser(oid, format as 'text');
  },
};

/** Returns values as they are stored. Only the code that compares and replaces hashes uses this. */
export const STORED_VALUES: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => pg.types.getTypeParser(oid, format as 'text'),
};
