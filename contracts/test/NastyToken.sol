// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// A token for tests only, that misbehaves towards the addresses it is told to. Anybody may mint, and no allowance is
/// asked for.
contract NastyToken {
    enum Manner {
        Honest,
        SaysNothing,
        SaysFalse,
        SaysTwo,
        SaysOneByte,
        Reverts,
        RevertsLong,
        BurnsGas,
        Invalid,
        SuccessBomb,
        RevertBomb,
        CallsBack,
        HidesBalance,
        BurnsGasOnBalance
    }

    mapping(address holder => uint256) private balances;
    /// How it behaves when the address receives or, where it is a matter of the sender, sends.
    mapping(address holder => Manner) public manners;
    /// What it calls back with, and where.
    address public backTo;
    bytes public backWith;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event CalledBack(bool done);

    function setManner(address holder, Manner manner) external {
        manners[holder] = manner;
    }

    function setCallBack(address to, bytes calldata data) external {
        backTo = to;
        backWith = data;
    }

    function mint(address to, uint256 value) external {
        balances[to] += value;
        emit Transfer(address(0), to, value);
    }

    function balanceOf(address holder) external view returns (uint256) {
        Manner manner = manners[holder];
        if (manner == Manner.HidesBalance) revert("no balance");
        if (manner == Manner.BurnsGasOnBalance) _burn();
        return balances[holder];
    }

    function transfer(address to, uint256 value) external {
        Manner manner = manners[msg.sender];
        _move(msg.sender, to, value, manner == Manner.Honest ? manners[to] : manner);
    }

    function transferFrom(address from, address to, uint256 value) external {
        _move(from, to, value, manners[to]);
    }

    /// Never comes back by itself: it answers in the way its manner says. Where it answers no, or nonsense, it has moved
    /// the tokens all the same.
    function _move(address from, address to, uint256 value, Manner manner) private {
        if (manner == Manner.Reverts) revert("not today");
        if (manner == Manner.RevertsLong) revert(string(new bytes(5000)));
        if (manner == Manner.BurnsGas) _burn();
        if (manner == Manner.RevertBomb) _bomb(true);
        if (manner == Manner.Invalid) {
            assembly {
                invalid()
            }
        }
        if (manner == Manner.CallsBack) {
            (bool done,) = backTo.call(backWith);
            emit CalledBack(done);
        }
        require(balances[from] >= value, "balance too low");
        balances[from] -= value;
        balances[to] += value;
        emit Transfer(from, to, value);
        if (manner == Manner.SaysNothing) _answer(0, 0);
        if (manner == Manner.SaysFalse) _answer(32, 0);
        if (manner == Manner.SaysTwo) _answer(32, 2);
        if (manner == Manner.SaysOneByte) _answer(1, 1 << 248);
        if (manner == Manner.SuccessBomb) _bomb(false);
        _answer(32, 1);
    }

    function _answer(uint256 size, uint256 word) private pure {
        assembly {
            mstore(0, word)
            return(0, size)
        }
    }

    /// As large an answer as the gas for one item pays for. As a success it begins with a proper yes.
    function _bomb(bool reverting) private pure {
        assembly {
            mstore(0, 1)
            // About 132,000 gas of memory here, and as much again for a caller that copies all of it.
            if reverting { revert(0, 240000) }
            return(0, 240000)
        }
    }

    function _burn() private pure {
        assembly {
            for {} 1 {} { pop(keccak256(0, 0x400)) }
        }
    }
}
