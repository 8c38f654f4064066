import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type HomePageFacts, renderHomePage } from './home-page.ts';

const FACTS = { baseUrl: 'http://127.0.0.1:4000', secretKeyHeader: 'svc-sec-key', version: '1.0.0' };

const pageWith = (people: HomePageFacts['people'], credentialsFile: string | null = '/data/sandbox.json') =>
  renderHomePage({ ...FACTS, credentialsFile, people }).html.replaceAll(/\s+/g, ' ');

test('the page shows only the people whose credentials are in the file', () => {
  const all = pageWith(['operator', 'approver', 'member']);
  assert.match(all, /of an operator, an approver and a member of the business\. Add/);
  assert.match(pageWith(['operator', 'member']), /of an operator and a member of the business\. Add/);
  for (const page of [pageWith([]), pageWith([], null)]) assert.doesNotMatch(page, /totp_secret|operator/);
});
