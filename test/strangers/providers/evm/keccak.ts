// Computes Keccak-256 with Ethereum's padding, as transaction hashes need it. node:crypto has only the later SHA3-256.
const MASK = (1n << 64n) - 1n;
const RATE = 136;

const ROTATIONS = [
  0, 1, 62, 28, 27, 36, 44, 6, 55, 20, 3, 10, 43, 25, 39, 41, 45, 15, 21, 8, 18, 2, 61, 56, 14,
].map(BigInt);

const ROUNDS = roundConstants();

export function keccak256(bytes: Uint8Array): string {
  const padded = new Uint8Array((Math.floor(bytes.length / RATE) + 1) * RATE);
  padded.set(bytes);
  padded[bytes.length] = 0x01;
  padded[padded.length - 1] = (padded[padded.length - 1] ?? 0) | 0x80;
  const view = new DataView(padded.buffer);
  let lanes: readonly bigint[] = new Array<bigint>(25).fill(0n);
  for (let block = 0; block < padded.length; block += RATE) {
    lanes = permuted(
      lanes.map((lane, at) => (at < RATE / 8 ? lane ^ view.getBigUint64(block + at * 8, true) : lane)),
    );
  }
  const hash = Buffer.alloc(32);
  for (let at = 0; at < 4; at += 1) hash.writeBigUInt64LE(lane(lanes, at), at * 8);
  return `0x${hash.toString('hex')}`;
}

function permuted(start: readonly bigint[]): readonly bigint[] {
  let lanes = start;
  for (const constant of ROUNDS) {
    const columns = [0, 1, 2, 3, 4].map((x) =>
      [0, 5, 10, 15, 20].reduce((sum, row) => sum ^ lane(lanes, x + row), 0n),
    );
    const mixed = lanes.map((value, at) => {
      const x = at % 5;
      return value ^ lane(columns, (x + 4) % 5) ^ rotated(lane(columns, (x + 1) % 5), 1n);
    });
    const moved = new Array<bigint>(25).fill(0n);
    for (const [at, value] of mixed.entries()) {
      const x = at % 5;
      const y = Math.floor(at / 5);
      moved[y + 5 * ((2 * x + 3 * y) % 5)] = rotated(value, lane(ROTATIONS, at));
    }
    lanes = moved.map((value, at) => {
      const row = at - (at % 5);
      return value ^ (~lane(moved, row + ((at + 1) % 5)) & MASK & lane(moved, row + ((at + 2) % 5)));
    });
    lanes = lanes.with(0, lane(lanes, 0) ^ constant);
  }
  return lanes;
}

function lane(lanes: readonly bigint[], at: number): bigint {
  return lanes[at] ?? 0n;
}

function rotated(value: bigint, by: bigint): bigint {
  return ((value << by) | (value >> (64n - by))) & MASK;
}

// The constants come from a shift register of eight bits, as the Keccak specification defines it.
function roundConstants(): readonly bigint[] {
  const constants: bigint[] = [];
  let register = 1;
  for (let round = 0; round < 24; round += 1) {
    let constant = 0n;
    for (let bit = 0; bit < 7; bit += 1) {
      if (register & 1) constant |= 1n << ((1n << BigInt(bit)) - 1n);
      register = register & 0x80 ? ((register << 1) ^ 0x171) & 0xff : register << 1;
    }
    constants.push(constant);
  }
  return constants;
}
