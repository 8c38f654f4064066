// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {BoundedCall} from "./BoundedCall.sol";

/// Pays many from the treasury in one transaction. A payment that fails never holds back the others, each says what
/// became of it, and the same batch is never paid twice.
///
/// The treasury approves this contract for the token; the contract itself never holds any.
contract Disperse {
    /// What the token may use for one payment.
    uint256 public constant ITEM_GAS = 200_000;
    /// A call gets at most 63 of 64 parts of what is left. So much is given to `payOne` that it can give the token its
    /// share, and so much must be left before it that it can be given, and its event paid for, the longest reason included.
    uint256 private constant PAY_ONE_GAS = (ITEM_GAS * 64) / 63 + 5_000;
    uint256 private constant GAS_BEFORE_ITEM = (PAY_ONE_GAS * 64) / 63 + 20_000;

    /// The treasury: the only one who may pay, and the only one whose tokens move.
    address public immutable owner;
    mapping(bytes32 batch => bool) public executed;

    event Paid(bytes32 indexed batch, uint256 indexed place, address to, uint256 amount);
    event Unpaid(bytes32 indexed batch, uint256 indexed place, address to, uint256 amount, bytes reason);

    error NotOwner();
    error NoOwner();
    error NoItems();
    error LengthsDiffer();
    error NotAContract(address token);
    error AlreadyExecuted(bytes32 batch);
    error NotEnoughGas(uint256 place);

    constructor(address owner_) {
        if (owner_ == address(0)) revert NoOwner();
        owner = owner_;
    }

    function pay(address token, bytes32 batch, address[] calldata to, uint256[] calldata amounts) external {
        if (msg.sender != owner) revert NotOwner();
        if (to.length == 0) revert NoItems();
        if (to.length != amounts.length) revert LengthsDiffer();
        // A call to an address without code succeeds and does nothing.
        if (token.code.length == 0) revert NotAContract(token);
        if (executed[batch]) revert AlreadyExecuted(batch);
        // Before anything is called, so that nothing that is called can come back to it.
        executed[batch] = true;

        for (uint256 place = 0; place < to.length; ++place) {
            // With less, a payment would fail for want of gas and look like the token's refusal. Better none at all.
            if (gasleft() < GAS_BEFORE_ITEM) revert NotEnoughGas(place);
            _tryOne(token, batch, place, to[place], amounts[place]);
        }
    }

    /// A call of its own, for this contract alone: when it reverts nothing of the payment remains, whatever the token did
    /// before it answered. So what is said to be unpaid is unpaid.
    function payOne(address token, address to, uint256 amount) external {
        if (msg.sender != address(this)) revert NotOwner();
        // transferFrom(address,address,uint256)
        bytes memory data = abi.encodeWithSelector(0x23b872dd, owner, to, amount);
        (bool done, bytes memory answer) = BoundedCall.attempt(token, ITEM_GAS, data);
        // Some tokens answer nothing. Of those that do, only a clear yes is one.
        if (done && (answer.length == 0 || (answer.length >= 32 && bytes32(answer) == bytes32(uint256(1))))) return;
        assembly ("memory-safe") {
            revert(add(answer, 0x20), mload(answer))
        }
    }

    function _tryOne(address token, bytes32 batch, uint256 place, address to, uint256 amount) private {
        bytes memory data = abi.encodeCall(this.payOne, (token, to, amount));
        (bool done, bytes memory reason) = BoundedCall.attempt(address(this), PAY_ONE_GAS, data);
        if (done) {
            emit Paid(batch, place, to, amount);
        } else {
            emit Unpaid(batch, place, to, amount, reason);
        }
    }
}
