// Tests RATES_FILE. The example is valid, and all mistakes are reported at once with their path and without the value.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { inspect } from 'node:util';
import { SettingsError } from '../../settings-problems.ts';
import { readRatesFile } from './rates-file.ts';

const EXAMPLE = path.join(import.meta.dirname, '../../../../rates.example.json');
const directory = mkdtempSync(path.join(tmpdir(), 'sliproad-rates-'));
after(() => rmSync(directory, { recursive: true }));
const file = path.join(directory, 'rates.json');

interface Given {
  sources: Record<string, unknown>[];
  products: Record<string, Record<string, unknown>>;
  [other: string]: unknown;
}
const example = () => JSON.parse(readFileSync(EXAMPLE, 'utf8')) as Given;
const VARIABLES: Readonly<Record<string, string>> = {
  RATES_KEY: 'SECRET-5150',
  BLANK: '  ',
  LINES: 'SECRET\nx',
};

function read(content: unknown) {
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return readRatesFile(file, (name) => VARIABLES[name]);
}

function problemsAfter(change: (given: Given) => unknown): readonly string[] {
  const given = example();
  change(given);
  try {
    read(given);
    return [];
  } catch (error) {
    assert.ok(error instanceof SettingsError, `${error}`);
    assert.ok(!error.message.includes('SECRET'), error.message);
    for (const line of error.message.split('\n')) assert.ok(line.startsWith(`The rates file ${file}: `));
    return error.problems;
  }
}

const refuses = (change: (given: Given) => unknown, ...problems: readonly RegExp[]) => {
  const found = problemsAfter(change);
  assert.equal(found.length, problems.length, found.join('\n'));
  for (const [at, problem] of problems.entries()) assert.match(found[at]!, problem);
};
const setting = (name: string, value: unknown) => (given: Given) =>
  Object.assign(given.sources[0]!, { [name]: value });

test('the example contains all four kinds and both products', () => {
  const { sources, products } = readRatesFile(EXAMPLE, () => undefined);
  assert.deepEqual(
    sources.map(({ name, kindName, everyMs, ageLimitMs, timeoutMs, mostBytes }) => [
      ...[name, kindName, everyMs / 1_000, ageLimitMs / 1_000, timeoutMs / 1_000, mostBytes / 1_048_576],
    ]),
    [
      ['cbn', 'central_bank', 3_600, 345_600, 60, 32],
      ['world', 'world_table', 3_600, 93_600, 10, 1],
      ['quidax', 'exchange_ticker', 30, 180, 10, 1],
      ['paycrest', 'amount_quote', 30, 180, 10, 1],
    ],
  );
  assert.equal(sources[3]!.url, 'https://api.paycrest.io/v1/rates/USDC/100/NGN');
  assert.deepEqual(
    [...products.values()],
    [
      { product: 'otc_buy', sources: ['cbn', 'world', 'desk'], minimum: 2 },
      { product: 'usdc_ngnc', sources: ['quidax', 'paycrest', 'desk'], minimum: 2, crosses: ['world'] },
    ],
  );
});

test('products and sources are optional', () => {
  const { sources, products } = read({ sources: [], products: {} });
  assert.deepEqual([sources.length, products.size], [0, 0]);
  assert.equal(
    read({ sources: [], products: { otc_buy: { sources: ['desk'], minimum: 1 } } }).products.size,
    1,
  );
});

test('all mistakes are reported at once', () => {
  refuses(
    (given) => {
      given.colour = 'blue';
      given.sources[0]!.kind = 'centralbank';
      given.sources[1]!.every = '1 hour';
      delete given.sources[2]!.url;
      given.sources[3]!.name = 'quidax';
      given.products.otc_buy!.minimum = 4;
    },
    /^colour is not a known field\. Known fields: sources, products\.$/,
    /^sources\[0\]\.kind is not a known kind\. Did you mean "central_bank"\? Known kinds: central_bank, world_table, /,
    /^sources\[1\]\.every must be a duration from "5s" to "7d", such as/,
    /^sources\[2\]\.url is missing: it must be a text\.$/,
    /^sources\[3\]\.name is already the name of an earlier source/,
    /^products\.otc_buy\.minimum must be a whole number from 1 to 3, without quotes\.$/,
    /^products\.usdc_ngnc\.sources\[1\] is not the name of a source\. Known names: cbn, world, quidax, desk\.$/,
  );
});

test('the value of each field of a source is checked', () => {
  const wrong: readonly (readonly [string, readonly unknown[], RegExp])[] = [
    ['every', ['', '4', '4s', '8d', 30, null, '-5s', '1w', '5S', '1.5h'], /every must be a duration/],
    ['age_limit', ['9s', '31d', 'SECRET'], /age_limit must be a duration/],
    ['age_limit', ['1h', '30m'], /age_limit must be longer than "every"/],
    ['timeout', ['500ms', '0s', '3m', true], /timeout must be a duration/],
    ['max_bytes', [0, 1_023, 67_108_865, 1.5, '1024', true], /max_bytes must be a whole number from 1024 to/],
    ['kind', ['SECRET-KIND', 'toString', '__proto__'], /kind is not a known kind\. Known kinds: /],
    ['kind', [7, '', null], /kind must be a text/],
    ['amount', ['100'], /amount is not a known field\. Known fields: name, kind, url, .*headers\.$/],
    ['SECRET-FIELD!', [1], /^sources\[0\] has a field whose name cannot be shown: it is not a known field/],
    [
      'url',
      ['SECRET', 'ftp://SECRET.example', 'http://SECRET.example/', 'http://127.0.0.1.SECRET.example', '//x'],
      /url must be an https:\/\/ URL/,
    ],
    [
      'url',
      ['https://u:SECRET@x.example', 'https://SECRET@x.example'],
      /url must not contain a user name or a password/,
    ],
    ['url', ['https://x.example/{SECRET}'], /url has a \{ or \} that does not enclose/],
    ['url', [7, ''], /url must be a text/],
  ];
  for (const [name, values, problem] of wrong)
    for (const value of values) refuses(setting(name, value), problem);
  for (const name of ['Cbn', '1cbn', 'c b', 'x'.repeat(33), ''])
    assert.match(
      problemsAfter(setting('name', name)).join('\n'),
      /^sources\[0\]\.name must be a name of up to 32 small letters/,
    );
  assert.match(
    problemsAfter(setting('name', 'desk')).join('\n'),
    /^sources\[0\]\.name must not be "desk": that name is reserved/,
  );
  for (const name of ['every', 'age_limit', 'timeout', 'kind', 'url'])
    refuses(setting(name, undefined), new RegExp(`^sources\\[0\\]\\.${name} is missing: it must be a `));
  for (const url of ['http://127.0.0.1:4320/x', 'http://localhost/x', 'http://[::1]/x'])
    refuses(setting('url', url));
});

test('a kind of source can have its own fields, which must occur in the URL', () => {
  const paycrest = (changes: object) => (given: Given) => Object.assign(given.sources[3]!, changes);
  refuses(
    paycrest({ amount: undefined }),
    /^sources\[3\]\.amount is missing: it must be an amount of dollars in quotes, such as "100"\.$/,
  );
  refuses(
    paycrest({ amount: 100 }),
    /^sources\[3\]\.amount must be an amount of dollars in quotes, such as "100"\.$/,
  );
  refuses(
    paycrest({ url: 'https://api.example/100' }),
    /^sources\[3\]\.url must contain \{amount\}, where the value of "amount" goes\.$/,
  );
  refuses(paycrest({ amount: '250.5' }));
  assert.equal(read({ ...example() }).sources[3]!.url.includes('100'), true);
});

test('the same source cannot be listed twice', () => {
  refuses(
    (given) => given.sources.push({ ...given.sources[1], name: 'copy' }),
    /^sources\[4\]\.url is the URL of sources\[1\]: one source must not count as two\.$/,
  );
  refuses(
    (given) => Object.assign(given.products.otc_buy!, { sources: ['cbn', 'cbn', 'desk'] }),
    /^products\.otc_buy\.sources\[1\] appears twice/,
  );
});

test('the value of each field of a product is checked', () => {
  const otc = (changes: object) => (given: Given) => Object.assign(given.products.otc_buy!, changes);
  for (const minimum of [0, 4, -1, 1.5, '2', null])
    refuses(otc({ minimum }), /^products\.otc_buy\.minimum must be a whole number from 1 to 3/);
  refuses(
    otc({ minimum: undefined }),
    /^products\.otc_buy\.minimum is missing: it must be a whole number from 1 to 3, without quotes\.$/,
  );
  refuses(
    otc({ sources: ['cbn', 'world'], minimum: 1 }),
    /^products\.otc_buy\.minimum must be at least 2, or "desk" must be/,
  );
  refuses(otc({ sources: ['cbn', 'world'], minimum: 2 }));
  refuses(otc({ cross_from: ['world'] }));
  for (const cross_from of [['desk'], ['nowhere']])
    refuses(otc({ cross_from }), /^products\.otc_buy\.cross_from\[0\] is not the name of a source/);
  for (const cross_from of [[], 'world'])
    refuses(otc({ cross_from }), /^products\.otc_buy\.cross_from must be a list of at least one name/);
  refuses(otc({ sources: ['cbn', 'desk'], minimum: 1 }));
  refuses(
    otc({ sources: [], minimum: 1 }),
    /^products\.otc_buy\.sources must be a list of at least one name/,
  );
  refuses(otc({ sources: 'cbn' }), /^products\.otc_buy\.sources must be a list/);
  refuses(
    otc({ sources: ['cbn', 7, 'desk'] }),
    /^products\.otc_buy\.sources\[1\] is not the name of a source/,
  );
  refuses(otc({ most: 3 }), /^products\.otc_buy\.most is not a known field/);
  refuses(
    (given) => Object.assign(given.products, { otc_sell: {} }),
    /^products\.otc_sell is not a known field\. Known fields: otc_buy, usdc_ngnc\.$/,
  );
  refuses((given) => Object.assign(given.products, { otc_buy: [] }), /^products\.otc_buy must be an object/);
});

test('a missing file, invalid JSON or a wrong structure is refused', () => {
  const failure = (content: string) => {
    try {
      read(content);
    } catch (error) {
      return (error as SettingsError).problems.join('\n');
    }
    return assert.fail(content);
  };
  assert.match(failure('{"sources": [SECRET'), /^The file is not valid JSON/);
  assert.match(
    failure('{"sources": [], "sources": [], "products": {}}'),
    /^The field on line 1 repeats an earlier one/,
  );
  assert.match(failure('[]'), /^The whole file must be an object/);
  assert.match(
    failure('{}'),
    /^sources is missing: it must be a list of at most 20 sources\.\nproducts is missing: it must be an object/,
  );
  assert.match(
    failure('{"sources":[null,7,[]],"products":{}}'),
    /^sources\[0\] must be an object.*\nsources\[1\] must.*\nsources\[2\] must/,
  );
  writeFileSync(file, Buffer.from([0x7b, 0xff]));
  assert.throws(() => readRatesFile(file, () => undefined), /It is not text in UTF-8\.$/);
  assert.throws(
    () => readRatesFile(path.join(directory, 'none.json'), () => undefined),
    /It cannot be read \(ENOENT\)\.$/,
  );
});

test('threat 92: the file contains the name of each key, the environment contains the key, and no message shows it', () => {
  const withHeaders = (headers: unknown) => setting('headers', headers);
  const given = example();
  given.sources[0]!.headers = { 'X-Api-Key': { env: 'RATES_KEY' }, 'User-Agent': 'Acme rates' };
  const [source] = read(given).sources;
  assert.deepEqual(source!.headers(), { 'x-api-key': 'SECRET-5150', 'user-agent': 'Acme rates' });
  assert.ok(!inspect(source, { depth: 9 }).includes('SECRET') && !JSON.stringify(source).includes('SECRET'));
  refuses(
    withHeaders({ 'x-api-key': 'SECRET' }),
    /^sources\[0\]\.headers\.x-api-key looks like a key: name the environment variable/,
  );
  refuses(withHeaders({ authorization: 'Bearer SECRET' }), /headers\.authorization looks like a key/);
  refuses(
    withHeaders({ 'x-api-key': { env: 'UNSET' } }),
    /headers\.x-api-key\.env names UNSET, which is not set\.$/,
  );
  refuses(withHeaders({ 'x-api-key': { env: 'BLANK' } }), /names BLANK, which is not set\.$/);
  refuses(
    withHeaders({ 'x-api-key': { env: 'LINES' } }),
    /names LINES, whose value cannot be sent in a header\.$/,
  );
  refuses(
    withHeaders({ 'x-api-key': { env: 'SECRET-1' } }),
    /headers\.x-api-key\.env must be the name of an environment variable/,
  );
  refuses(
    withHeaders({ 'x-api-key': { env: 'RATES_KEY', file: 'x' } }),
    /headers\.x-api-key\.file is not a known field/,
  );
  refuses(withHeaders({ 'x-api-key': 7 }), /headers\.x-api-key must be an object/);
  refuses(withHeaders({ host: 'x.example' }), /headers\.host must be left out: the service sets it\.$/);
  refuses(withHeaders({ 'a b': 'x' }), /headers has a header whose name is not letters/);
  refuses(withHeaders({ 'x-a': 'x\r\ny' }), /headers\.x-a must be a text of/);
  refuses(withHeaders({ 'x-a': 'x', 'X-A': 'y' }), /headers\.X-A appears twice/);
  refuses(withHeaders('x-api-key: SECRET'), /headers must be an object such as/);
});
