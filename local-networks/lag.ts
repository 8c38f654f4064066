// How the responses of a provider can be from different times: which kinds of request lag, and which server behind the provider's
// address answers them. The troubles of local networks and the contract cases use the same lists.

/**
 * A kind of request: the status of a transaction, the height of the chain, the state of an account (its sequence number, nonce or
 * balance), or a list of an account's events.
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
  /** One lagging server answers everything on that path. */
  'sticky',
  /** Each request goes randomly to one of two servers; one of them lags. */
  'random',
  /** Requests alternate between two servers; one of them lags. */
  'switching',
  /** A cache repeats the response "not found" after it was returned once; every other response is up to date. */
  'cached',
] as const;
export type LagServers = (typeof LAG_SERVERS)[number];
