// Signed set-ups of treasuries and their outcome: each is recorded once, by its hash.
import { all, ms, plainColumn, written } from '../connection/record-columns.ts';
import { type CommitPart, defineCommitPart, textOrNull, withChangeTime } from './commit-part.ts';

const BY_HASH = ['mode', 'network', 'hash'];

export const SET_UPS: readonly CommitPart[] = [
  defineCommitPart((change) => change.setUps)({
    name: 'set_up',
    once: { table: 'set_ups', by: BY_HASH },
    columns: [
      ...written(
        all(plainColumn, 'mode', 'network', 'hash', 'source', 'sequence', 'payload', 'bound', 'what'),
      ),
      ['at_ms', 'float8', (s) => textOrNull(s.signedAtMs)],
    ],
  }),
  defineCommitPart((change) => withChangeTime(change.setUpEnds, change))({
    name: 'set_up_end',
    once: { table: 'set_up_ends', by: BY_HASH },
    columns: written({ ...all(plainColumn, 'mode', 'network', 'hash', 'outcome'), atMs: ms }),
  }),
];
