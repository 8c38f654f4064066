// Lists the names of the faults of an Ethereum provider, each with the public behaviour that it imitates.

// The shapes of calls and responses are documented at https://ethereum.github.io/execution-apis/ and
// https://eips.ethereum.org/EIPS/eip-1474
export const FAULTS = [
  // The provider is an endpoint of another network: its chain id (`value`), network id and genesis hash differ.
  // https://eips.ethereum.org/EIPS/eip-695
  'another_chain',
  // The receipt of a successful transaction has status 0x0 and no logs.
  // https://eips.ethereum.org/EIPS/eip-658
  'says_reverted',
  // The receipt of a mined transaction is null. https://github.com/NethermindEth/nethermind/issues/2424
  'receipt_missing',
  // The provider knows neither the transaction nor its receipt. https://github.com/web3/web3.js/issues/1679
  'transaction_unknown',
  // The logs of one block (`at`), or the logs that `about` names, are missing. https://github.com/INFURA/infura/issues/50
  'logs_hole',
  // The logs come from a node that is `by` blocks behind the head, or that stopped at block `at`.
  // https://github.com/ethereum/go-ethereum/issues/24078
  'logs_lag',
  // Balances and results of eth_call come from an older block: the response to the same call before the fault began. If the
  // client never made the call before and `empty` is set, the response is empty. https://github.com/INFURA/infura/issues/31
  'balances_lag',
  // The reported nonce is lower by `by`. https://github.com/cowprotocol/services/issues/64
  'nonce_lag',
  // The head is `by` blocks lower, or at block `at`. The provider must have seen such a block before.
  // https://github.com/ethereum/go-ethereum/issues/27353
  'head_goes_back',
  // The provider returns the newest block that it has seen for `safe` and `finalized`, because some chains and gateways do not
  // distinguish them. https://github.com/ethereum/execution-apis/blob/main/src/schemas/block.yaml
  'finalized_ahead',
  // The provider submits the transaction, but responds with error -32000 (`message`).
  // https://github.com/NethermindEth/nethermind/issues/4148
  'accepted_but_error',
  // The provider responds with "already known", but does not submit the transaction.
  // https://github.com/ApeWorX/web3.py/issues/2364
  'error_but_not_sent',
  // The provider responds with the hash, but does not submit the transaction.
  // https://github.com/gnosis/gp-v2-services/issues/896
  'dropped',
  // The provider returns a log twice. https://github.com/darwinia-network/darwinia/issues/1649
  'extra_transfer',
  // The provider adds a log of a block that is no longer in the chain. With `extra: false`, it marks the real log as removed
  // instead. https://github.com/subvisual/dora-the-tipset-explorer/pull/4
  'removed_log',
  // The provider adds a log of a contract (`value`) that the client did not request, as if a gateway had not applied the
  // filter.
  'other_address_log',
  // The amount in the log is higher than the real amount by `by`, as with a token whose log hides its fee.
  // https://github.com/d-xo/weird-erc20#fee-on-transfer
  'value_differs',
  // If one eth_getLogs requests more than `by` blocks, the provider responds with error -32005.
  // https://github.com/AugurProject/augur/issues/4923
  'too_large_range',
  'slow',
  // The provider forwards the call, but closes the connection before the response.
  'cut',
  // The provider responds with status 429 and retry-after (`by` seconds).
  // https://docs.metamask.io/services/how-to/avoid-rate-limiting/
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
  // The provider returns the responses of a batch in another order. https://github.com/emeraldpay/dshackle/issues/148
  'batch_shuffled',
  // Two responses of a batch have each other's id. https://github.com/ethers-io/ethers.js/issues/3431
  'wrong_id',
] as const;

export type EvmFault = (typeof FAULTS)[number];
