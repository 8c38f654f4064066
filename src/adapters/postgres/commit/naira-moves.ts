// Naira that two people booked: each line of a bank statement once, with the decision that allows it.
import { bookName } from '../../../domain/records/naira-move.ts';
import { type Kind, kind, text, time } from './kind.ts';

export const NAIRA_MOVES: readonly Kind[] = [
  kind({
    name: 'naira_move',
    once: { table: 'naira_moves', by: ['mode', 'kind', 'charge', 'account', 'reference'] },
    itemsOf: ({ nairaMove, decision, atMs }) =>
      nairaMove && [{ ...nairaMove, proposalId: decision!.proposalId, atMs }],
    columns: [
      ['id', 'text', (n) => n.id],
      ['mode', 'text', (n) => n.mode],
      ['kind', 'text', (n) => n.kind],
      ['charge', 'text', (n) => n.charge ?? ''],
      ['account', 'text', (n) => bookName(n.account)],
      ['to_account', 'text', (n) => (n.to === null ? null : bookName(n.to))],
      ['amount_minor', 'bigint', (n) => text(n.nairaMinor)],
      ['day', 'date', (n) => n.day],
      ['reference', 'text', (n) => n.reference],
      ['proposal_id', 'text', (n) => n.proposalId],
      ['at_ms', 'float8', (n) => text(n.atMs)],
    ],
    write: [
      `insert into naira_moves (id, mode, kind, charge, account, to_account, amount_minor, day, reference, proposal_id, at)
      select x.id, x.mode, x.kind, x.charge, x.account, x.to_account, x.amount_minor, x.day, x.reference, x.proposal_id,
        ${time('at_ms')} from x`,
    ],
  }),
];
