// The names of this family's provider faults, each with the public behaviour that it imitates.

// Documented shapes: https://ethereum.github.io/execution-apis/ and https://eips.ethereum.org/EIPS/eip-1474
export const FAULTS = [
  // An endpoint of another network: chain id (`value`), network id and genesis hash differ.
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
  // Logs come from a node that is `by` blocks behind, or at block `at`. https://github.com/ethereum/go-ethereum/issues/24078
  'logs_lag',
  // Balances and eth_call come from an older block: the response to the same call before the fault, or with `empty` an empty
  // response if the call was never made before. https://github.com/INFURA/infura/issues/31
  'balances_lag',
  // The reported nonce is lower by `by`. https://github.com/cowprotocol/services/issues/64
  'nonce_lag',
  // The head is `by` blocks lower, or at `at`; the provider must have seen such a block before.
  // https://github.com/ethereum/go-ethereum/issues/27353
  'head_goes_back',
  // The newest seen block is returned for safe and finalized: some chains and gateways do not distinguish them.
  // https://github.com/ethereum/execution-apis/blob/main/src/schemas/block.yaml
  'finalized_ahead',
  // The transaction is submitted, but the response is error -32000 (`message`).
  // https://github.com/NethermindEth/nethermind/issues/4148
  'accepted_but_error',
  // The response is "already known", but the transaction is not submitted. https://github.com/ApeWorX/web3.py/issues/2364
  'error_but_not_sent',
  // The response is the hash, but the transaction is not submitted. https://github.com/gnosis/gp-v2-services/issues/896
  'dropped',
  // A log is repeated. https://github.com/darwinia-network/darwinia/issues/1649
  'extra_transfer',
  // Adds a log of a block that is no longer in the chain (`extra: false`: the real log is marked as removed).
  // https://github.com/subvisual/dora-the-tipset-explorer/pull/4
  'removed_log',
  // A log of a contract (`value`) that was not requested, as if a gateway had not applied the filter.
  'other_address_log',
  // The amount in the log is higher than the real amount (`by`): a token whose log hides its fee.
  // https://github.com/d-xo/weird-erc20#fee-on-transfer
  'value_differs',
  // A request for more than `by` blocks in one eth_getLogs gets error -32005. https://github.com/AugurProject/augur/issues/4923
  'too_large_range',
  // The response is sent after `ms` milliseconds.
  'slow',
  // The connection closes before the response, after the call was forwarded.
  'cut',
  // Status 429 with retry-after (`by` seconds). https://docs.metamask.io/services/how-to/avoid-rate-limiting/
  'too_many',
  // Status 200 with an HTML page of the gateway instead of data.
  'html',
  // The body ends in the middle of the JSON.
  'half_json',
  // A key occurs twice, with its true value first; https://www.rfc-editor.org/rfc/rfc8259 does not define which one counts.
  'doubled_keys',
  // A submitted transaction reaches the node twice, and the second response is returned, as from a gateway that retries.
  'doubled',
  // Arrays are refused with error -32600. https://www.jsonrpc.org/specification#batch
  'batch_refused',
  // The responses of a batch are in another order. https://github.com/emeraldpay/dshackle/issues/148
  'batch_shuffled',
  // Two responses of a batch have each other's id. https://github.com/ethers-io/ethers.js/issues/3431
  'wrong_id',
] as const;

export type EvmFault = (typeof FAULTS)[number];
