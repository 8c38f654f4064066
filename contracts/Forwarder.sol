// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

interface Destination {
    function treasury() external view returns (address);
}

/// A deposit address. It is deployed by the factory when something came to it, obeys nobody else, and can send to the
/// treasury only. Its creation code is the same for every order, so that the salt alone makes the address.
///
/// Every byte of it is paid for once per order: so it has one unnamed function, and reads what it is told itself.
contract Forwarder {
    address private immutable factory;
    address private immutable treasury;

    constructor() {
        factory = msg.sender;
        treasury = Destination(msg.sender).treasury();
    }

    /// Told two words, a token and an amount: sends that to the treasury, of the native coin where the token is zero.
    /// Unless the token says yes, or nothing, it is all undone, and the beginning of what was answered is handed back.
    fallback() external {
        address by = factory;
        address to = treasury;
        // Writes over what the language keeps at the start of memory: nothing of the language runs after it.
        assembly {
            if xor(caller(), by) { revert(0, 0) }
            let token := calldataload(0x00)
            let amount := calldataload(0x20)
            if iszero(token) {
                if call(gas(), to, amount, 0, 0, 0, 0) { return(0, 0) }
                revert(0, 0)
            }
            // transfer(address,uint256): 28 empty bytes, 4 that name it, two words.
            mstore(0x00, 0xa9059cbb)
            mstore(0x20, to)
            mstore(0x40, amount)
            let done := call(gas(), token, 0, 0x1c, 0x44, 0, 0)
            let size := returndatasize()
            if gt(size, 256) { size := 256 }
            returndatacopy(0, 0, size)
            if and(done, or(iszero(size), and(gt(size, 0x1f), eq(mload(0), 1)))) { return(0, 0) }
            revert(0, size)
        }
    }
}
