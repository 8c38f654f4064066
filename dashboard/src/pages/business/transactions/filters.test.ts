import assert from 'node:assert/strict';
import { test } from 'node:test';
import { activeFilters, apiQuery } from './filters.ts';

test('the days in the filters are converted to days in Lagos time, and empty filters are omitted', () => {
  const query = apiQuery({ from: '2026-11-14', to: '2026-11-14', state: '', type: 'Buy' });
  assert.deepEqual(query, {
    type: 'Buy',
    created_from: '2026-11-14T00:00:00+01:00',
    created_to: '2026-11-14T23:59:59.999+01:00',
  });
  assert.deepEqual(apiQuery({}), {});
  assert.deepEqual(apiQuery({ from: 'yesterday', other: 'x' }), {});
});

test('the search is not counted as a filter', () => {
  assert.equal(activeFilters({ search: 'x', state: 'paid', network: '' }), 1);
});
