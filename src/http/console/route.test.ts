// Tests that a handler returns exactly what the OpenAPI document says about its route. Any other return value is a type error.
// The lines marked here contain such errors, and the type check refuses a mark on a line without an error.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { ok } from '../../domain/values/result.ts';
import { type JsonOf, nullable, oneOf } from '../../renderings/parts/schemas.ts';
import { publicRoute } from './route.ts';

const DOCS = { method: 'GET', path: '/console/v1/x', name: 'getX', summary: 'X', tag: 'Service' } as const;
const lamp = Type.Object({
  name: Type.String(),
  state: oneOf(['on', 'off']),
  since: nullable(Type.String()),
});
const answer = { lamps: Type.Array(lamp) };

const renderLamp = (name: string): JsonOf<typeof lamp> => ({ name, state: 'on', since: null });

test('a handler that returns the documented response compiles', () => {
  const route = publicRoute({ ...DOCS, answer }, async () => ok({ lamps: [renderLamp('a')] }));
  assert.equal(route.access, 'public');
});

test('a handler whose response has a missing, wrong or differently named member does not compile', () => {
  // @ts-expect-error: lamps is missing.
  publicRoute({ ...DOCS, answer }, async () => ok({}));
  // @ts-expect-error: it has another name.
  publicRoute({ ...DOCS, answer }, async () => ok({ lights: [renderLamp('a')] }));
  // @ts-expect-error: one lamp is no list of them.
  publicRoute({ ...DOCS, answer }, async () => ok({ lamps: renderLamp('a') }));
  // @ts-expect-error: since is missing in each.
  publicRoute({ ...DOCS, answer }, async () => ok({ lamps: [{ name: 'a', state: 'on' as const }] }));
  // @ts-expect-error: broken is no state of a lamp.
  const broken: JsonOf<typeof lamp> = { name: 'a', state: 'broken', since: null };
  // @ts-expect-error: a renderer gives no member that is not documented.
  const more: JsonOf<typeof lamp> = { ...broken, colour: 'red' };
  assert.ok(more);
});
