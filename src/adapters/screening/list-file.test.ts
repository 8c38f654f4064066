// Tests the file with the screening list: which subjects match an entry, which lines are refused, and that a broken new version
// never replaces the old one.
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import type { ScreenedKind, Screening } from '../../ports/screening.ts';
import { openScreeningList } from './list-file.ts';
import { ScreeningListError } from './list-lines.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'sliproad-screening-'));
after(() => rmSync(directory, { recursive: true }));
let files = 0;

function listFile(text: string | Uint8Array): string {
  const file = path.join(directory, `list-${++files}.csv`);
  writeFileSync(file, text);
  return file;
}
function replace(file: string, text: string): void {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}
const never = (error: Error) => assert.fail(error);
const open = (text: string | Uint8Array) => openScreeningList(listFile(text), never);
const entriesMet = async (list: Screening, kind: ScreenedKind, value: string) =>
  (await list.screen([{ kind, value }])).map(({ entry }) => entry);

test('without a file, no subject matches', async () => {
  const list = await openScreeningList(null, never);
  assert.deepEqual(await list.screen([{ kind: 'name', value: 'Anyone' }]), []);
});

test('a hit contains the subject as given, the entry as written and the reason', async () => {
  const list = await open(
    [
      '\uFEFF# people',
      'name,"Okafor, Chinedu ""Ned""",court order 12/2026',
      '',
      '  # accounts and wallets',
      ' account , 0123456785 , "stolen, says the owner" ',
      'wallet,0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed,stolen\r',
    ].join('\n'),
  );
  const subjects = [
    { kind: 'name', value: 'Ned Chinedu Emeka OKAFOR' },
    { kind: 'account', value: '0123456785' },
    { kind: 'wallet', value: '0X5AAEB6053f3e94c9b9a09f33669435e7ef1beaed' },
    { kind: 'name', value: 'Another Person' },
  ] as const;
  assert.deepEqual(await list.screen(subjects), [
    { ...subjects[0], entry: 'Okafor, Chinedu "Ned"', reason: 'court order 12/2026' },
    { ...subjects[1], entry: '0123456785', reason: 'stolen, says the owner' },
    { ...subjects[2], entry: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', reason: 'stolen' },
  ]);
});

test('a name matches if the subject’s name contains all its words, in any order and case', async () => {
  const list = await open('name,Musa Abdul,r\nname,Musa,r2\nname,Adé Balogun,r3');
  assert.deepEqual(await entriesMet(list, 'name', 'ABDUL  musa Ibrahim'), ['Musa Abdul', 'Musa']);
  assert.deepEqual(await entriesMet(list, 'name', 'Musa Ibrahim'), ['Musa']);
  assert.deepEqual(await entriesMet(list, 'name', 'Abdul Ibrahim'), []);
  assert.deepEqual(await entriesMet(list, 'name', 'Musah Abdullahi'), []);
  assert.deepEqual(await entriesMet(list, 'name', 'BALOGUN ADE'), ['Adé Balogun']);
  for (const value of ['', ' ', '!!']) assert.deepEqual(await entriesMet(list, 'name', value), []);
});

test('accounts are compared by digits, hexadecimal wallets without case, other wallets exactly; a value matches only entries of its own kind', async () => {
  const base58 = '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T';
  const list = await open(`account,0123 456-785,r\nwallet,${base58},r\nwallet,0XAB,r`);
  assert.deepEqual(await entriesMet(list, 'account', '0123456785'), ['0123 456-785']);
  for (const value of ['123456785', '01234567850', '******6785', '']) {
    assert.deepEqual(await entriesMet(list, 'account', value), [], value);
  }
  assert.deepEqual(await entriesMet(list, 'wallet', base58), [base58]);
  assert.deepEqual(await entriesMet(list, 'wallet', base58.toLowerCase()), []);
  assert.deepEqual(await entriesMet(list, 'wallet', '0xab'), ['0XAB']);
  assert.deepEqual(await entriesMet(list, 'wallet', '0123456785'), []);
  assert.deepEqual(await entriesMet(list, 'name', '0xab'), []);
});

test('one subject can match several entries', async () => {
  const list = await open('account,0123456785,first\naccount,0123456785,second');
  const hits = await list.screen([{ kind: 'account', value: '0123456785' }]);
  assert.deepEqual(
    hits.map(({ reason }) => reason),
    ['first', 'second'],
  );
});

test('the service refuses to start if a line is invalid, and the error gives its number and the problem', async () => {
  for (const [line, problem] of [
    ['person,Musa,r', /kind must be one of name, account, wallet/],
    ['Name,Musa,r', /kind/],
    ['kind,value,reason', /kind/],
    ['name,Musa', /three columns/],
    ['name,Musa,r,extra', /three columns/],
    ['name', /three columns/],
    ['name,Musa,', /reason/],
    ['name,,r', /no words/],
    ['name,"  ",r', /no words/],
    ['name,...,r', /no words/],
    ['name,Chief Dr.,r', /no words/],
    ['name,"Musa,r', /quotation mark/],
    ['name,Mu"sa,r', /quotation mark/],
    ['name,"Musa"x,r', /quotation mark/],
    ['account,123456785,r', /10 digits/],
    ['account,none,r', /10 digits/],
    ['account,,r', /10 digits/],
    ['wallet,,r', /one word/],
    ['wallet,0xab cd,r', /one word/],
  ] as const) {
    await assert.rejects(open(`# fine\nname,Fine,r\n${line}\nname,Fine,r`), (error: Error) => {
      assert.ok(error instanceof ScreeningListError, `${line}: ${error.stack}`);
      assert.match(error.message, /^SCREENING_LIST, line 3: /, line);
      assert.match(error.message, problem, line);
      return true;
    });
  }
});

test('the service refuses to start if the file cannot be read, is empty or is not text', async () => {
  const rejected = (opening: Promise<unknown>, message: RegExp) =>
    assert.rejects(opening, { name: 'ScreeningListError', message });
  await rejected(openScreeningList(path.join(directory, 'nowhere.csv'), never), /cannot be read: ENOENT/);
  await rejected(openScreeningList(directory, never), /cannot be read: EISDIR/);
  await rejected(open(''), /empty file/);
  await rejected(open(Uint8Array.of(0x6e, 0xff, 0xfe)), /not UTF-8/);
  assert.deepEqual(await entriesMet(await open('# empty\n'), 'name', 'Musa'), []);
});

test('a changed file is read again, even if it keeps its old modification time', async () => {
  const file = listFile('name,Musa,r');
  const list = await openScreeningList(file, never);
  assert.deepEqual(await entriesMet(list, 'name', 'Bello'), []);
  replace(file, 'name,Bello,r');
  assert.deepEqual(await entriesMet(list, 'name', 'Bello'), ['Bello']);
  assert.deepEqual(await entriesMet(list, 'name', 'Musa'), []);
  const { atime, mtime } = statSync(file);
  writeFileSync(file, 'name,Yusuf,r');
  utimesSync(file, atime, mtime);
  assert.deepEqual(await entriesMet(list, 'name', 'Yusuf'), ['Yusuf']);
});

test('a broken or missing new version is reported once, and the last valid version stays in use', async () => {
  const errors: string[] = [];
  const file = listFile('name,Musa,r');
  const list = await openScreeningList(file, (error) => errors.push(error.message));
  const stillMet = async () => {
    for (let i = 0; i < 3; i++) assert.deepEqual(await entriesMet(list, 'name', 'Musa'), ['Musa']);
  };
  const stays = 'The last good version stays in use.';
  replace(file, 'name,Bello,r\nname,Bello');
  await stillMet();
  const broken = `SCREENING_LIST, line 2: it must have the three columns kind,value,reason. ${stays}`;
  assert.deepEqual(errors.splice(0), [broken]);
  rmSync(file);
  await stillMet();
  assert.deepEqual(errors.splice(0), [`SCREENING_LIST cannot be read: ENOENT. ${stays}`]);
  writeFileSync(file, '');
  await stillMet();
  assert.deepEqual(errors.splice(0), [`SCREENING_LIST is an empty file. ${stays}`]);
  writeFileSync(file, 'name,Bello,r');
  assert.deepEqual(await entriesMet(list, 'name', 'Bello'), ['Bello']);
  chmodSync(file, 0o600);
  assert.deepEqual(await entriesMet(list, 'name', 'Musa'), []);
  assert.deepEqual(errors, []);
});

test('screening right after a change uses the new version', async () => {
  const file = listFile('name,Musa,r');
  const list = await openScreeningList(file, never);
  replace(file, 'name,Bello,r');
  const answers = await Promise.all(Array.from({ length: 20 }, () => entriesMet(list, 'name', 'Bello')));
  for (const answer of answers) assert.deepEqual(answer, ['Bello']);
});
