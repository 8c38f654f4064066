// The words of banks for incoming and outgoing money. The list contains only words that mean the same direction in every
// context. It omits "credit transfer", which may be outgoing, and "cash out", which may be incoming.

export type StatementSide = 'credit' | 'debit';

const SIDE_WORDS: Readonly<Record<StatementSide, readonly string[]>> = {
  credit: [
    ...['c', 'cr', 'crdt', 'cdt', 'credit', 'credits', 'credited', 'in', 'inflow', 'inward', 'incoming'],
    ...['moneyin', 'paidin', 'transferin', 'deposit', 'deposits', 'lodgement', 'lodgements', 'lodgment'],
  ],
  debit: [
    ...[
      'd',
      'dr',
      'db',
      'dbt',
      'dbit',
      'debit',
      'debits',
      'debited',
      'out',
      'outflow',
      'outward',
      'outgoing',
    ],
    ...['moneyout', 'paidout', 'transferout', 'withdrawal', 'withdrawals', 'withdraw', 'withdrawn'],
  ],
};

const SIDES = new Map<string, StatementSide>(
  (['credit', 'debit'] as const).flatMap((side) => SIDE_WORDS[side].map((word) => [word, side] as const)),
);

/** Undefined if the text names no direction. */
export function parseSide(text: string): StatementSide | undefined {
  if (text.length > 40) return undefined;
  const word = text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
  return SIDES.get(word);
}
