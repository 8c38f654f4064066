// Lists the names of the faults of a Horizon, each with the public behaviour that it imitates.

// The shapes of requests and responses are documented at https://developers.stellar.org/docs/data/apis/horizon/api-reference
export const FAULTS = [
  // The root response has another network_passphrase (`value`). https://developers.stellar.org/docs/networks
  'another_network',
  // The provider responds with status 404 for an applied transaction, as if Horizon had not ingested it yet.
  // https://github.com/stellar/go-stellar-sdk/issues/2272
  'transaction_missing',
  // A transaction that succeeded has `successful: false`.
  // https://developers.stellar.org/docs/data/apis/horizon/api-reference/resources/transactions/object
  'says_failed',
  // The records of successful payments and operations have `transaction_successful: false`.
  'records_say_failed',
  // The provider responds with status 504, although the transaction is applied.
  // https://github.com/stellar/go-stellar-sdk/issues/305
  'timeout_though_applied',
  // The provider responds with status 504 and does not forward the transaction.
  // https://github.com/stellar/stellar-core/issues/2338
  'timeout_not_applied',
  // The provider responds with 400 tx_bad_seq for a transaction that an earlier call submitted. With `first`, the first call
  // gets it too. https://github.com/stellar/go-stellar-sdk/issues/2628
  'bad_seq_though_applied',
  // The provider responds with status 200 and the hash, but does not forward the transaction.
  'dropped',
  // One record of payments, operations, transactions or effects is missing.
  // https://github.com/stellar/stellar-protocol/issues/672
  'records_hole',
  // The records are `by` ledgers behind, or end at ledger `at`. https://github.com/stellar-deprecated/horizon/issues/293
  'records_lag',
  // One record occurs twice, as when Horizon builds a page while it ingests a ledger.
  'record_twice',
  // The records are not in the requested order. https://github.com/stellar/go-stellar-sdk/issues/3637
  'records_unordered',
  // The provider ignores the cursor and returns an earlier page of the same list again.
  // https://github.com/stellar/go-stellar-sdk/issues/1103
  'cursor_ignored',
  // The sequence of an account is lower by `by`. https://github.com/stellar/quickstart/issues/667
  'sequence_behind',
  // The sequence of an account is higher by `by`: it includes transactions that never landed.
  'sequence_ahead',
  // The balances of an account are those before the fault began. With `empty`, an account that the client never requested
  // before has no balances. https://github.com/stellar/go-stellar-sdk/issues/2272
  'balances_lag',
  // The Latest-Ledger header is missing, as from a gateway that keeps only the headers that it knows.
  // https://developers.stellar.org/docs/data/apis/horizon/api-reference/structure/consistency
  'header_missing',
  'header_behind',
  'header_ahead',
  // Ledgers, fee_stats and the root are `by` ledgers behind. https://github.com/stellar/go-stellar-sdk/issues/3252
  'ledgers_lag',
  // The closed_at of ledgers is wrong by `by` hours; a negative number means earlier.
  'closed_at_wrong',
  // The created_at of transactions, payments and operations is wrong by `by` hours; a negative number means earlier.
  'created_at_wrong',
  // The provider responds with 503 stale_history. https://github.com/stellar/go-stellar-sdk/issues/4550
  'stale_history',
  // The asset of a payment has another issuer (`value`) with the same code. With `extra`, this payment is an additional record.
  // https://developers.stellar.org/docs/tokens/anatomy-of-an-asset
  'other_issuer',
  // Amounts have no trailing zeros: "1" instead of "1.0000000". This is harmless, because the amount is the same.
  'plain_amounts',
  // Links to further pages point to another host (`value`). https://github.com/stellar-deprecated/horizon/issues/55
  'next_elsewhere',
  'slow',
  // The provider forwards the call, but closes the connection before the response.
  'cut',
  // 429. https://developers.stellar.org/docs/data/apis/horizon/api-reference/structure/rate-limiting
  'too_many',
  'html',
  'half_json',
  // The response contains a key twice, with its true value first. https://www.rfc-editor.org/rfc/rfc8259 does not define which
  // value counts.
  'doubled_keys',
  // A submitted transaction reaches Horizon twice, and the client gets the second response, as from a gateway that retries.
  'doubled',
] as const;

export type StellarFault = (typeof FAULTS)[number];
