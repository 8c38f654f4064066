// Tests that GET /banks/v1 returns the bank directory for integrators. The service accepts every name in the directory as
// bank_name.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadBankDirectory } from '../../src/adapters/catalogue/bank-directory.ts';
import { sellBody } from '../support/service.ts';
import { sharedTestService } from '../support/sharing/shared-service.ts';
import { assertRefused, OFFRAMP } from './helpers.ts';

const service = await sharedTestService();
const directory = loadBankDirectory();
const codes = ({ body }: { body: { banks: { code: string }[] } }) => body.banks.map(({ code }) => code);

test('the bank directory is complete, lists codes separately, and returns 304 to a client that already has it', async () => {
  const answer = await service.get('/banks/v1');
  assert.equal(answer.status, 200);
  assert.equal(answer.body.banks.length, directory.all.length);
  const access = answer.body.banks.find(({ code }: { code: string }) => code === 'access-bank');
  assert.deepEqual(access, {
    code: 'access-bank',
    name: 'Access Bank',
    aliases: ['Access', 'Access Bank Plc'],
    payable: true,
    nip_code: '000014',
    cbn_code: '044',
  });
  assert.equal(answer.headers.get('last-modified'), null);
  const etag = answer.headers.get('etag')!;
  const again = await service.get('/banks/v1', { headers: { 'if-none-match': etag } });
  assert.deepEqual([again.status, again.text], [304, '']);
  const dated = await service.get('/banks/v1', {
    headers: { 'if-modified-since': new Date(Date.now() + 86_400_000).toUTCString() },
  });
  assert.equal(dated.status, 200, 'a list without a date is not compared by date');
  const live = await service.get('/banks/v1', { key: service.business.liveKey });
  assert.equal(live.headers.get('etag'), etag);
});

test('q searches names, aliases and codes, and lists the closest match first', async () => {
  assert.deepEqual(codes(await service.get('/banks/v1?q=Access')).slice(0, 2), [
    'access-bank',
    'access-bank-diamond',
  ]);
  for (const q of ['access-bank', 'ACCESS BANK', '000014', '044']) {
    assert.equal(codes(await service.get(`/banks/v1?q=${encodeURIComponent(q)}`))[0], 'access-bank', q);
  }
  const none = await service.get('/banks/v1?q=nowhere');
  assert.deepEqual([none.status, none.body.banks], [200, []]);
  for (const query of ['q=', 'q=%20', `q=${'x'.repeat(101)}`, 'q=a&q=b']) {
    assertRefused(await service.get(`/banks/v1?${query}`), 422, 'filter_invalid', ['q: filter_invalid']);
  }
  assertRefused(await service.get('/banks/v1?name=Access'), 422, 'filter_invalid', ['name: filter_invalid']);
  assertRefused(await service.get('/banks/v1', { key: null }), 401, 'unauthorized', []);
});

test('a sell accepts the code, the name and every alias of a bank that can be paid', async () => {
  const { body } = await service.get('/banks/v1?q=access-bank');
  const [bank] = body.banks;
  for (const bank_name of [bank.code, bank.name, ...bank.aliases, bank.nip_code, bank.cbn_code]) {
    const answer = await service.post(OFFRAMP, sellBody(service.business, { bank_name }));
    assert.equal(answer.status, 200, bank_name);
  }
  const every = (await service.get('/banks/v1')).body.banks;
  const unpayable = every.filter(({ payable }: { payable: boolean }) => !payable);
  assert.ok(unpayable.length > 0);
  for (const { code: bank_name } of unpayable) {
    const refused = await service.post(OFFRAMP, sellBody(service.business, { bank_name }));
    assertRefused(refused, 422, 'bank_not_payable', ['bank_name: bank_not_payable']);
  }
});
