// Compares the OpenAPI document of the console with the running service, and its codes with docs/extend/console-api.md. It also
// tests that every route declares who may use it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { findDeclarationMistake, permissionText } from '../../../src/http/console/access.ts';
import { CONSOLE_STATUS } from '../../../src/http/console/refusals.ts';
import { startTestService } from '../../support/service.ts';
import { consoleRoutes, watchRoutes } from './browser.ts';

watchRoutes();
const service = await startTestService();
const PATH = '/console/v1/openapi.json';
// biome-ignore lint/suspicious/noExplicitAny: a JSON document is looked into freely
const document: any = (await service.get(PATH, { key: null })).body;

test('every route is documented with its permission, and every documented route is served', () => {
  const served = consoleRoutes(service).filter(({ url }) => url !== PATH);
  const paths = served.map(({ method, url }) => `${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`);
  const documented = Object.entries<Record<string, object>>(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  assert.deepEqual(paths.sort(), documented.sort());
  for (const { method, url, access } of served) {
    const operation = document.paths[url.replaceAll(/:(\w+)/g, '{$1}')][method.toLowerCase()];
    assert.equal(operation['x-permission'], permissionText(access));
    assert.deepEqual(operation.security, access === 'public' ? [] : [{ session: [] }]);
  }
  assert.equal(document.components.securitySchemes.session.name, '__Host-sliproad');
});

test('the API document contains no console route', async () => {
  const main = (await service.get('/openapi.json', { key: null })).text;
  assert.ok(!main.includes('/console/') && !main.includes('/app/'));
});

test('every error code is explained in docs/extend/console-api.md with its status', () => {
  const text = readFileSync(new URL('../../../docs/extend/console-api.md', import.meta.url), 'utf8');
  const rows = [...text.matchAll(/^\| (\d{3}) \| `(\w+)` \|/gm)].map(([, status, code]) => [
    code,
    Number(status),
  ]);
  assert.deepEqual(Object.fromEntries(rows), CONSOLE_STATUS);
});

test('a route is refused if it does not declare who may use it, or declares the wrong kind of permission', () => {
  const business = '/console/v1/businesses/:business_id/keys';
  assert.match(findDeclarationMistake('/console/v1/new', undefined) ?? '', /does not declare/);
  assert.match(findDeclarationMistake(business, 'session') ?? '', /need a business permission/);
  assert.match(
    findDeclarationMistake('/console/v1/operator/x', 'public') ?? '',
    /need an operator permission/,
  );
  assert.match(
    findDeclarationMistake('/console/v1/x', { business: 'keys.read' }) ?? '',
    /need a business permission/,
  );
  const reads = { operator: 'businesses.read', reads: 'business' } as const;
  assert.match(
    findDeclarationMistake('/console/v1/operator/x', reads) ?? '',
    /has no :business_id for the audit log/,
  );
  assert.equal(findDeclarationMistake(business, { business: 'keys.read' }), undefined);
});
