// Tests what a start creates for the user: sandbox.json with working keys before the service serves anything, and the addresses
// on standard output. The start never prints the live key.
import assert from 'node:assert/strict';
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { makeUsedHome } from '../support/embedded/used-home.ts';
import { makeHome, otherPorts } from '../support/home.ts';
import { type ServiceProcess, startProcess } from '../support/process.ts';

const FIELDS = ['base_url', 'otc_base_url', 'business_id', 'link_tag', 'test_key', 'live_key'];
const PEOPLE = ['operator', 'approver', 'member'] as const;
const LIVE_RAIL = {
  ...{ mode: 'live', kind: 'paystack', name: 'paystack' },
  account: { bank_code: 'providus-bank', number: '1234567890' },
  options: { base_url: 'http://127.0.0.1:9', secret_key_env: 'PAYSTACK_KEY' },
};

test('threat 90: the sandbox file after the first start, after later starts, after it is lost and with other ports', async (t) => {
  const home = await makeHome(t);
  const file = path.join(home.dataDir, 'sandbox.json');

  const first = await startProcess(t, { home });
  const made = first.sandbox();
  assert.ok(first.hadSandboxWhenReady, 'the file is there before /ready is 200');
  assert.deepEqual(Object.keys(made), [...FIELDS, ...PEOPLE]);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal(made.base_url, `http://127.0.0.1:${home.port}`);
  assert.equal(made.otc_base_url, `http://127.0.0.1:${home.otcPort}`);
  assert.match(made.test_key, /^sk_test_/);
  assert.match(made.live_key!, /^sk_live_/);
  await assertKeysWork(first);
  assert.ok(first.stdout().includes(file), 'the path is printed');
  assert.ok(first.stdout().includes(made.test_key), 'the test key is printed');
  assert.ok(!first.stdout().includes(made.live_key!), 'the live key is not');
  for (const name of PEOPLE) {
    const { email, password, totp_secret } = made[name];
    assert.equal(email, `${name}@sandbox.test`);
    for (const secret of [password, totp_secret])
      assert.ok(!first.stdout().includes(secret), 'nor any secret of a person');
  }
  assert.equal(first.stderr(), '');
  await first.stop();

  const second = await startProcess(t, { home });
  assert.deepEqual(second.sandbox(), made, 'a restart keeps everything');
  await assertKeysWork(second);
  await second.stop();

  rmSync(file);
  const third = await startProcess(t, { home });
  const remade = third.sandbox();
  assert.equal(remade.business_id, made.business_id, 'the business stays');
  assert.notEqual(remade.test_key, made.test_key);
  assert.equal(remade.live_key, null, 'a lost file is no reason to make another live key');
  assert.match(
    third.stdout(),
    /the live key of the sandbox business is not in sandbox\.json.*keys add --business/,
  );
  const old = await fetch(`${made.base_url}/transactions/v1/vendors`, {
    headers: { 'svc-sec-key': made.live_key! },
  });
  await old.body?.cancel();
  assert.equal(old.status, 200, 'the live key made before still works');
  for (const name of PEOPLE) assert.notEqual(remade[name].password, made[name].password);
  await assertKeysWork(third);
  await third.stop();

  // The file is truncated, as after a full disk, and other users can read it.
  writeFileSync(file, '{"base_url": "http', { mode: 0o644 });
  const moved = await otherPorts(home);
  const fourth = await startProcess(t, { home: moved });
  assert.equal(fourth.sandbox().base_url, `http://127.0.0.1:${moved.port}`);
  assert.equal(fourth.sandbox().otc_base_url, `http://127.0.0.1:${moved.otcPort}`);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  await assertKeysWork(fourth);
  assert.deepEqual(
    readdirSync(home.dataDir).filter((name) => name.startsWith('sandbox')),
    ['sandbox.json'],
  );
  assert.match(fourth.stdout(), /^Credentials of the sandbox business, and of three people: /m);
});

test('with real money the file contains no people, and neither the start output nor the home page shows any', async (t) => {
  const home = await makeUsedHome(t);
  const rails = path.join(home.dataDir, 'banks.json');
  writeFileSync(rails, JSON.stringify({ rails: [LIVE_RAIL] }));
  const settings = { BANKS_FILE: rails, PAYSTACK_KEY: 'sk_live_none' };
  const service = await startProcess(t, { home, settings });
  for (const name of PEOPLE) assert.equal(service.sandbox()[name], null);
  const file = path.join(home.dataDir, 'sandbox.json');
  assert.ok(service.stdout().includes(`\nCredentials of the sandbox business: ${file}\n`), service.stdout());
  const page = await (await fetch(service.baseUrl)).text();
  assert.ok(page.includes(file));
  assert.ok(!page.includes('totp_secret'), page);
});

async function assertKeysWork(service: ServiceProcess): Promise<void> {
  const { base_url, otc_base_url, test_key, live_key } = service.sandbox();
  const calls = [
    [`${base_url}/transactions/v1/vendors`, test_key],
    ...(live_key === null ? [] : [[`${base_url}/transactions/v1/vendors`, live_key] as const]),
    [`${otc_base_url}/otc/buy`, test_key],
  ] as const;
  for (const [url, key] of calls) {
    const answer = await fetch(url, { headers: { 'svc-sec-key': key } });
    await answer.body?.cancel();
    assert.equal(answer.status, 200, url);
  }
}
