// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {BoundedCall} from "./BoundedCall.sol";
import {Forwarder} from "./Forwarder.sol";

/// Deposit addresses, one per order, known before anything is deployed. What came to them is brought to the treasury, and
/// can go nowhere else: so anybody may ask for it. An address that fails never holds back the others.
contract ForwarderFactory {
    /// What the token may use to tell a balance, and to move it.
    uint256 public constant BALANCE_GAS = 50_000;
    uint256 public constant FLUSH_GAS = 250_000;
    /// What is done for one address besides: it is deployed, and its event, the longest reason included.
    uint256 private constant OWN_GAS = 150_000;
    /// A call gets at most 63 of 64 parts of what is left.
    uint256 private constant GAS_BEFORE_ITEM = ((BALANCE_GAS + FLUSH_GAS + OWN_GAS) * 64) / 63;

    address public immutable treasury;
    bytes32 public immutable initCodeHash;

    /// An amount of zero says that there was nothing.
    event Swept(bytes32 indexed salt, address indexed token, uint256 amount);
    event NotSwept(bytes32 indexed salt, address indexed token, bytes reason);

    error NoTreasury();
    error NotAContract(address token);
    error NotEnoughGas(uint256 place);

    constructor(address treasury_) {
        if (treasury_ == address(0)) revert NoTreasury();
        treasury = treasury_;
        initCodeHash = keccak256(type(Forwarder).creationCode);
    }

    /// The deposit address of a salt, deployed or not.
    function addressOf(bytes32 salt) public view returns (address) {
        bytes32 hash = keccak256(abi.encodePacked(bytes1(0xff), address(this), salt, initCodeHash));
        return address(uint160(uint256(hash)));
    }

    /// Brings in all of one token, or of the native coin where `token` is zero.
    function sweep(address token, bytes32[] calldata salts) external {
        if (token != address(0) && token.code.length == 0) revert NotAContract(token);
        bytes memory initCode = type(Forwarder).creationCode;
        for (uint256 place = 0; place < salts.length; ++place) {
            // With less, an address would fail for want of gas and look like the token's refusal. Better none at all.
            if (gasleft() < GAS_BEFORE_ITEM) revert NotEnoughGas(place);
            _sweepOne(token, salts[place], initCode);
        }
    }

    function _sweepOne(address token, bytes32 salt, bytes memory initCode) private {
        address forwarder = addressOf(salt);
        (bool told, uint256 amount) = _balance(token, forwarder);
        if (!told) {
            emit NotSwept(salt, token, "balance unknown");
            return;
        }
        if (amount == 0) {
            emit Swept(salt, token, 0);
            return;
        }
        if (forwarder.code.length == 0) {
            address made;
            assembly ("memory-safe") {
                made := create2(0, add(initCode, 0x20), mload(initCode), salt)
            }
            if (made != forwarder) {
                emit NotSwept(salt, token, "not deployed");
                return;
            }
        }
        bytes memory data = abi.encode(token, amount);
        (bool done, bytes memory answer) = BoundedCall.attempt(forwarder, FLUSH_GAS, data);
        if (done) {
            emit Swept(salt, token, amount);
        } else {
            emit NotSwept(salt, token, answer);
        }
    }

    function _balance(address token, address holder) private view returns (bool told, uint256 amount) {
        if (token == address(0)) return (true, holder.balance);
        // balanceOf(address)
        bytes memory data = abi.encodeWithSelector(0x70a08231, holder);
        assembly ("memory-safe") {
            told := staticcall(BALANCE_GAS, token, add(data, 0x20), mload(data), 0, 0x20)
            told := and(told, gt(returndatasize(), 0x1f))
            amount := mload(0)
        }
    }
}
