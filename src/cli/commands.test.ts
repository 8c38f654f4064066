// Every command returns JSON: each command runs once, and its result must be plain JSON with snake_case names. A record that
// the console also shows has the same JSON there. Further tests cover default wallets, replaced keys and amounts.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import pino from 'pino';
import { differenceToConsole, namesIn, withoutContract } from '../../test/support/client/command-answers.ts';
import { COMMAND_SAMPLES } from '../../test/support/client/command-samples.ts';
import { startTestService } from '../../test/support/service.ts';
import { readConfig } from '../config.ts';
import type { Terminal } from './command.ts';
import { COMMANDS } from './commands.ts';
import { findCommand } from './find-command.ts';
import { CommandError, type ExitWord } from './terminal/command-error.ts';
import type { Json } from './terminal/json.ts';

const service = await startTestService();
const { foundation, business } = service;
const root = mkdtempSync(path.join(tmpdir(), 'sliproad-cli-'));
after(() => rmSync(root, { recursive: true }));
const config = readConfig({
  DATA_DIR: path.join(root, 'data'),
  CLI_SESSION_FILE: path.join(root, 'sessions.json'),
  SIGNER_PASSPHRASE: 'a passphrase of a test',
  SIGNER_NEW_PASSPHRASE: 'another passphrase of a test',
  PORT: '1',
});

interface Ran {
  readonly exit: ExitWord;
  readonly json: Json | undefined;
  readonly text: string;
}

async function run(line: string): Promise<Ran> {
  const words = (line.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''));
  const command = findCommand(words, COMMANDS);
  assert.ok(command, line);
  const printed: string[] = [];
  const work = (run: (given: never) => Promise<unknown>) =>
    run({ ...foundation, actor: 'os:test', signedIn: null } as never);
  const terminal = {
    ...{ config, log: pino({ level: 'silent' }), json: false, progress: () => undefined },
    ...{ print: (text: string) => void printed.push(text), note: () => undefined, emit: () => undefined },
    ...{ withFoundation: work, withNetworks: work, stepUpFor: async () => null },
    interrupted: new AbortController().signal,
  } as unknown as Terminal;
  const answer = (exit: ExitWord, json: unknown, message = '') =>
    ({ exit, json: json as Json | undefined, text: [...printed, message].join('\n') }) as const;
  try {
    return answer('ok', await command.run(terminal, words.slice(command.name.split(' ').length)));
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return answer(error.exit, error.answer, error.message);
  }
}

const [vendor] = await foundation.backOffice.listVendors();
const [key] = await foundation.backOffice.listKeys(business.businessId);
const B = `--business ${business.businessId} --mode test`;
writeFileSync(
  path.join(root, 'statement.csv'),
  'Date,Description,Debit,Credit\n2026-01-05,NIP/OPAY/ADA OBI,,2500.00\n',
);

function fillSample(args: string): string {
  return args
    .replaceAll('<business>', business.businessId)
    .replaceAll('<vendor>', vendor!.id)
    .replaceAll('<key>', key!.id)
    .replaceAll('<folder>', root);
}

test('every command has a JSON form and returns it', async (t) => {
  assert.deepEqual(
    COMMANDS.map(({ name }) => name).filter((name) => COMMAND_SAMPLES[name] === undefined),
    [],
    'a new command needs a sample in test/support/client/command-samples.ts',
  );
  assert.deepEqual(
    withoutContract(COMMANDS),
    [],
    'its answer is of the console, or has a reason to be its own',
  );
  assert.notEqual(differenceToConsole('freezes list', { freezes: [], more: 1 }), undefined);
  for (const [name, [args, ...ends]] of Object.entries(COMMAND_SAMPLES))
    await t.test(name, async () => {
      const { exit, json, text } = await run(`${name} ${fillSample(args)}`);
      assert.ok((ends.length === 0 ? ['ok'] : ends).includes(exit), `${exit}: ${text}`);
      const wrong = namesIn(json ?? null).filter((each) => !/^[a-z0-9_]+$/.test(each));
      assert.deepEqual(wrong, [], 'names are in snake_case');
      if (exit === 'ok') assert.equal(differenceToConsole(name, json), undefined);
    });
});

test('showing the default wallet does not delete it: show, set and remove are separate commands', async () => {
  const address = '0x52908400098527886E0F7030069857D2E4169EE7';
  assert.equal((await run(`businesses wallet set ${B} --network Polygon --address ${address}`)).exit, 'ok');
  for (let look = 0; look < 2; look++)
    assert.match(
      (await run(`businesses wallet show ${B}`)).text,
      new RegExp(`Default wallet: Polygon ${address}`),
    );
  assert.match((await run(`businesses wallet remove ${B}`)).text, /Default wallet removed/);
  assert.match((await run(`businesses wallet show ${B}`)).text, /No default wallet/);
  const again = await run(`businesses wallet remove ${B}`);
  assert.deepEqual([again.exit, /has no default wallet/.test(again.text)], ['not_found', true]);
});

test('if a key is rolled again, the command reports that its earlier expiry is kept', async () => {
  const added = (await run(`keys add ${B}`)).json as { readonly key_id: string };
  const first = await run(`keys roll ${added.key_id} --overlap 1h`);
  assert.match(first.text, new RegExp(`${added.key_id} stops working at \\S+Z\\.`));
  const second = await run(`keys roll ${added.key_id} --overlap 400d`);
  assert.match(
    second.text,
    /was already rolled and keeps its earlier expiry: it stops working at \S+Z\. --overlap cannot/,
  );
  type Rolled = { readonly replaced: { readonly expires_at: string }; readonly kept_earlier_end: boolean };
  const [one, two] = [first.json as Rolled, second.json as Rolled];
  assert.deepEqual([one.kept_earlier_end, two.kept_earlier_end], [false, true]);
  assert.equal(two.replaced.expires_at, one.replaced.expires_at);
  assert.equal((await run('keys roll key_none')).exit, 'not_found');
});

test('amounts are exact decimal text with their asset', async () => {
  const { json } = await run('ledger balances --mode test');
  const { assets } = json as { readonly assets: readonly { readonly asset: string; readonly sum: string }[] };
  assert.deepEqual([assets[0]!.asset, assets[0]!.sum], ['NGN', '0.00']);
  const fees = (await run('fees list')).json as readonly Record<string, string>[];
  assert.deepEqual([fees[0]!.flat, fees[0]!.cap, fees[0]!.asset], ['50.00', '2000.00', 'NGN']);
});

test('a record is returned exactly as the console returns it', async () => {
  const { key_id } = (await run(`keys add ${B}`)).json as { readonly key_id: string };
  const listed = (await run('statements list')).json as { readonly files: { readonly file_id: string }[] };
  const funded = (await run('ledger fund --mode test --asset NGN --amount 1')).json as {
    readonly id: string;
  };
  for (const [name, id] of [
    ['keys revoke', key_id],
    ['statements show', listed.files[0]!.file_id],
    ['ledger explain', funded.id],
  ] as const) {
    const { exit, json, text } = await run(`${name} ${id}`);
    assert.deepEqual([exit, differenceToConsole(name, json)], ['ok', undefined], text);
  }
});
