// Tests the doctor with a healthy database, with each possible problem, and without a database.
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createSocket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import pino from 'pino';
import { databaseWithKeys } from '../../../test/http/store-fixtures.ts';
import { readConfig } from '../../config.ts';
import { makeDoctorProbes } from '../../wire/admin/doctor-probes.ts';
import { secretsKeyAdmin } from '../../wire/admin/signer-admin.ts';
import { openFoundation } from '../../wire/foundation.ts';
import type { Terminal } from '../command.ts';
import { CommandError } from '../terminal/command-error.ts';
import type { DoctorCheck } from './check.ts';
import { doctorCommand } from './command.ts';
import { checkClock, checkDisk } from './machine.ts';

const { url, database } = await databaseWithKeys();
const root = mkdtempSync(path.join(tmpdir(), 'sliproad-doctor-'));
after(() => rmSync(root, { recursive: true }));
const keyFile = path.join(root, 'secrets-key');
await secretsKeyAdmin.make(keyFile);
const freePort = async () => {
  const probe = createSocket().listen(0, '127.0.0.1');
  await new Promise((resolve) => probe.once('listening', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return String(port);
};
const PORTS = { PORT: await freePort(), OTC_PORT: await freePort() };
const WELL = { ...PORTS, DATA_DIR: root, DATABASE_URL: url, SECRETS_KEY_FILE: keyFile };

async function examine(env: Readonly<Record<string, string>>) {
  const printed: string[] = [];
  const log = pino({ level: 'silent' });
  const terminal = {
    get config() {
      return readConfig(env);
    },
    log,
    print: (line: string) => void printed.push(line),
    withFoundation: async (work: Parameters<Terminal['withFoundation']>[0]) => {
      const foundation = await openFoundation(readConfig(env), log);
      try {
        return await work({ ...foundation, actor: 'os:test', signedIn: null });
      } finally {
        await foundation.close();
      }
    },
  } as unknown as Terminal;
  type Answer = { readonly ok: boolean; readonly problems: number; readonly checks: readonly DoctorCheck[] };
  const answer = await doctorCommand(makeDoctorProbes)
    .run(terminal, [])
    .catch((error) => {
      assert.ok(error instanceof CommandError && error.exit === 'failed');
      return error.answer;
    });
  const { checks, ...counts } = answer as unknown as Answer;
  const bad = checks.filter(({ state }) => state === 'problem').map(({ text, fix }) => `${text} → ${fix}`);
  for (const { state, fix } of checks) assert.equal(fix === null, state === 'ok', 'a way to fix it');
  return { ...counts, checks, bad, text: printed.join('\n') };
}

test('for a healthy service every line is ok or a warning, and the overall result is ok', async () => {
  const { ok, bad, text, checks } = await examine(WELL);
  assert.deepEqual([ok, bad], [true, []]);
  for (const line of [/PostgreSQL 1\d\.\d/, /all migrations are applied/, /opens every stored secret/])
    assert.match(text, line);
  assert.match(text, /warning +mail +no mail server is configured\n +→ Set SMTP_URL/);
  assert.deepEqual([...new Set(checks.map(({ area }) => area))].sort(), [
    ...[
      'banks',
      'clock',
      'configuration',
      'database',
      'disk',
      'keys',
      'mail',
      'networks',
      'rates',
      'service',
    ],
  ]);
});

test('without a database the doctor continues with the other checks', async () => {
  const dead = `postgres://127.0.0.1:${PORTS.PORT}/none`;
  const { ok, bad, text } = await examine({ ...WELL, DATABASE_URL: dead });
  assert.equal(ok, false);
  assert.match(bad.join('\n'), /^it cannot be reached \(DATABASE_URL\): .*ECONNREFUSED.* → Start the server/);
  for (const area of ['disk', 'keys', 'mail', 'service'])
    assert.match(text, new RegExp(`^\\w+ +${area}`, 'm'));
  const { text: none, bad: nothing } = await examine({ ...PORTS, DATA_DIR: path.join(root, 'none') });
  assert.deepEqual(nothing, []);
  assert.match(none, /warning +database +there is no database in .* yet\n +→ The first start creates it/);
});

test('each wrong setting is reported as a problem with its name', async () => {
  const { bad } = await examine({ ...WELL, LOG_LEVEL: 'loud', DATABASE_POOL_SIZE: '1' });
  assert.equal(bad.length, 2);
  assert.ok(bad.some((line) => line.startsWith('LOG_LEVEL must be one of')));
  assert.ok(bad.some((line) => line.startsWith('DATABASE_POOL_SIZE must be a whole number')));
});

test('server settings that can lose a commit are reported as problems', async () => {
  const name = new URL(url).pathname.slice(1);
  await database.query({ text: `alter database ${name} set synchronous_commit = off` });
  const { bad } = await examine(WELL);
  await database.query({ text: `alter database ${name} reset synchronous_commit` });
  assert.match(
    bad.join('\n'),
    /^synchronous_commit is off: an accepted request can be lost .* → alter system set/,
  );
});

test('the doctor finds records above the transaction counter of a server restored from a dump, and prints the values that fix it', async () => {
  const restored = await databaseWithKeys();
  const highest = (3n << 32n) + 5_000_000n;
  await restored.database.query({
    text: `insert into entries (id, mode, event, subject_id, at, committed_by)
           values (1, 'test', 'funded', 'fnd_1', now(), $1)`,
    values: [highest],
  });
  const { bad } = await examine({ ...WELL, DATABASE_URL: restored.url });
  assert.equal(bad.length, 1);
  assert.match(
    bad[0]!,
    new RegExp(`^records name transaction ${highest}, and the server is at \\d+: .* dump`),
  );
  assert.match(bad[0]!, /pg_resetwal -e 3 -x 5242880 -D /);
});

test('a key file is a problem if other users can read it, if it is missing, or if it does not open the stored secrets', async () => {
  chmodSync(keyFile, 0o644);
  const open = await examine(WELL);
  chmodSync(keyFile, 0o600);
  assert.match(open.bad.join('\n'), new RegExp(`can be read by others .* → chmod 600 ${keyFile}`));
  const missing = await examine({ ...WELL, SECRETS_KEY_FILE: path.join(root, 'gone') });
  assert.match(missing.bad.join('\n'), /is missing .*gone.* → Copy the file from another machine/);
});

test('the doctor checks the running service, the mail server and the networks file', async (t) => {
  const service = createServer((request, answer) => {
    answer.writeHead(request.url === '/health' ? 200 : 503).end();
  }).listen(0, '127.0.0.1');
  t.after(() => service.close());
  await new Promise((resolve) => service.once('listening', resolve));
  const networksFile = path.join(root, 'networks.json');
  writeFileSync(networksFile, '{');
  const { bad } = await examine({
    ...WELL,
    PORT: String((service.address() as AddressInfo).port),
    SMTP_URL: `smtp://127.0.0.1:${PORTS.PORT}`,
    MAIL_FROM: 'ops@example.com',
    NETWORKS_FILE: networksFile,
  });
  const all = bad.join('\n');
  assert.match(all, /answers 200 to \/health and 503 to \/ready → Check its log/);
  assert.match(all, /the mail server cannot be used: .* → Correct SMTP_URL/);
  assert.match(all, /The networks file .*networks\.json: .* → Correct the file/);
});

test('each mistake in the rates file is a separate problem', async () => {
  const file = path.join(root, 'rates.json');
  const RATES_FILE = file;
  writeFileSync(file, '{"sources": [{"name": "desk"}], "colour": 1, "products": {}}');
  const { checks } = await examine({ ...WELL, RATES_FILE });
  const own = checks.filter(({ area }) => area === 'rates');
  assert.deepEqual(
    own.map(({ state, text }) => `${state} ${text.split(' ')[0]}`),
    [
      'colour',
      'sources[0].name',
      'sources[0].kind',
      'sources[0].url',
      'sources[0].every',
      'sources[0].age_limit',
      'sources[0].timeout',
    ].map((where) => `problem ${where}`),
  );
  for (const { fix } of own)
    assert.match(
      fix!,
      /^Correct .*rates\.json, the file named by RATES_FILE: docs\/operate\/rates\.md, Sources\./,
    );
  writeFileSync(file, '{"sources": [], "products": {}}');
  const { text } = await examine({ ...WELL, RATES_FILE });
  assert.match(text, /ok +rates +the rates file is valid, with no source/);
  assert.match(
    (await examine(WELL)).text,
    /ok +rates +no rates file is configured: live mode uses only desk prices/,
  );
});

test('each mistake in the banks file is a separate problem', async () => {
  const BANKS_FILE = path.join(root, 'banks.json');
  writeFileSync(BANKS_FILE, '{"rails": [{"mode": "live"}], "colour": 1}');
  const { checks } = await examine({ ...WELL, BANKS_FILE });
  const own = checks.filter(({ area }) => area === 'banks');
  assert.deepEqual(
    own.map(({ state, text }) => `${state} ${text.split(' ')[0]}`),
    ['colour', 'rails[0].kind', 'rails[0].name', 'rails[0].account.bank_code', 'rails[0].account.number'].map(
      (where) => `problem ${where}`,
    ),
  );
  for (const { fix } of own)
    assert.match(
      fix!,
      /^Correct .*banks\.json, the file named by BANKS_FILE: docs\/operate\/rail-settings\.md/,
    );
  writeFileSync(BANKS_FILE, '{"rails": []}');
  const { text } = await examine({ ...WELL, BANKS_FILE });
  assert.match(text, /ok +banks +the banks file is valid, with no rail/);
  assert.match(
    (await examine(WELL)).text,
    /ok +banks +no banks file is configured: live mode accepts no buys/,
  );
});

test('a nearly full disk or a wrong clock is a warning or a problem, depending on how serious it is', async () => {
  const config = readConfig({ DATA_DIR: root });
  const free = (megabytes: number) => checkDisk(config, async () => megabytes * 1_048_576);
  assert.deepEqual(
    [(await free(5_000)).state, (await free(1_000)).state, (await free(100)).state],
    ['ok', 'warning', 'problem'],
  );
  assert.deepEqual(
    [300, -2_000, 45_000].map((ms) => checkClock(ms, 'the database').state),
    ['ok', 'warning', 'problem'],
  );
  assert.match(checkClock(-2_000, 'the database').text, /2 s behind the database/);
});
