// How the answers of a provider can be from different times: which kinds of question are behind, and which server behind the
// provider's address answers them. The troubles of local networks and the contract cases use the same lists.

/**
 * A kind of question: the status of a transaction, the height of the chain, the state of an account (its sequence number,
 * nonce or balance), or a list of what happened to an account.
 */
export type LagPath = 'status' | 'height' | 'account' | 'history';

/** Every set of paths that, behind the others, could make a client believe that a landed payment is lost. */
export const LAG_PATH_SETS: readonly (readonly LagPath[])[] = [
  ['status'],
  ['status', 'history'],
  ['status', 'account'],
  ['account'],
  ['height'],
  ['status', 'account', 'history'],
];

export const LAG_SERVERS = [
  /** One server, which is behind, answers everything on that path. */
  'sticky',
  /** Each request goes to one of two servers by chance; one of them is behind. */
  'random',
  /** Requests go to two servers in turn; one of them is behind. */
  'switching',
  /** A cache repeats the answer "not found" once it was given; every other answer is up to date. */
  'cached',
] as const;
export type LagServers = (typeof LAG_SERVERS)[number];
