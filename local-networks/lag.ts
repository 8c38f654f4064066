// Defines how responses of one provider can show different times of the chain: which kinds of request lag, and which server
// behind the address of the provider answers them. The troubles of local networks and the contract cases use the same lists.

/**
 * A kind of request: the status of a transaction, the height of the chain, the state of an account (its sequence number, nonce
 * or balance), or a list of the account's events.
 */
export type LagPath = 'status' | 'height' | 'account' | 'history';

/** Every set of lagging paths that could make a client believe that a payment on the chain is lost. */
export const LAG_PATH_SETS: readonly (readonly LagPath[])[] = [
  ['status'],
  ['status', 'history'],
  ['status', 'account'],
  ['account'],
  ['height'],
  ['status', 'account', 'history'],
];

export const LAG_SERVERS = [
  /** One lagging server handles every request on that path. */
  'sticky',
  /** Each request goes randomly to one of two servers, of which one lags. */
  'random',
  /** Requests alternate between two servers, of which one lags. */
  'switching',
  /** A cache repeats the response "not found" after a server returned it once. Every other response is up to date. */
  'cached',
] as const;
export type LagServers = (typeof LAG_SERVERS)[number];
