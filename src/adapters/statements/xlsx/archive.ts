// Reads the ZIP archive of an Excel workbook. The directory at its end says which parts it has; each part is unpacked as a stream
// and only as far as the directory and the limits allow, so a small file never unpacks to a huge one. Node's zlib unpacks.
import { createInflateRaw } from 'node:zlib';
import { UnreadableStatement } from '../../../ports/statements.ts';

const MIB = 1024 * 1024;
/** A workbook is held in memory while it is read, because its directory is at its end. */
const MOST_BYTES = 64 * MIB;
const MOST_PARTS = 2_000;
/** Sheets compress to a twentieth or less. The limit holds from the first megabytes on. */
const MOST_RATIO = 200;
const FREE_BYTES = 8 * MIB;
export const MOST_SHEET_BYTES = 1024 * MIB;

export interface ArchivePart {
  readonly name: string;
  readonly method: number;
  readonly crc: number;
  readonly packedBytes: number;
  readonly bytes: number;
  /** Where the part's own header begins. */
  readonly at: number;
}

export interface Archive {
  readonly parts: ReadonlyMap<string, ArchivePart>;
  /** Unpacks a part, of at most this many bytes. Throws UnreadableStatement. */
  open(part: ArchivePart, mostBytes: number): AsyncGenerator<Uint8Array>;
}

export async function openArchive(bytes: AsyncIterable<Uint8Array>): Promise<Archive> {
  const file = await readWhole(bytes);
  const parts = readDirectory(file);
  return { parts, open: (part, mostBytes) => unpack(file, part, mostBytes) };
}

export function damaged(): UnreadableStatement {
  return new UnreadableStatement(
    'The Excel workbook is damaged or cut off. Download it again, or save it as CSV. Nothing was imported.',
  );
}

function refuse(what: string): UnreadableStatement {
  return new UnreadableStatement(`The Excel workbook ${what}. Save the sheet as CSV, and import the CSV.`);
}

async function readWhole(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > MOST_BYTES) throw refuse(`is larger than ${MOST_BYTES / MIB} MiB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const END_MARK = 0x06054b50;
const DIRECTORY_MARK = 0x02014b50;
const PART_MARK = 0x04034b50;
const END_BYTES = 22;
const DIRECTORY_BYTES = 46;
const PART_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;

function readDirectory(file: Buffer): ReadonlyMap<string, ArchivePart> {
  const end = findEnd(file);
  const count = file.readUInt16LE(end + 10);
  const size = file.readUInt32LE(end + 12);
  let at = file.readUInt32LE(end + 16);
  if (count > MOST_PARTS) throw refuse(`has more than ${MOST_PARTS} parts`);
  if (at + size > end) throw damaged();
  const parts = new Map<string, ArchivePart>();
  for (let index = 0; index < count; index++) {
    if (at + DIRECTORY_BYTES > end || file.readUInt32LE(at) !== DIRECTORY_MARK) throw damaged();
    const flags = file.readUInt16LE(at + 8);
    const nameBytes = file.readUInt16LE(at + 28);
    const name = file.toString('utf8', at + DIRECTORY_BYTES, at + DIRECTORY_BYTES + nameBytes);
    if ((flags & 1) !== 0) throw refuse('is encrypted');
    const key = name.replace(/^\/+/, '').toLowerCase();
    // Two parts with one name may have different contents: which one counts would depend on the program.
    if (parts.has(key)) throw refuse('has a part twice');
    parts.set(key, {
      name,
      method: file.readUInt16LE(at + 10),
      crc: file.readUInt32LE(at + 16),
      packedBytes: file.readUInt32LE(at + 20),
      bytes: file.readUInt32LE(at + 24),
      at: file.readUInt32LE(at + 42),
    });
    at += DIRECTORY_BYTES + nameBytes + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
  return parts;
}

/** The end record is the last in the file, before a comment of at most 65,535 bytes. */
function findEnd(file: Buffer): number {
  const first = Math.max(0, file.length - END_BYTES - 0xffff);
  for (let at = file.length - END_BYTES; at >= first; at--)
    if (file.readUInt32LE(at) === END_MARK && at + END_BYTES + file.readUInt16LE(at + 20) === file.length)
      return at;
  throw damaged();
}

async function* unpack(file: Buffer, part: ArchivePart, mostBytes: number): AsyncGenerator<Uint8Array> {
  const { at, method, packedBytes, bytes } = part;
  if (bytes > mostBytes || bytes > FREE_BYTES + packedBytes * MOST_RATIO) throw tooLarge();
  if (at + PART_BYTES > file.length || file.readUInt32LE(at) !== PART_MARK) throw damaged();
  const from = at + PART_BYTES + file.readUInt16LE(at + 26) + file.readUInt16LE(at + 28);
  if (from + packedBytes > file.length) throw damaged();
  const packed = file.subarray(from, from + packedBytes);
  if (method !== STORED && method !== DEFLATED) throw refuse('is packed in an unusual way');
  let [count, sum] = [0, FIRST_SUM];
  for await (const chunk of method === STORED ? [packed] : inflate(packed)) {
    count += chunk.length;
    // The directory may state a wrong size.
    if (count > bytes) throw tooLarge();
    sum = addToSum(sum, chunk);
    yield chunk;
  }
  if (count !== bytes || (sum ^ FIRST_SUM) >>> 0 !== part.crc) throw damaged();
}

const FIRST_SUM = 0xffffffff;
/** The table of CRC-32, the checksum of the parts. */
const SUMS = Int32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit++) sum = (sum & 1) === 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  return sum;
});

function addToSum(before: number, chunk: Uint8Array): number {
  let sum = before;
  for (const byte of chunk) sum = SUMS[(sum ^ byte) & 0xff]! ^ (sum >>> 8);
  return sum;
}

function tooLarge(): UnreadableStatement {
  return refuse('unpacks to far more than its size, as no statement does');
}

async function* inflate(packed: Uint8Array): AsyncGenerator<Uint8Array> {
  const stream = createInflateRaw();
  stream.end(packed);
  try {
    for await (const chunk of stream) yield chunk as Uint8Array;
  } catch (error) {
    if (error instanceof UnreadableStatement) throw error;
    throw damaged();
  } finally {
    stream.destroy();
  }
}
