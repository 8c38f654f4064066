// Names of write-ahead log segments between two positions. The rule: a backup carries every segment from its start
// to its stop, because without one of them it cannot be brought to a consistent state.

/** "16/B374D848" as one number. */
export function parseLsn(text: string): bigint {
  const match = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(text);
  if (match === null) throw new RangeError(`not a log position: ${text}`);
  return (BigInt(`0x${match[1]}`) << 32n) + BigInt(`0x${match[2]}`);
}

/** Segment file names from the one holding start to the one holding the last byte before stop. */
export function segmentNames(timeline: number, start: string, stop: string, segmentBytes: number): string[] {
  const size = BigInt(segmentBytes);
  const perLog = 0x1_0000_0000n / size;
  const first = parseLsn(start) / size;
  const last = (parseLsn(stop) - 1n) / size;
  if (last < first) throw new RangeError(`log position ${stop} lies before ${start}`);
  const hex = (value: bigint) => value.toString(16).toUpperCase().padStart(8, '0');
  const names: string[] = [];
  for (let segment = first; segment <= last; segment++) {
    names.push(`${hex(BigInt(timeline))}${hex(segment / perLog)}${hex(segment % perLog)}`);
  }
  return names;
}
