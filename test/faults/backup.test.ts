// Tests a backup that is made with the command line while buys arrive, and restored elsewhere. The copy contains every request
// that got its response before the backup. Money movements stay paused until an operator has reconciled, and dangerous steps
// are refused.
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import pino from 'pino';
import { readConfig } from '../../src/config.ts';
import { openFoundation } from '../../src/wire/foundation.ts';
import { query } from '../support/accounted.ts';
import { makeUsedHome } from '../support/embedded/used-home.ts';
import { connectionOf, type Home, otherPorts } from '../support/home.ts';
import { isAccepted, type Load, startLoad } from '../support/load.ts';
import { until } from '../support/patience.ts';
import { agreeOnSetting } from '../support/people/reviewers.ts';
import { SECRETS_KEY } from '../support/people/secrets-key.ts';
import { runCommand, type ServiceProcess, type Settings, startProcess } from '../support/process.ts';

test('threat 91: a backup that was made under load can be restored', async (t) => {
  const home = await makeUsedHome(t);
  const backupDir = path.join(home.root, 'backup');
  const restored: Home = { ...(await otherPorts(home)), dataDir: path.join(home.root, 'restored') };
  const service = await startProcess(t, { home });
  const load = startLoad({ baseUrl: service.baseUrl, business: service.business(), clients: 4 });
  t.after(() => load.stop());
  await until('buys are accepted', () => load.accepted() > 100);

  const before = acceptedIds(load);
  const made = await runCommand(home, ['backup', backupDir]);
  assert.equal(made.code, 0, made.stderr);
  assert.ok(made.stdout.includes(`restore ${backupDir}`), made.stdout);
  assert.ok(load.accepted() > before.size, 'buys came in meanwhile');
  await load.stop();
  assert.equal(load.accepted(), load.outcomes.size, 'and none was refused');

  const brought = await runCommand(restored, ['restore', backupDir]);
  assert.equal(brought.code, 0, brought.stderr);
  assert.match(brought.stdout, /Money movements are paused/);
  assert.match(brought.stdout, /Copy the key file of stored secrets to .*restored\/secrets-key/);
  await assert.rejects(startProcess(t, { home: restored }), /there is no file .*secrets-key/);
  copyFileSync(path.join(home.dataDir, 'secrets-key'), path.join(restored.dataDir, 'secrets-key'));
  const copy = await startProcess(t, { home: restored });
  // The hint contains DATA_DIR, because without it the command might use another database.
  const hint = `DATA_DIR=${restored.dataDir} bin/sliproad movements resume`;
  assert.ok(brought.stdout.includes(hint), brought.stdout);
  assert.ok(copy.stdout().includes(hint), 'a start while movements are paused says so');
  assert.ok(!service.stdout().includes('movements are paused'));
  await assertHolds(copy, service.business().testKey, before);

  await t.test('threat 91: movements are paused only in the restored copy', async () => {
    assert.equal(await pausedMetric(copy), 1);
    assert.match((await runCommand(restored, ['movements', 'status'])).stdout, /are paused/);
    assert.equal(await pausedMetric(service), 0);
    assert.match((await runCommand(home, ['movements', 'status'])).stdout, /Money movements are not paused/);
    const alone = await runCommand(restored, ['movements', 'resume', '--reason', 'reconciled']);
    assert.equal(alone.code, 4, 'a person has to sign in');
    assert.match(alone.stderr, /Sign in first/);
    assert.equal(await pausedMetric(copy), 1, 'its end takes two people');
    await resume(restored);
    await until('the copy knows', async () => (await pausedMetric(copy)) === 0);
  });
  await t.test(
    'threat 91: a backup or restore over existing files, with DATABASE_URL, or of another PostgreSQL version is refused',
    (t) => assertRefusals(t, home, restored, backupDir),
  );
});

async function resume(home: Home): Promise<void> {
  const foundation = await openFoundation(readConfig({ DATA_DIR: home.dataDir }), pino({ level: 'silent' }));
  try {
    const request = { setting: 'movements_resumed', reason: 'reconciled' } as const;
    assert.ok((await agreeOnSetting(foundation, request)).ok);
  } finally {
    await foundation.close();
  }
}

async function assertRefusals(t: TestContext, home: Home, occupied: Home, backupDir: string): Promise<void> {
  const empty: Home = { ...home, dataDir: path.join(home.root, 'empty') };
  const refuses = async (where: Home, args: string[], why: RegExp, settings: Settings = {}) => {
    const { code, stdout, stderr } = await runCommand(where, args, settings);
    assert.equal(code, 1, stdout);
    assert.match(stderr, why);
    assert.doesNotMatch(stderr, /\n {4}at /, 'no stack');
    t.diagnostic(stderr.trim());
  };
  const files = readdirSync(backupDir).length;
  await refuses(home, ['backup', backupDir], /is not empty/);
  assert.equal(readdirSync(backupDir).length, files, 'the backup is left alone');
  await refuses(occupied, ['restore', backupDir], /already contains a database/);
  const elsewhere = { ...SECRETS_KEY, DATABASE_URL: 'postgres://sliproad@127.0.0.1:1/sliproad' };
  await refuses(home, ['backup', path.join(home.root, 'other')], /DATABASE_URL is set/, elsewhere);
  await refuses(empty, ['restore', backupDir], /DATABASE_URL is set/, elsewhere);

  const manifestFile = path.join(backupDir, 'manifest.json');
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as { postgres_major: number };
  writeFileSync(manifestFile, JSON.stringify({ ...manifest, postgres_major: manifest.postgres_major - 1 }));
  await refuses(empty, ['restore', backupDir], new RegExp(`PostgreSQL ${manifest.postgres_major - 1}`));
  assert.ok(!existsSync(path.join(empty.dataDir, 'postgres')), 'nothing was restored');
}

function acceptedIds(load: Load): Map<string, string> {
  const ids = new Map<string, string>();
  for (const [reference, outcome] of load.outcomes) {
    if (!isAccepted(outcome) || outcome.kind !== 'answered') continue;
    ids.set(reference, outcome.body.transaction!.transaction_id);
  }
  return ids;
}

async function assertHolds(copy: ServiceProcess, key: string, wanted: Map<string, string>): Promise<void> {
  for (const [reference, id] of wanted) {
    const answer = await fetch(`${copy.baseUrl}/transactions/v1?reference=${reference}`, {
      headers: { 'svc-sec-key': key },
    });
    const { transactions } = (await answer.json()) as { transactions: { transaction_id: string }[] };
    assert.deepEqual(
      transactions.map((each) => each.transaction_id),
      [id],
      reference,
    );
  }
  const halves = await query(
    connectionOf(copy.home.dataDir),
    `select l.transaction_id from timeline l left join transactions t on t.id = l.transaction_id where t.id is null`,
  );
  assert.deepEqual(halves, []);
}

async function pausedMetric({ baseUrl }: ServiceProcess): Promise<number> {
  const text = await (await fetch(`${baseUrl}/metrics`)).text();
  return Number(/^sliproad_movements_paused (\d)$/m.exec(text)?.[1]);
}
