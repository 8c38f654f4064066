// Set-ups that treasuries sign, and their outcome: each is recorded once, by its hash.
import { all, ms, plain, written } from '../connection/columns.ts';
import { type Kind, kind, text, timed } from './kind.ts';

const BY_HASH = ['mode', 'network', 'hash'];

export const SET_UPS: readonly Kind[] = [
  kind((change) => change.setUps)({
    name: 'set_up',
    once: { table: 'set_ups', by: BY_HASH },
    columns: [
      ...written(all(plain, 'mode', 'network', 'hash', 'source', 'sequence', 'payload', 'bound', 'what')),
      ['at_ms', 'float8', (s) => text(s.signedAtMs)],
    ],
  }),
  kind((change) => timed(change.setUpEnds, change))({
    name: 'set_up_end',
    once: { table: 'set_up_ends', by: BY_HASH },
    columns: written({ ...all(plain, 'mode', 'network', 'hash', 'outcome'), atMs: ms }),
  }),
];
