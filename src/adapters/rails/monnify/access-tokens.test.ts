// Tests the access token of Monnify. The token is used until shortly before it expires, is renewed after a refusal, and is
// never shown.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Play, playBank } from '../../../../test/support/banks/played-bank.ts';
import { limitMs } from '../../../../test/support/patience.ts';
import { loadBankDirectory } from '../../catalogue/bank-directory.ts';
import { openMonnify } from './rail.ts';
import { DEFAULT_VALIDATION } from './settings.ts';

const NO_CREDITS = { creditsFromMs: null, creditsLagMs: 0, eventAddresses: new Set<string>() };

const SECRET = 'a-secret-key-of-monnify';
const ORDER = {
  reference: 'mov-01k9xyz0123456789abcdefgh',
  amountMinor: 15_250_50n,
  destination: { bankCode: 'guaranty-trust-bank', accountNumber: '0123456785', accountName: 'Ada Obi' },
  about: null,
};

function railOn(baseUrl: string, clock: { now: () => number } = { now: () => 0 }) {
  const secrets = { apiKey: () => SECRET, secretKey: () => SECRET };
  const limits = {
    timeoutMs: limitMs('answer'),
    mostBytes: 4_096,
    validation: DEFAULT_VALIDATION,
    ...NO_CREDITS,
  };
  return openMonnify(
    {
      mode: 'live',
      name: 'monnify',
      account: { bankCode: 'moniepoint-microfinance-bank', number: '8000000013' },
    },
    { baseUrl, ...secrets, ...limits, narration: 'Payout', finalCodes: new Set() },
    { directory: loadBankDirectory(), clock },
  ).payouts!;
}

const done = (responseBody: unknown): Play => [200, { requestSuccessful: true, responseBody }];
const EXPIRED: Play = [401, { error: 'invalid_token', error_description: 'Access token expired' }];
const isLogin = ({ path }: { readonly path: string }) => path === '/api/v1/auth/login';

function playTokens(expiresIn: unknown, refuses: (token: string) => boolean = () => false) {
  let count = 0;
  return playBank((asked) => {
    if (isLogin(asked)) return done({ accessToken: `${SECRET}-${++count}`, expiresIn });
    if (refuses(asked.headers.authorization ?? '')) return EXPIRED;
    if (asked.path.endsWith('/validate'))
      return done({ accountNumber: '0123456785', accountName: 'OBI ADA', bankCode: '058' });
    if (asked.method === 'POST') return done({ reference: ORDER.reference, status: 'PENDING' });
    return done({ availableBalance: 1 });
  });
}

test('a token is used until a minute before it expires; concurrent calls share one log-in', async () => {
  let nowMs = 0;
  await using bank = await playTokens(3_567);
  const rail = railOn(bank.url, { now: () => nowMs });
  await Promise.all([rail.balance(), rail.balance(), rail.balance()]);
  nowMs = 3_506_999;
  await rail.balance();
  assert.equal(bank.asked.filter(isLogin).length, 1);
  nowMs = 3_507_000;
  await rail.balance();
  assert.equal(bank.asked.filter(isLogin).length, 2);
  assert.equal(bank.asked.at(-1)!.headers.authorization, `Bearer ${SECRET}-2`);
});

test('a refused token is renewed once; if the new token is refused too, the order is `unknown`, never `not_sent`', async () => {
  await using bank = await playTokens(3_567, (token) => token.endsWith('-1'));
  assert.equal((await railOn(bank.url).pay(ORDER)).kind, 'pending');
  assert.equal(bank.asked.filter(isLogin).length, 2);
  await using closed = await playBank((asked) => {
    if (isLogin(asked)) return done({ accessToken: 't', expiresIn: 3_567 });
    if (asked.method === 'POST') return EXPIRED;
    return done({ accountNumber: '0123456785', accountName: 'OBI ADA', bankCode: '058' });
  });
  assert.equal((await railOn(closed.url).pay(ORDER)).kind, 'unknown');
});

test('an order that was sent with a refused token is `unknown` if the next log-in fails', async () => {
  let logins = 0;
  await using bank = await playBank((asked) => {
    if (isLogin(asked)) return ++logins === 1 ? done({ accessToken: 't', expiresIn: 3_567 }) : [500, {}];
    if (asked.method === 'POST') return EXPIRED;
    return done({ accountNumber: '0123456785', accountName: 'OBI ADA', bankCode: '058' });
  });
  assert.equal((await railOn(bank.url).pay(ORDER)).kind, 'unknown');
});

test('without a token no order is sent, and no reason contains a key', async () => {
  const logins: readonly Play[] = [
    [401, { requestSuccessful: false, responseCode: '99', responseMessage: SECRET }],
    [200, { requestSuccessful: false, responseBody: { accessToken: 't', expiresIn: 60 } }],
    done({ accessToken: 't\r\nx: y', expiresIn: 3_567 }),
    done({ accessToken: 't' }),
    done({ accessToken: '', expiresIn: 3_567 }),
    [500, SECRET],
    [200, SECRET],
  ];
  for (const login of logins) {
    await using bank = await playBank((asked) => (isLogin(asked) ? login : done({})));
    const rail = railOn(bank.url);
    const [sent, asked, balance] = [
      await rail.pay(ORDER),
      await rail.ask(ORDER.reference),
      await rail.balance(),
    ];
    assert.deepEqual([sent.kind, asked.kind, balance.kind], ['not_sent', 'unknown', 'unknown']);
    assert.ok(bank.asked.every(isLogin));
    assert.ok(!JSON.stringify([sent, asked, balance]).includes(SECRET));
  }
});
