// Creates a self-signed certificate for 127.0.0.1 and localhost, byte by byte. Node creates keys and signatures but no
// certificates, and openssl is not on every machine.
import { generateKeyPairSync, sign } from 'node:crypto';

const DAY_MS = 86_400_000;

export function makeCertificate(): { readonly cert: string; readonly key: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const name = sequence(set(sequence(oid(2, 5, 4, 3), tagged(0x0c, Buffer.from('localhost')))));
  const ecdsaWithSha256 = sequence(oid(1, 2, 840, 10045, 4, 3, 2));
  const subjectAltName = sequence(
    tagged(0x82, Buffer.from('localhost')),
    tagged(0x87, Buffer.from([127, 0, 0, 1])),
  );
  const toBeSigned = sequence(
    tagged(0xa0, integer(2)), // version 3
    integer(1), // serial number
    ecdsaWithSha256,
    name, // issuer
    sequence(time(Date.now() - DAY_MS), time(Date.now() + DAY_MS)),
    name, // subject
    spki,
    tagged(0xa3, sequence(sequence(oid(2, 5, 29, 17), tagged(0x04, subjectAltName)))),
  );
  const signature = sign('sha256', toBeSigned, privateKey);
  const certificate = sequence(toBeSigned, ecdsaWithSha256, bits(signature));
  return {
    cert: pem('CERTIFICATE', certificate),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function tagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => tagged(0x30, ...parts);
const set = (...parts: readonly Buffer[]): Buffer => tagged(0x31, ...parts);
const integer = (value: number): Buffer => tagged(0x02, Buffer.from([value]));
const bits = (content: Buffer): Buffer => tagged(0x03, Buffer.from([0]), content);

/** Each byte holds seven bits. Every byte except the last has the highest bit set. */
function oid(first: number, second: number, ...rest: readonly number[]): Buffer {
  const bytes = [first * 40 + second];
  for (const part of rest) {
    const septets = [part & 0x7f];
    for (let left = part >> 7; left > 0; left >>= 7) septets.unshift(0x80 | (left & 0x7f));
    bytes.push(...septets);
  }
  return tagged(0x06, Buffer.from(bytes));
}

function time(atMs: number): Buffer {
  const digits = new Date(atMs).toISOString().replace(/\D/g, '').slice(0, 14);
  return tagged(0x18, Buffer.from(`${digits}Z`));
}

function pem(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g)!;
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
