// Base58 with Bitcoin's alphabet, which Solana uses for keys, hashes and signatures.
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

export function toBase58(bytes: Uint8Array): string {
  let rest = BigInt(`0x0${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  while (rest > 0n) {
    text = `${ALPHABET[Number(rest % 58n)]}${text}`;
    rest /= 58n;
  }
  const leading = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(leading === -1 ? bytes.length : leading) + text;
}

/** The bytes of a text, or undefined for a text in another alphabet. */
export function fromBase58(text: string): Uint8Array | undefined {
  let value = 0n;
  for (const letter of text) {
    const digit = ALPHABET.indexOf(letter);
    if (digit === -1) return undefined;
    value = value * 58n + BigInt(digit);
  }
  const hex = value === 0n ? '' : value.toString(16);
  const tail = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  const leading = /^1*/.exec(text)?.[0].length ?? 0;
  return Buffer.concat([Buffer.alloc(leading), tail]);
}
