// Tests that the service accepts every link tag that the sign-up page proposes, unless the tag is too short to be sent.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkTagFrom } from '../../../dashboard/src/pages/sign-in/sign-up/link-tag.ts';
import { isLinkTag } from '../../../src/domain/people/names.ts';

test('a link tag is suggested that is made from the name of the business', () => {
  assert.equal(linkTagFrom('Kọ́lá Trade & Co'), 'kola-trade-co');
  assert.equal(linkTagFrom('  --Ada  --  Ltd.  '), 'ada-ltd');
  assert.equal(linkTagFrom('北京'), '');
  for (const name of ['Kola', 'x'.repeat(100), `${'ab '.repeat(20)}`, '3 Brothers!'])
    assert.ok(isLinkTag(linkTagFrom(name)), linkTagFrom(name));
});
