// Tests the command line with people, as an operator sees it on a new sandbox. The service refuses a command that needs a
// person and shows the sign-in command. Two people with two sessions decide, and the audit log records all of it.
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { makeUsedHome } from '../support/embedded/used-home.ts';
import { runCommand, type SandboxPerson, startProcess } from '../support/process.ts';

const STEP_MS = 30_000;

test('threats 83, 84: two people add a live vendor from two terminals', async (t) => {
  const home = await makeUsedHome(t);
  const service = await startProcess(t, { home });
  const { operator, approver, member, base_url, live_key } = service.sandbox();
  const terminal = (name: string) => {
    const file = path.join(home.root, `${name}.json`);
    return { file, run: (line: string, input = '') => run(home, line, file, input) };
  };
  const [first, second] = [terminal('first'), terminal('second')];
  const vendors = () => vendorsOf(base_url, live_key!);
  const ADD = 'vendors add --mode live --name Wema-Collections --number 0123456789 --bank Wema';

  await t.test('without a signed-in person the command is refused with the next step', async () => {
    assert.match((await first.run(ADD)).stderr, /Sign in first: bin\/sliproad login/);
    assert.match((await first.run('whoami')).stdout, /No person is signed in\. Commands are recorded as os:/);
    assert.equal((await first.run('vendors list')).code, 0, 'reading works');
    const wrong = await whileValid(() =>
      first.run(`login --email ${operator.email}`, `not the password\n${code(operator)}\n`),
    );
    assert.match(wrong.stderr, /address, the password or the code is wrong/);
    assert.match(
      (await whileValid(() => first.run(`login --email ${member.email}`, answers(member)))).stderr,
      /no role at the operator/,
    );
  });

  await t.test('a signed-in person can make a proposal but cannot approve it', async () => {
    const signed = await whileValid(() => first.run(`login --email ${operator.email}`, answers(operator)));
    assert.equal(signed.code, 0, signed.stderr);
    assert.match(signed.stdout, /Signed in as operator@sandbox\.test until/);
    assert.equal(statSync(first.file).mode & 0o777, 0o600);
    const proposed = await first.run(ADD);
    assert.equal(proposed.code, 0, proposed.stderr);
    const id = /prp_\w+/.exec(proposed.stdout)![0];
    const own = await whileValid(() => first.run(`reviews approve ${id}`, `${code(operator, 1)}\n`));
    assert.match(own.stderr, /another person must decide/);
    assert.doesNotMatch(await vendors(), /Wema-Collections/, 'customers do not see it');

    const [signedIn, used] = await whileValid(async () => {
      const once = code(approver);
      const given = `${approver.password}\n${once}\n`;
      const login = await second.run(`login --email ${approver.email}`, given);
      return [login, await second.run(`reviews approve ${id}`, `${once}\n`)] as const;
    });
    assert.equal(signedIn.code, 0, signedIn.stderr);
    assert.match(used.stderr, /already used\. Each code works once/);
    const approved = await whileValid(
      () => second.run(`reviews approve ${id}`, `${code(approver, 1)}\n`),
      (ended) => ended.code === 0,
    );
    assert.equal(approved.code, 0, approved.stderr);
    assert.match(await vendors(), /Wema-Collections/);
  });

  await t.test('the audit log names both people, and its hash chain is intact', async () => {
    const { stdout } = await first.run('audit list');
    for (const word of ['os:', 'per_', 'session.opened', 'vendor']) assert.ok(stdout.includes(word), word);
    const verified = await first.run('audit verify');
    assert.equal(verified.code, 0, verified.stderr);
    assert.match((await first.run('people disable approver@sandbox.test')).stdout, /signed out everywhere/);
    const ended = await second.run('whoami');
    assert.match(ended.stdout, /No person is signed in/);
    assert.match(ended.stderr, /session of this terminal has expired/);
    assert.match((await first.run('logout')).stdout, /Signed out/);
    const log = service.stdout() + service.stderr();
    for (const { password, totp_secret } of [operator, approver, member])
      assert.ok(!log.includes(password) && !log.includes(totp_secret), 'no secret is in the log');
  });
});

async function vendorsOf(baseUrl: string, key: string): Promise<string> {
  const answer = await fetch(`${baseUrl}/transactions/v1/vendors`, { headers: { 'svc-sec-key': key } });
  return JSON.stringify(await answer.json());
}

function run(home: Parameters<typeof runCommand>[0], line: string, file: string, input: string) {
  return runCommand(home, line.split(' '), { CLI_SESSION_FILE: file }, input);
}

function answers(person: SandboxPerson): string {
  return `${person.password}\n${code(person)}\n`;
}

/** Repeats the work with new codes if the commands took so long that a code may have expired. */
async function whileValid<T>(work: () => Promise<T>, isDone = (_result: T) => false): Promise<T> {
  for (;;) {
    const beganAtMs = Date.now();
    const result = await work();
    if (isDone(result) || Date.now() - beganAtMs < STEP_MS) return result;
  }
}

/** The current code, or the code of a later step. A clock may be half a minute off, and the service accepts each code once. */
function code({ totp_secret }: SandboxPerson, later = 0): string {
  return new TOTP({ secret: Secret.fromBase32(totp_secret) }).generate({
    timestamp: Date.now() + later * STEP_MS,
  });
}
