// BANKS_FILE: the bank rails of this installation, the preferred ones first. It is read whole and strictly: all mistakes are reported
// at once, each with its path.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { BankDirectory } from '../../../domain/catalogue/banks.ts';
import { MODES } from '../../../domain/values/mode.ts';
import type { RailAccount } from '../../../ports/bank/rail.ts';
import { NetworkSettingsError } from '../../networks/settings/fields.ts';
import { parseJson } from '../../networks/settings/json.ts';
import type { RailKinds, RailRow, RailSettings } from '../rail-kind.ts';
import { optionReader, type Variables } from './options.ts';
import { BankSettingsError, type Fields, hint, Problems, WHOLE_FILE } from './problems.ts';

const MOST_RAILS = 20;
const ROW = ['mode', 'kind', 'name', 'account', 'options'] as const;
const NAME = {
  pattern: /^[a-z][a-z0-9-]{0,39}$/,
  what: 'a name of up to 40 small letters, digits and hyphens, beginning with a letter',
};
/** The bank of test mode and the imported statements, which are always there. */
const TAKEN: ReadonlySet<string> = new Set(['simulated', 'statements']);
const NUMBER = { pattern: /^\d{10}$/, what: 'an account number of 10 digits, in quotes' };
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);
const ANY_TEXT = { pattern: /./, what: 'a text' };

export interface BanksFileSource {
  readonly location: string;
  readonly variables: Variables;
  readonly kinds: RailKinds;
  readonly directory: BankDirectory;
}

/** Makes no call. Throws a BankSettingsError. */
export function readBanksFile(source: BanksFileSource): readonly RailSettings[] {
  const problems = new Problems();
  const rails = railsIn(jsonIn(textOf(source.location), problems), source, problems);
  if (problems.found.length > 0) throw new BankSettingsError(source.location, problems.found);
  return rails;
}

function textOf(location: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(location));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const what = error instanceof TypeError ? 'It is not text in UTF-8.' : `It cannot be read (${code}).`;
    throw new BankSettingsError(location, [what]);
  }
}

function jsonIn(content: string, problems: Problems): unknown {
  try {
    return parseJson(content);
  } catch (error) {
    if (!(error instanceof NetworkSettingsError)) throw error;
    problems.found.push(error.message);
    return { rails: [] };
  }
}

function railsIn(json: unknown, source: BanksFileSource, problems: Problems): readonly RailSettings[] {
  const fields = problems.object(json, WHOLE_FILE);
  if (fields === undefined) return [];
  problems.refuseUnknown(fields, WHOLE_FILE, ['rails', 'control']);
  const isLocal = controlIn(fields, problems);
  const { rails } = fields;
  if (!Array.isArray(rails) || rails.length > MOST_RAILS) {
    problems.add('rails', `must be a list of at most ${MOST_RAILS} rails`);
    return [];
  }
  const names = new Set<string>();
  return rails.flatMap((value: unknown, index) => {
    const where = `rails[${index}]`;
    const settings = railIn(value, where, source, problems);
    if (settings === undefined) return [];
    const name = `${settings.mode} ${settings.name}`;
    if (names.has(name))
      problems.add(`${where}.name`, 'is the name of a rail before it: each needs a name of its own');
    names.add(name);
    return [{ ...settings, isLocal }];
  });
}

/** Local banks say where they are controlled. A bank that could be controlled from elsewhere is none of them. */
function controlIn({ control = null }: Fields, problems: Problems): boolean {
  if (control === null) return false;
  const url = typeof control === 'string' ? URL.parse(control) : null;
  if (url === null || url.protocol !== 'http:' || !LOOPBACK.has(url.hostname))
    problems.add('control', 'must be a URL on this machine: only local banks (npm run banks) have one');
  return true;
}

function railIn(
  value: unknown,
  where: string,
  source: BanksFileSource,
  problems: Problems,
): Omit<RailSettings, 'isLocal'> | undefined {
  const fields = problems.object(value, where);
  if (fields === undefined) return undefined;
  problems.refuseUnknown(fields, where, ROW);
  const row: RailRow = {
    mode: problems.oneOf(fields, where, 'mode', MODES),
    name: problems.text(fields, where, 'name', NAME),
    account: accountIn(fields.account, `${where}.account`, source.directory, problems),
  };
  if (TAKEN.has(row.name))
    problems.add(`${where}.name`, `must not be "${row.name}": that name is taken by the service itself`);
  const kindName = problems.oneOf(fields, where, 'kind', [...source.kinds.keys()]);
  const kind = fields.kind === kindName ? source.kinds.get(kindName) : undefined;
  const options = problems.object(fields.options ?? {}, `${where}.options`);
  if (kind === undefined || options === undefined) return undefined;
  if (!kind.modes.includes(row.mode))
    problems.add(`${where}.kind`, `is not for ${row.mode} mode; use it in: ${kind.modes.join(', ')}`);
  const reader = optionReader(
    {
      fields: options,
      path: `${where}.options`,
      folder: path.dirname(source.location),
      variables: source.variables,
    },
    problems,
  );
  const open = kind.read(reader);
  reader.finish();
  return { ...row, kind: kindName, open: (deps) => open(row, deps) };
}

/** The account it pays from: one account of the ledger. */
function accountIn(value: unknown, where: string, directory: BankDirectory, problems: Problems): RailAccount {
  const fields: Fields | undefined = problems.object(value, where);
  if (fields === undefined) return { bankCode: '', number: '' };
  problems.refuseUnknown(fields, where, ['bank_code', 'number']);
  const text = problems.text(fields, where, 'bank_code', ANY_TEXT);
  // Also codes of five digits, which the directory does not read because other lists give them to other banks.
  const bank = directory.resolve(text) ?? directory.all.find(({ cbnCode }) => cbnCode === text);
  if (text !== '' && bank === undefined) {
    const near = hint(
      text,
      directory.all.map(({ code }) => code),
    );
    problems.add(
      `${where}.bank_code`,
      `is not the code of a bank of the directory.${near} bin/sliproad banks search TEXT shows codes`,
    );
  }
  return { bankCode: bank?.code ?? '', number: problems.text(fields, where, 'number', NUMBER) };
}
