// Tests which methods a path has according to the routes, with parameters and wildcards.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { collectAllowedMethods } from './allowed-methods.ts';

const app = Fastify({ exposeHeadRoutes: false });
const methods = collectAllowedMethods(app);
const nothing = () => null;
app.get('/', nothing);
app.post('/things/onramp', nothing);
app.get('/things/:id', nothing);
app.put('/things/:id/wallet', nothing);
app.route({ method: ['GET', 'DELETE'], url: '/both', handler: nothing });
app.get('/files/*', nothing);
await app.ready();

test('a path allows the methods of the routes that match it; if one route matches exactly, only its methods are allowed', () => {
  for (const [path, expected] of [
    ['/', ['GET']],
    ['/things/onramp', ['POST']],
    ['/things/7', ['GET']],
    ['/things/7/wallet', ['PUT']],
    ['/both', ['DELETE', 'GET']],
    ['/files/a', ['GET']],
    ['/files/a/b', ['GET']],
  ] as const) {
    assert.deepEqual(methods.of(path), expected, path);
  }
});

test('a path that matches no route allows no methods', () => {
  for (const path of [
    '',
    '/x',
    '/things',
    '/things/',
    '/things/7/wallet/x',
    '/Things/7',
    '//',
    '/files',
    '/both/',
  ]) {
    assert.deepEqual(methods.of(path), [], path);
  }
});
