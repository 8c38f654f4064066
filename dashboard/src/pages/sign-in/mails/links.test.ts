// Tests threat 78: in the text of a mail, only a page of this service becomes a link.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partsOf } from './links.ts';

const here = { origin: 'http://localhost:4000', hostname: 'localhost', port: '4000' };
const links = (body: string) => partsOf(body, here).filter(({ href }) => href !== null);

test('a link in a mail opens the page of this service, under any name of the local machine', () => {
  const body = 'Open this:\n\nhttp://127.0.0.1:4000/app/invitation#token=abc\n\nThanks';
  assert.deepEqual(
    links(body).map(({ href }) => href),
    ['/app/invitation#token=abc'],
  );
  assert.equal(
    partsOf(body, here)
      .map(({ text }) => text)
      .join(''),
    body,
  );
});

test('threat 78: links to other hosts, ports or paths stay plain text', () => {
  for (const link of [
    'http://evil.example/app/invitation#token=abc',
    'http://localhost:4001/app/invitation',
    'https://localhost:4000@evil.example/app/x',
    'http://localhost:4000/console/v1/sign-out',
    'http://[bad',
    'javascript:alert(1)',
  ])
    assert.deepEqual(links(`see ${link} now`), [], link);
});
