// Set-ups that treasuries sign, and their outcome: each is recorded once, by its hash.
import { type Kind, kind, text, time, timed } from './kind.ts';

const BY_HASH = ['mode', 'network', 'hash'];

export const SET_UPS: readonly Kind[] = [
  kind({
    name: 'set_up',
    once: { table: 'set_ups', by: BY_HASH },
    itemsOf: (change) => change.setUps,
    columns: [
      ['mode', 'text', (s) => s.mode],
      ['network', 'text', (s) => s.network],
      ['hash', 'text', (s) => s.hash],
      ['source', 'text', (s) => s.source],
      ['sequence', 'text', (s) => s.sequence],
      ['payload', 'text', (s) => s.payload],
      ['bound', 'text', (s) => s.bound],
      ['what', 'text', (s) => s.what],
      ['at_ms', 'float8', (s) => text(s.signedAtMs)],
    ],
    write: [
      `insert into set_ups (mode, network, hash, source, sequence, payload, bound, what, at)
      select x.mode, x.network, x.hash, x.source, x.sequence, x.payload, x.bound, x.what, ${time('at_ms')} from x`,
    ],
  }),
  kind({
    name: 'set_up_end',
    once: { table: 'set_up_ends', by: BY_HASH },
    itemsOf: (change) => timed(change.setUpEnds, change),
    columns: [
      ['mode', 'text', ({ item: e }) => e.mode],
      ['network', 'text', ({ item: e }) => e.network],
      ['hash', 'text', ({ item: e }) => e.hash],
      ['outcome', 'text', ({ item: e }) => e.outcome],
      ['at_ms', 'float8', ({ atMs }) => text(atMs)],
    ],
    write: [
      `insert into set_up_ends (mode, network, hash, outcome, at)
      select x.mode, x.network, x.hash, x.outcome, ${time('at_ms')} from x`,
    ],
  }),
];
