// Tests BANKS_FILE: valid files are read, all mistakes are reported at once with their paths, and no message contains a secret.
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { inspect } from 'node:util';
import { loadBankDirectory } from '../../catalogue/bank-directory.ts';
import { SettingsError } from '../../settings-problems.ts';
import { RAIL_KINDS } from '../registry.ts';
import { readBanksFile } from './banks-file.ts';

const directory = loadBankDirectory();
const folder = mkdtempSync(path.join(tmpdir(), 'banks-file-'));
after(() => rmSync(folder, { recursive: true }));
const location = path.join(folder, 'banks.json');
const SECRET = 'a-secret-of-the-rail';
writeFileSync(path.join(folder, 'password'), `${SECRET}\n`, { mode: 0o600 });

const NIP = {
  mode: 'live',
  kind: 'nip-bank',
  name: 'providus',
  account: { bank_code: 'providus-bank', number: '1234567890' },
  options: {
    base_url: 'https://bank.example/postingrest/',
    user_name: 'sliproad',
    password_file: 'password',
    source_account_name: 'Example Company',
  },
};
const PAYSTACK = {
  mode: 'live',
  kind: 'paystack',
  name: 'paystack',
  account: { bank_code: 'paystack-titan', number: '1234567891' },
  options: { base_url: 'https://api.paystack.co', secret_key_env: 'PAYSTACK_KEY' },
};

function read(content: unknown, variables: Readonly<Record<string, string>> = { PAYSTACK_KEY: SECRET }) {
  writeFileSync(location, typeof content === 'string' ? content : JSON.stringify(content));
  return readBanksFile({ location, variables: (name) => variables[name], kinds: RAIL_KINDS, directory });
}

function problems(content: unknown, variables?: Readonly<Record<string, string>>): readonly string[] {
  try {
    read(content, variables);
  } catch (error) {
    assert.ok(error instanceof SettingsError, inspect(error));
    for (const problem of error.problems) assert.ok(!problem.includes(SECRET), problem);
    return error.problems;
  }
  return assert.fail('the file was taken');
}

const rail = (changes: object, options: object = {}) => ({
  rails: [{ ...NIP, ...changes, options: { ...NIP.options, ...options } }],
});

test('rails are opened in the order of the file, with their accounts, and printed settings contain no secret', () => {
  const rails = read({ rails: [PAYSTACK, NIP] });
  assert.deepEqual(
    rails.map(({ mode, kind, name, account }) => [mode, kind, name, account.bankCode, account.number]),
    [
      ['live', 'paystack', 'paystack', 'paystack-titan', '1234567891'],
      ['live', 'nip-bank', 'providus', 'providus-bank', '1234567890'],
    ],
  );
  const opened = rails.map((each) => each.open({ directory, clock: { now: () => 0 } }));
  assert.deepEqual(
    opened.map(({ name, account, payouts, statement }) => [name, account, payouts !== null, statement]),
    [
      ['paystack', { bankCode: 'paystack-titan', number: '1234567891' }, true, null],
      ['providus', { bankCode: 'providus-bank', number: '1234567890' }, true, null],
    ],
  );
  assert.ok(!inspect([rails, opened], { depth: 9 }).includes(SECRET));
});

test('the bank of the account can be set by its directory code or by its central-bank code', () => {
  for (const [bank_code, code] of [
    ['101', 'providus-bank'],
    ['50515', 'moniepoint-microfinance-bank'],
  ]) {
    const [settings] = read(rail({ account: { bank_code, number: '1234567890' } }));
    assert.equal(settings!.account.bankCode, code);
  }
});

test('the example file is valid once its secrets exist', () => {
  const example = readFileSync('banks.example.json', 'utf8').replaceAll(/"secrets\/[\w-]+"/g, '"password"');
  assert.deepEqual(
    read(example).map(({ name }) => name),
    ['providus', 'paystack', 'monnify'],
  );
});

test('all mistakes are reported at once, each with its path and a suggested name', () => {
  const found = problems({
    rails: [
      { ...NIP, mode: 'lives', name: 'Providus', colour: 1 },
      { ...NIP, account: { bank_code: 'providus-bnak', number: 123 } },
      rail({}, { base_url: 'http://bank.example', pasword_file: 'x', timeout_seconds: '5' }).rails[0],
      { ...PAYSTACK, kind: 'paystak' },
    ],
    rail: [],
  });
  assert.deepEqual(
    found.map((problem) => problem.split(' ')[0]),
    [
      'rail',
      'rails[0].colour',
      'rails[0].mode',
      'rails[0].name',
      'rails[1].account.bank_code',
      'rails[1].account.number',
      'rails[2].name',
      'rails[2].options.pasword_file',
      'rails[2].options.base_url',
      'rails[2].options.timeout_seconds',
      'rails[3].kind',
    ],
  );
  assert.match(found[2]!, /must be one of "live", "test". Did you mean "live"\?/);
  assert.match(found[4]!, /Did you mean "providus-bank"\? bin\/sliproad banks search/);
  assert.match(found[7]!, /is not a known field. Did you mean "password_file"\? Known fields: base_url, /);
  assert.match(found[10]!, /Did you mean "paystack"\?/);
});

test('a name must be unique in its mode, and must not be that of the simulated bank', () => {
  assert.match(
    problems({ rails: [NIP, NIP] })[0]!,
    /^rails\[1\]\.name is already the name of an earlier rail/,
  );
  assert.equal(read({ rails: [NIP, { ...NIP, mode: 'test' }] }).length, 2);
  assert.match(problems(rail({ name: 'simulated' }))[0]!, /^rails\[0\]\.name must not be "simulated"/);
});

test('a secret is read from a private file or from an environment variable, never from BANKS_FILE', () => {
  const open = path.join(folder, 'open');
  writeFileSync(open, SECRET);
  chmodSync(open, 0o644);
  const path0 = 'rails[0].options';
  const none = { password_file: undefined };
  for (const [options, expected] of [
    [{ password_file: 'open' }, `${path0}.password_file names a file that others can read. Close it with`],
    [{ password_file: 'nothing' }, `${path0}.password_file names ${folder}/nothing, which cannot be read`],
    [none, `${path0}.password_file is missing`],
    [{ ...none, password: SECRET }, `${path0}.password must not be in this file`],
    [{ ...none, password_env: 'UNSET' }, `${path0}.password_env names UNSET, which is not set`],
    [{ ...none, password_env: 'two words' }, `${path0}.password_env must be the name of an environment`],
    [{ password_env: 'PAYSTACK_KEY' }, `${path0}.password_env must be left out where`],
    [{ client_id: 'us' }, `${path0}.client_id and "client_secret_file" must be given together`],
  ] as const) {
    const found = problems(rail({}, options)).join('\n');
    assert.ok(found.startsWith(expected), found);
  }
  assert.equal(read(rail({}, { ...none, password_env: 'PAYSTACK_KEY' })).length, 1);
  const empty = path.join(folder, 'empty');
  writeFileSync(empty, '\n', { mode: 0o600 });
  assert.match(problems(rail({}, { password_file: 'empty' }))[0]!, /must contain one line of ASCII/);
});

test('the error about a missing or invalid file contains no part of the file', () => {
  assert.deepEqual(problems(`{"rails": ${SECRET}`)[0], 'The file is not valid JSON.');
  assert.match(problems('[]')[0]!, /^The whole file must be an object/);
  assert.match(problems('{"rails": {}}')[0]!, /^rails must be a list of at most 20 rails/);
  const away = {
    location: path.join(folder, 'away'),
    variables: () => undefined,
    kinds: RAIL_KINDS,
    directory,
  };
  assert.throws(() => readBanksFile(away), /The banks file .*away: It cannot be read \(ENOENT\)/);
});

test('URLs must be https without credentials or a query; loopback URLs may be http', () => {
  for (const base_url of [
    'ftp://bank.example',
    'http://10.0.0.1',
    'https://a:b@bank.example',
    'https://bank.example/?key=1',
  ])
    assert.match(problems(rail({}, { base_url }))[0]!, /^rails\[0\]\.options\.base_url must/);
  assert.equal(read(rail({}, { base_url: 'http://127.0.0.1:9' })).length, 1);
});

test('credits_from must be a valid calendar date', () => {
  const dated = (credits_from: string) => ({
    rails: [{ ...PAYSTACK, options: { ...PAYSTACK.options, credits_from } }],
  });
  assert.match(problems(dated('yesterday'))[0]!, /credits_from must be a date such as/);
  assert.match(problems(dated('2026-13-01'))[0]!, /credits_from must be a date/);
  for (const day of ['2026-02-30', '2027-02-29', '2026-04-31'])
    assert.match(problems(dated(day))[0]!, /credits_from must be a date that exists/, day);
  assert.equal(read(dated('2028-02-29')).length, 1);
  const [settings] = read(dated('2026-11-30'));
  assert.ok(settings!.open({ directory, clock: { now: () => 0 } }).statement !== null);
});

test('a number must be between its minimum and its maximum, both included', () => {
  for (const timeout_seconds of [1, 120]) {
    const options = { timeout_seconds, confirm_after_seconds: 86_400 };
    const { terms } = read(rail({}, options))[0]!.open({ directory, clock: { now: () => 0 } });
    assert.equal(terms.confirmAfterMs, 86_400_000);
  }
  for (const timeout_seconds of [0, 121, 1.5])
    assert.match(
      problems(rail({}, { timeout_seconds }))[0]!,
      /timeout_seconds must be a whole number from 1 to 120, without quotes/,
    );
});

test('threat 97: a rail’s times can only be made longer: a refusal counts at the earliest one minute after the time-out', () => {
  const termsOf = (options: object) =>
    read(rail({}, options))[0]!.open({ directory, clock: { now: () => 0 } }).terms;
  assert.deepEqual([termsOf({}).confirmAfterMs, termsOf({}).repeats], [120_000, 'not_promised']);
  assert.equal(termsOf({ confirm_after_seconds: 600 }).confirmAfterMs, 600_000);
  assert.equal(termsOf({ timeout_seconds: 5, confirm_after_seconds: 65 }).confirmAfterMs, 65_000);
  assert.equal(termsOf({ repeats: 'paid_once' }).repeats, 'paid_once');
  for (const options of [
    { confirm_after_seconds: 119 },
    { confirm_after_seconds: 0 },
    { timeout_seconds: 5, confirm_after_seconds: 64 },
  ])
    assert.match(problems(rail({}, options))[0]!, /confirm_after_seconds must be a whole number from \d+ to/);
  assert.match(problems(rail({}, { repeats: 'yes' }))[0]!, /repeats must be/);
});

test('a payout through Monnify is repeated only after the two minutes in which Monnify refuses an equal payout', () => {
  const options = {
    base_url: 'https://m.example',
    api_key_env: 'PAYSTACK_KEY',
    secret_key_env: 'PAYSTACK_KEY',
  };
  const account = { bank_code: 'moniepoint-mfb', number: '8000000013' };
  const row = {
    mode: 'live',
    kind: 'monnify',
    name: 'monnify',
    account,
    options: { ...options, timeout_seconds: 1 },
  };
  const [settings] = read({ rails: [row] });
  assert.ok(settings!.open({ directory, clock: { now: () => 0 } }).terms.repeatAfterMs > 120_000);
});
