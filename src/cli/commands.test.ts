// Every command has a JSON form. Each command runs once, and its result must be plain JSON with snake_case names. Records that
// the console also shows have the console's rendering. Further tests cover default wallets, rolled keys and amounts.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import pino from 'pino';
import { differenceToConsole, namesIn, withoutContract } from '../../test/support/client/command-answers.ts';
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
const LINE = '--amount 10 --day 2026-11-01 --reference NIP1';
const STATEMENT = path.join(root, 'statement.csv');
writeFileSync(STATEMENT, 'Date,Description,Debit,Credit\n2026-01-05,NIP/OPAY/ADA OBI,,2500.00\n');
const PROPOSED = ['not_allowed', 'not_found', 'conflict', 'usage'] as const;

/** One run of each command: its arguments, and the allowed exit codes (without any: the command must succeed). */
const SAMPLES: Readonly<Record<string, readonly [args: string, ...ends: ExitWord[]]>> = {
  // Commands that call the API run against a service in test/e2e/client-commands.test.ts. Here there is no sandbox file.
  serve: ['now', 'usage'],
  migrate: [''],
  buy: ['15000', 'usage'],
  sell: ['15000', 'usage'],
  pay: ['txn_none', 'usage'],
  quote: ['--side buy --amount 15000', 'usage'],
  status: ['txn_none', 'usage'],
  trigger: ['--list'],
  listen: ['--forward-to localhost:1', 'usage'],
  'events tail': ['', 'usage'],
  'transactions search': ['', 'usage'],
  'transactions export': ['--format csv', 'usage'],
  'banks account': ['gtbank 0123456785', 'usage'],
  login: ['', 'usage'],
  logout: [''],
  whoami: [''],
  'people create-admin': ['--email x --name Ada', 'usage'],
  'people list': ['', 'ok', 'not_allowed'],
  'people invite': ['--email ada@example.com --role approver'],
  'people role': ['ada@example.com admin', 'not_found'],
  'people disable': ['ada@example.com', 'not_found'],
  'people enable': ['ada@example.com', 'not_found'],
  'people reset': ['ada@example.com', 'not_found'],
  'mails list': ['', 'ok', 'not_allowed'],
  'businesses list': [''],
  'businesses add': ['--name "Acme Ltd" --link-tag acme-json'],
  'businesses wallet show': [B],
  'businesses wallet set': [`${B} --network Polygon --address 0x52908400098527886E0F7030069857D2E4169EE7`],
  'businesses wallet remove': [B],
  'businesses tier set': [`--business ${business.businessId} --tier gold`, 'not_allowed'],
  'keys list': [''],
  'keys add': [B],
  'keys roll': [key!.id, 'ok', 'not_allowed'],
  'keys revoke': ['key_none', 'not_found'],
  'vendors list': [''],
  'vendors add': ['--mode test --name Ours --number 1234567890 --bank Wema'],
  'vendors rename': [`${vendor!.id} --name Theirs`],
  'vendors source': [`${vendor!.id} statements`],
  'vendors disable': [vendor!.id],
  'vendors enable': [vendor!.id],
  'rails list': ['--mode test'],
  'rails show': ['simulated --mode test'],
  'rails route set': [
    'simulated --mode test --priority 1 --from 100 --to 5000000 --banks access-bank --cost 10.75',
  ],
  'rails routes': [''],
  'rails route remove': ['1 --mode test'],
  'rails cap': ['simulated 1000000 --mode test'],
  'rails pause': ['simulated --mode test --reason odd'],
  'rails resume': ['simulated --mode test --reason well'],
  'rails trust': ['simulated --mode test --reason well', 'conflict'],
  'rails events': ['--state review --mode test'],
  'rails events try-again': ['rev_none', 'not_found'],
  'rails events close': ['rev_none --reason old', 'not_found'],
  'rates sources': [''],
  'rates book': [''],
  'rates history': [
    '--mode test --product otc_buy --currency USD --interval 1m --from 2026-11-14 --to 2026-11-15',
  ],
  'rates set': ['--mode test --product otc_buy --spread 120 USD=1361.5'],
  'rates withdraw': ['--mode test --product otc_buy USD'],
  'rates spread set': ['--mode test --product otc_buy --currency USD --tier gold 50'],
  'rates spread list': [''],
  'quotes list': ['--state open --mode test'],
  'fees list': [''],
  'fees set': ['--mode test --product buy --flat 50 --bps 10 --cap 2000'],
  'limits list': [''],
  'limits set': ['--mode test --per-day 1000000'],
  'ledger check': [''],
  'ledger balances': [''],
  'ledger explain': ['txn_none', 'not_found'],
  'ledger fund': ['--mode test --asset NGN --amount 100'],
  'ledger unfund': ['fund_none', ...PROPOSED],
  'naira accounts': ['--mode test'],
  'naira put-in': [`--mode test --account simulated ${LINE}`, ...PROPOSED],
  'naira take-out': [`--mode test --account simulated ${LINE}`, ...PROPOSED],
  'naira move': [`--mode test --from simulated --to 058:1 ${LINE}`, ...PROPOSED],
  'naira charge': [`--mode test --account simulated --what vat --returned ${LINE}`, ...PROPOSED],
  'halts list': [''],
  'reviews list': [''],
  'reviews show': ['txn_none', 'not_found'],
  'reviews propose match': ['crd_1 txn_1', ...PROPOSED],
  'reviews propose split': ['crd_1 100 200', ...PROPOSED],
  'reviews propose refund': ['crd_1', ...PROPOSED],
  'reviews propose write-off': ['crd_1', ...PROPOSED],
  'reviews propose own-funds': ['dep_1', ...PROPOSED],
  'reviews propose withdrawal': ['--mode test --network Polygon --amount 10 --address 0x1', ...PROPOSED],
  'reviews propose resume': ['--mode test --asset NGN', ...PROPOSED],
  'reviews propose release': ['txn_1', ...PROPOSED],
  'reviews propose loss': ['ntc_1', ...PROPOSED],
  'reviews propose dismiss': ['ntc_1', ...PROPOSED],
  'reviews propose pay-again': ['cas_1 --bank GTBank --account 0123456785 --name Ada', ...PROPOSED],
  'reviews propose send-back': ['cas_1', ...PROPOSED],
  'reviews propose paid': ['mov_1', ...PROPOSED],
  'reviews propose unpaid': ['mov_1', ...PROPOSED],
  'reviews propose recovered': ['cas_1 --bank GTBank --account 0123456785', ...PROPOSED],
  'reviews propose accept-loss': ['cas_1', ...PROPOSED],
  'reviews propose count': ['cas_1', ...PROPOSED],
  'reviews propose explained': ['cas_1', ...PROPOSED],
  'reviews approve': ['prp_1', ...PROPOSED],
  'reviews decline': ['prp_1 --reason no', ...PROPOSED],
  'reviews withdraw': ['prp_1', ...PROPOSED],
  'reviews reject': ['txn_1 --reason no', ...PROPOSED],
  'freezes list': [''],
  'freezes lift': [`${B} --reason paid`, 'conflict'],
  'matching backtest': ['--rules 1 --from 2026-11-01'],
  'matching limits': [''],
  'matching lift-limit': [`${B} --reason asked`],
  'freezes add': [`${B} --reason fraud`],
  'cases list': [''],
  'enquiries list': ['--verdict other_name'],
  'statements import': [`${STATEMENT} --mode test --vendor ${vendor!.id}`],
  'statements list': ['--mode test'],
  'statements show': ['stf_none', 'not_found'],
  'statements doubts': [''],
  'statements uncertain': [''],
  'statements profiles': [''],
  'travel-rule list': ['--mode test'],
  'travel-rule export': [`--output ${path.join(root, 'travel.csv')}`],
  'cases show': ['cas_1', 'not_found'],
  'privacy status': [''],
  'privacy export': [`--account 0123456785 --mode test --output ${path.join(root, 'person.json')}`],
  'privacy erase': ['--account 0123456785 --mode test --yes'],
  reconcile: ['--date 2026-10-01 --mode test'],
  'reconcile show': [''],
  'reports threshold': [`--month 2026-10 --mode test --output ${path.join(root, 'threshold.csv')}`],
  treasury: [''],
  'sends cancel': ['mov_1', 'conflict'],
  'networks check': ['--mode both', 'usage'],
  'networks set-up': ['Polygon', 'usage'],
  'networks reread': ['Polygon --mode test --from x', 'usage'],
  'networks forget': ['Polygon', 'usage'],
  'signer create-key': ['treasury'],
  'signer import-key': ['a b', 'usage'],
  'signer keys': [''],
  'signer stop': ['a laptop was stolen'],
  'signer resume': ['', 'ok'],
  'signer status': [''],
  'signer change-passphrase': [''],
  'audit list': ['--limit 3'],
  'audit verify': [''],
  'audit export': [`--file ${path.join(root, 'audit.jsonl')}`],
  'secrets make-key': [path.join(root, 'secrets-key')],
  'secrets rotate': ['--seal'],
  'secrets drop-old-keys': ['x', 'usage'],
  'banks search': ['Access'],
  'movements status': [''],
  'movements pause': ['--reason odd'],
  'movements resume': ['', 'not_allowed'],
  backup: ['', 'usage'],
  restore: ['', 'usage'],
  // The passphrase was changed above, and the doctor notices.
  doctor: ['', 'failed'],
  completion: ['bash'],
};

test('every command has a JSON form and returns it', async (t) => {
  assert.deepEqual(
    COMMANDS.map(({ name }) => name).filter((name) => SAMPLES[name] === undefined),
    [],
    'a new command needs a run here',
  );
  assert.deepEqual(
    withoutContract(COMMANDS),
    [],
    'its answer is of the console, or has a reason to be its own',
  );
  assert.notEqual(differenceToConsole('freezes list', { freezes: [], more: 1 }), undefined);
  for (const [name, [args, ...ends]] of Object.entries(SAMPLES))
    await t.test(name, async () => {
      const { exit, json, text } = await run(`${name} ${args}`);
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

test('rolling a key again reports that it keeps its earlier expiry', async () => {
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

test('an existing record is returned exactly as the console returns it', async () => {
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
