// The service reports a setting with a misspelt name, and ignores the variables of other programs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingNames, settingWarnings } from '../config.ts';

test('a variable whose name is nearly that of a setting, or has our prefix, is reported with the nearest setting', () => {
  for (const [name, meant] of [
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATADIR', 'DATA_DIR'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['RATE_LIMIT_PER_SECONDS', 'RATE_LIMIT_PER_SECOND'],
    ['SLIPROAD_DATABASE_URL', 'DATABASE_URL'],
    ['SLIPROAD_PORT', 'PORT'],
    ['sliproad_smtp_url', 'SMTP_URL'],
    ['Data-Dir', 'DATA_DIR'],
  ] as const) {
    const secret = 'a secret value';
    assert.deepEqual(
      settingWarnings({ [name]: secret }),
      [`${name} is set, but Sliproad has no such setting. Did you mean ${meant}?`],
      name,
    );
  }
  assert.deepEqual(settingWarnings({ SLIPROAD_COLOUR: '1' }), [
    'SLIPROAD_COLOUR is set, but Sliproad has no such setting. See config.example.env for the names.',
  ]);
});

test('real settings and the variables of other programs are not reported', () => {
  const own = Object.fromEntries(settingNames().map((name) => [name, 'x']));
  const others = ['HOME', 'PATH', 'HOSTNAME', 'LOGNAME', 'DATABASE_USER', 'PGHOST', 'SMTP_SERVER', 'PORTS'];
  const shell = ['POST', 'USER', 'MAIL', 'HOSTTYPE', 'NODE_ENV', 'NO_COLOR', 'XDG_DATA_DIRS', 'LOG_FILE'];
  const names = Object.fromEntries([...others, ...shell].map((name) => [name, 'x']));
  assert.deepEqual(settingWarnings({ ...own, ...names, PWD: '/x' }), []);
});

test('the variables that client commands read are not reported', () => {
  const env = {
    SLIPROAD_SECRET_KEY: 'x',
    SLIPROAD_BASE_URL: 'x',
    SLIPROAD_BUSINESS_ID: 'x',
    SLIPROAD_LINK_TAG: 'x',
  };
  assert.deepEqual(settingWarnings(env), []);
});
