// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// Calls that trust nobody: a fixed amount of gas, and of what is answered only the beginning is ever copied.
library BoundedCall {
    /// As much of an answer as is kept: an `Error(string)` of some length fits.
    uint256 internal constant KEPT = 256;

    /// The caller makes sure that `gasLimit` can really be given: the EVM would otherwise give less without a word.
    function attempt(address target, uint256 gasLimit, bytes memory data)
        internal
        returns (bool done, bytes memory answer)
    {
        answer = new bytes(KEPT);
        assembly ("memory-safe") {
            done := call(gasLimit, target, 0, add(data, 0x20), mload(data), 0, 0)
            let kept := returndatasize()
            if gt(kept, KEPT) { kept := KEPT }
            returndatacopy(add(answer, 0x20), 0, kept)
            mstore(answer, kept)
        }
    }
}
