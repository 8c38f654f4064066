// Lists the names of the faults of a Solana provider, each with the public behaviour that it imitates.

// The shapes of calls and responses are documented at https://solana.com/docs/rpc/http
export const FAULTS = [
  // The provider returns the genesis hash of another cluster (`value`). https://solana.com/docs/rpc/http/getgenesishash
  'another_chain',
  // A landed signature has no status in any query. https://github.com/solana-labs/solana/issues/9305
  'status_missing',
  // A landed signature has no status unless the request sets searchTransactionHistory, because the recent cache has lost the
  // status. https://github.com/chainstacklabs/compare-dashboard-functions/pull/87
  'status_missing_recent',
  // The response for a landed transaction is null. https://solana.com/docs/rpc/http/gettransaction
  'transaction_missing',
  // The status of a successful transaction contains an `err`. https://solana.com/docs/rpc/http/getsignaturestatuses
  'says_failed',
  // A successful transaction contains an `err`, and so does its entry in the history of an address.
  'history_says_failed',
  // The confirmationStatus of a transaction is `finalized`, although the transaction is only processed or confirmed.
  'finalized_early',
  // One entry of getSignaturesForAddress is missing. https://github.com/solana-labs/solana/issues/21843
  'signatures_hole',
  // getSignaturesForAddress lags by `by` slots, or stays at slot `at`. https://github.com/solana-labs/solana/issues/24620
  'signatures_lag',
  // One entry of getSignaturesForAddress occurs twice, as when two pages overlap.
  // https://github.com/solana-labs/solana/issues/22456
  'signatures_twice',
  // The entries of getSignaturesForAddress are in another order. https://github.com/anza-xyz/agave/issues/907
  'signatures_unordered',
  // Accounts and balances are those before the fault began. With `empty`, an account that the client never requested before is
  // missing. https://github.com/chainstacklabs/pumpfun-bonkfun-bot/issues/130
  'account_lag',
  // The slot and the block height are lower by `by`. https://github.com/anza-xyz/agave/issues/3787
  'slot_goes_back',
  // The slot and the block height are higher by `by`. A node on a fork reports such numbers, and so does a node that counts
  // slots before it has replayed them.
  'slot_ahead',
  // The provider returns an older blockhash that it has seen before. https://github.com/solana-labs/solana/issues/16873
  'blockhash_old',
  // The provider returns a blockhash that this chain never had (`value`), as from a pool that mixes clusters.
  'blockhash_of_another_chain',
  // isBlockhashValid returns false while the blockhash is valid. https://github.com/solana-labs/solana/issues/27189
  'blockhash_said_invalid',
  // The provider submits the transaction, but responds with error -32002, as if the simulation had failed.
  // https://github.com/solana-mobile/dapp-publishing/issues/179
  'accepted_but_preflight_error',
  // The provider submits the transaction, but responds with error -32005. https://github.com/solana-labs/solana/issues/21046
  'accepted_but_node_behind',
  // The provider responds with the signature, but does not submit the transaction.
  // https://solana.com/developers/cookbook/transactions/retry
  'dropped',
  // The value of context.slot is higher by `by` than the slot of the returned value.
  // https://github.com/anza-xyz/agave/issues/9028
  'context_slot_differs',
  // Calls with minContextSlot get error -32016. https://github.com/jet-lab/jet-v2/pull/814
  'min_context_slot',
  // A token balance after a transaction (postTokenBalances) is too high by `by` base units.
  // https://solana.com/docs/rpc/json-structures
  'token_balance_differs',
  'slow',
  // The provider forwards the call, but closes the connection before the response.
  'cut',
  // The provider responds with status 429 and retry-after (`by` seconds). https://solana.com/docs/references/clusters
  'too_many',
  'html',
  'half_json',
  // The response contains a key twice, with its true value first. https://www.rfc-editor.org/rfc/rfc8259 does not define which
  // value counts.
  'doubled_keys',
  // A submitted transaction reaches the node twice, and the client gets the second response, as from a gateway that retries.
  'doubled',
  // The provider refuses arrays of calls with error -32600. https://www.jsonrpc.org/specification#batch
  'batch_refused',
  // The provider returns the responses of a batch in another order. https://www.jsonrpc.org/specification#batch
  'batch_shuffled',
  'wrong_id',
] as const;

export type SolanaFault = (typeof FAULTS)[number];
