// Tests records as JSON (names, times and amounts) and the commands that print this form. Tests that colours in tables appear
// only on a terminal.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { EXIT_CODES } from './command-error.ts';
import { decimal, toJson } from './json.ts';
import { formatTable, makePaint } from './table.ts';

const DECIMALS = { live: new Map(), test: new Map([['NGNC@Stellar', 7]]) };

test('amounts are exact, in whole units of their asset; if the decimals are unknown, they are in minor units under another field name', () => {
  const deposit = {
    mode: 'test',
    asset: 'NGNC@Stellar',
    amountMinor: 155_328_400_000n,
    nairaMinor: 1_553_284n,
  };
  assert.deepEqual(toJson(deposit, DECIMALS), {
    ...{ mode: 'test', asset: 'NGNC@Stellar', amount: '15532.8400000', naira: '15532.84' },
  });
  assert.deepEqual(toJson({ mode: 'live', asset: 'X@Y', amountMinor: 5n }, DECIMALS), {
    ...{ mode: 'live', asset: 'X@Y', amount_minor: '5' },
  });
  assert.deepEqual(toJson({ perDayMinor: null, partsMinor: [100n, -5n] }), {
    ...{ per_day: null, parts: ['1.00', '-0.05'], asset: 'NGN' },
  });
  assert.equal(decimal(10n ** 30n + 1n, 18), '1000000000000.000000000000000001');
});

test('names are in snake_case and times in ISO 8601', () => {
  assert.deepEqual(toJson([{ createdAtMs: 0, revokedAtMs: null, linkTag: 'a', left: undefined }]), [
    { created_at: '1970-01-01T00:00:00.000Z', revoked_at: null, link_tag: 'a' },
  ]);
});

test('colours appear only on a terminal, and never with NO_COLOR, --no-color or TERM=dumb', () => {
  const rows = [
    ['KEY', 'STATE'],
    ['k', 'active'],
  ];
  const shown = formatTable(rows, makePaint({ isTTY: true }, {}, false));
  assert.ok(shown.includes('\u001b[1mKEY') && shown.includes('\u001b[32mactive'));
  const plain = 'KEY  STATE\nk    active';
  for (const paint of [
    makePaint({ isTTY: true }, { NO_COLOR: '1' }, false),
    makePaint({ isTTY: true }, { TERM: 'dumb' }, false),
    makePaint({ isTTY: true }, {}, true),
    makePaint({}, {}, false),
  ])
    assert.equal(formatTable(rows, paint), plain);
});

test('docs/operate/command-line.md lists the same exit codes as the code', () => {
  const page = readFileSync(
    path.resolve(import.meta.dirname, '../../../docs/operate/command-line.md'),
    'utf8',
  );
  const rows = [...page.matchAll(/^\| (\d+) \| `(\w+)` \|/gm)].map(([, code, word]) => [word, Number(code)]);
  assert.deepEqual(rows, Object.entries(EXIT_CODES));
});

/**
 * Commands whose records the console does not show. All other commands print the console's rendering of a record
 * (src/renderings).
 */
const WITHOUT_RENDERING: Readonly<Record<string, string>> = {
  'commands/account-lookups.ts': 'account enquiries and Travel-Rule records',
  'commands/audit/audit.ts': 'where the audit log is broken',
  'commands/fees.ts': 'every fee that was ever set',
  'commands/incidents.ts': 'transfers out of a treasury that no order explains',
  'commands/ledger/ledger.ts': 'what was booked in test mode, and what is wrong with the audit log',
  'commands/limits.ts': 'the rules of limits',
  'commands/matching.ts': 'backtests, and businesses near the limit of unpaid buys',
  'commands/operations.ts': 'the bank directory with every code',
  'commands/people/secrets.ts': 'tables of sealed secrets',
  'commands/privacy.ts': 'personal data of one customer',
  'commands/rails/events.ts': 'events of rails',
  'commands/statements/uncertain.ts': 'what an earlier version released',
  'ledger-tables.ts': 'a recount of the ledger',
};

test('only records that the console does not show are printed field by field', () => {
  const cli = path.resolve(import.meta.dirname, '..');
  const users = globSync('**/*.ts', { cwd: cli }).filter(
    (file) =>
      !file.endsWith('.test.ts') &&
      /import \{[^}]*\btoJson\b[^}]*\}/.test(readFileSync(path.join(cli, file), 'utf8')),
  );
  assert.deepEqual(
    users.map((file) => file.replaceAll(path.sep, '/')).sort(),
    Object.keys(WITHOUT_RENDERING),
    'give a command the rendering of the console (src/renderings), or the list a reason',
  );
});
