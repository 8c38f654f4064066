// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// A token for local networks and tests only: an ERC-20 whose owner can mint, pause it and bar addresses, as the owners
/// of naira stablecoins can. It can also begin to keep a fee that no event shows, as a token can whose code is replaced.
contract TestToken {
    string public name;
    string public symbol;
    uint8 public immutable decimals;
    address public immutable owner;
    uint256 public totalSupply;
    bool public paused;
    /// Kept back of every transfer, in hundredths of a percent.
    uint256 public hiddenFeeBps;
    mapping(address holder => uint256) public balanceOf;
    mapping(address holder => mapping(address spender => uint256)) public allowance;
    mapping(address holder => bool) public blacklisted;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    event Paused();
    event Unpaused();
    event Blacklisted(address indexed holder);
    event UnBlacklisted(address indexed holder);

    modifier onlyOwner() {
        require(msg.sender == owner, "caller is not the owner");
        _;
    }

    constructor(string memory name_, string memory symbol_, uint8 decimals_, address owner_) {
        name = name_;
        symbol = symbol_;
        decimals = decimals_;
        owner = owner_;
    }

    function mint(address to, uint256 value) external onlyOwner {
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function pause() external onlyOwner {
        paused = true;
        emit Paused();
    }

    function unpause() external onlyOwner {
        paused = false;
        emit Unpaused();
    }

    function setHiddenFee(uint256 bps) external onlyOwner {
        hiddenFeeBps = bps;
    }

    function blacklist(address holder) external onlyOwner {
        blacklisted[holder] = true;
        emit Blacklisted(holder);
    }

    function unBlacklist(address holder) external onlyOwner {
        blacklisted[holder] = false;
        emit UnBlacklisted(holder);
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        _move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        if (allowed != type(uint256).max) {
            require(allowed >= value, "transfer amount exceeds allowance");
            allowance[from][msg.sender] = allowed - value;
        }
        _move(from, to, value);
        return true;
    }

    function _move(address from, address to, uint256 value) private {
        require(!paused, "paused");
        require(!blacklisted[from] && !blacklisted[to] && !blacklisted[msg.sender], "account is blacklisted");
        require(to != address(0), "transfer to the zero address");
        require(balanceOf[from] >= value, "transfer amount exceeds balance");
        uint256 fee = (value * hiddenFeeBps) / 10_000;
        totalSupply -= fee;
        balanceOf[from] -= value;
        balanceOf[to] += value - fee;
        emit Transfer(from, to, value);
    }
}
