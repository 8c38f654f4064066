// One source in RATES_FILE.
import { DESK } from '../../../domain/rates/reading.ts';
import { nearest } from '../../../domain/values/nearest.ts';
import { MEBIBYTE, type SourceKind } from '../source-kind.ts';
import { headersIn, type Variables } from './headers.ts';
import { type Fields, type Problems, under } from './problems.ts';

export interface SourceSettings {
  readonly name: string;
  readonly kindName: string;
  readonly kind: SourceKind;
  readonly url: string;
  readonly everyMs: number;
  readonly ageLimitMs: number;
  readonly timeoutMs: number;
  readonly mostBytes: number;
  /** A function, so that printed settings do not show a key. */
  headers(): Readonly<Record<string, string>>;
}

export type SourceKinds = ReadonlyMap<string, SourceKind>;

const COMMON = ['name', 'kind', 'url', 'every', 'age_limit', 'timeout', 'max_bytes', 'headers'] as const;
const NAME = {
  pattern: /^[a-z][a-z0-9_-]{0,31}$/,
  what: 'a name of up to 32 small letters, digits, - and _, beginning with a letter',
};
const ANY_TEXT = { pattern: /./, what: 'a text' };
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Undefined: there are mistakes, which are noted. */
export function readSourceRow(
  value: unknown,
  path: string,
  kinds: SourceKinds,
  variables: Variables,
  problems: Problems,
): SourceSettings | undefined {
  const before = problems.found.length;
  const kindName = (value as Fields | null)?.kind;
  const kind = typeof kindName === 'string' ? kinds.get(kindName) : undefined;
  const options = [...kinds.values()].flatMap((each) =>
    (kind ?? each) === each ? Object.keys(each.options) : [],
  );
  const fields = problems.object(value, path, [...COMMON, ...new Set(options)]);
  if (fields === undefined) return undefined;
  const name = nameIn(fields, path, problems);
  if (kind === undefined) refuseKind(fields, path, [...kinds.keys()], problems);
  const { everyMs, ageLimitMs, timeoutMs } = timesIn(fields, path, problems);
  const mostBytes = problems.whole(
    fields,
    path,
    'max_bytes',
    [1_024, 64 * MEBIBYTE],
    kind?.mostBytes ?? MEBIBYTE,
  );
  const headers = headersIn(fields.headers, under(path, 'headers'), variables, problems);
  const url = kind === undefined ? '' : urlIn(fields, path, kind, problems);
  if (kind === undefined || problems.found.length > before) return undefined;
  return {
    name,
    kindName: kindName as string,
    kind,
    url,
    everyMs,
    ageLimitMs,
    timeoutMs,
    mostBytes,
    headers: () => headers(),
  };
}

function nameIn(fields: Fields, path: string, problems: Problems): string {
  const name = problems.text(fields, path, 'name', NAME);
  if (name === DESK)
    problems.add(
      under(path, 'name'),
      `must not be "${DESK}": that name is reserved for the desk's own prices`,
    );
  return name;
}

function refuseKind(fields: Fields, path: string, known: readonly string[], problems: Problems): void {
  const kind = problems.text(fields, path, 'kind', ANY_TEXT);
  if (kind === '') return;
  const meant = nearest(kind, known);
  const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`;
  problems.add(under(path, 'kind'), `is not a known kind.${hint} Known kinds: ${known.join(', ')}`);
}

function timesIn(fields: Fields, path: string, problems: Problems) {
  const everyMs = problems.duration(fields, path, 'every', ['5s', '7d']);
  const ageLimitMs = problems.duration(fields, path, 'age_limit', ['10s', '30d']);
  const timeoutMs = problems.duration(fields, path, 'timeout', ['1s', '2m']) ?? 0;
  if (everyMs !== undefined && ageLimitMs !== undefined && ageLimitMs <= everyMs)
    problems.add(
      under(path, 'age_limit'),
      'must be longer than "every": otherwise each number is too old before the next one is read',
    );
  return { everyMs: everyMs ?? 0, ageLimitMs: ageLimitMs ?? 0, timeoutMs };
}

/** The URL with the fields of the kind in their places. */
function urlIn(fields: Fields, path: string, kind: SourceKind, problems: Problems): string {
  const where = under(path, 'url');
  let url = problems.text(fields, path, 'url', ANY_TEXT);
  for (const [name, rule] of Object.entries(kind.options)) {
    const option = problems.text(fields, path, name, rule);
    if (url !== '' && !url.includes(`{${name}}`))
      problems.add(where, `must have {${name}} in it, where "${name}" goes`);
    url = url.replaceAll(`{${name}}`, encodeURIComponent(option));
  }
  if (url === '') return url;
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !isSafe(parsed))
    problems.add(where, 'must be an https:// URL (http:// only on this machine)');
  else if (parsed.username !== '' || parsed.password !== '')
    problems.add(where, 'must not hold a user name or a password: send them in "headers"');
  else if (/[{}]/.test(url))
    problems.add(where, 'has { or } in it, which is not the name of a field of this kind');
  return url;
}

function isSafe({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
}
