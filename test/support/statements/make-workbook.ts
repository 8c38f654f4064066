// Makes Excel workbooks for tests: a ZIP archive with the parts that a test gives.
import { crc32, deflateRawSync } from 'node:zlib';

export interface WorkbookSheet {
  readonly name: string;
  /** The XML of the rows. */
  readonly rows: string;
  readonly state?: 'hidden';
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** Style 1 is a date, style 2 has thousands commas. `more`: further parts, or parts that replace the usual ones. */
export function makeWorkbook(
  sheets: readonly WorkbookSheet[],
  more: Readonly<Record<string, string>> = {},
  is1904 = false,
): Buffer {
  const listed = sheets.map(
    ({ name, state }, at) =>
      `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"${state === undefined ? '' : ` state="${state}"`}/>`,
  );
  const related = sheets.map(
    (_, at) => `<Relationship Id="rId${at + 1}" Target="worksheets/sheet${at + 1}.xml"/>`,
  );
  const parts = new Map<string, string>([
    [
      'xl/workbook.xml',
      `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><workbookPr date1904="${is1904 ? 1 : 0}"/><sheets>${listed.join('')}</sheets></workbook>`,
    ],
    ['xl/_rels/workbook.xml.rels', `<Relationships xmlns="x">${related.join('')}</Relationships>`],
    [
      'xl/styles.xml',
      `<styleSheet xmlns="${MAIN}"><numFmts><numFmt numFmtId="164" formatCode="&quot;d&quot;#,##0.00"/></numFmts>` +
        '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs></styleSheet>',
    ],
    ...sheets.map(
      ({ rows }, at) =>
        [
          `xl/worksheets/sheet${at + 1}.xml`,
          `<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`,
        ] as const,
    ),
    ...Object.entries(more),
  ]);
  return zipParts([...parts].map(([name, text]) => ({ name, bytes: Buffer.from(HEAD + text) })));
}

/** A row of cells: texts, numbers, `date:45962`, or XML of a cell. */
export function sheetRow(line: number, cells: readonly (string | number)[]): string {
  const xml = cells.map((cell, at) => {
    const place = `r="${String.fromCharCode(65 + at)}${line}"`;
    if (typeof cell === 'number') return `<c ${place} s="2"><v>${cell}</v></c>`;
    if (cell.startsWith('<')) return cell;
    if (cell.startsWith('date:')) return `<c ${place} s="1"><v>${cell.slice(5)}</v></c>`;
    return cell === '' ? '' : `<c ${place} t="inlineStr"><is><t>${cell}</t></is></c>`;
  });
  return `<row r="${line}">${xml.join('')}</row>`;
}

export interface ZipPart {
  readonly name: string;
  readonly bytes: Buffer;
  /** What the directory states instead of the true size. */
  readonly statedBytes?: number;
  readonly flags?: number;
}

export function zipParts(parts: readonly ZipPart[]): Buffer {
  const bodies: Buffer[] = [];
  const entries: Buffer[] = [];
  let at = 0;
  for (const { name, bytes, statedBytes = bytes.length, flags = 0 } of parts) {
    const packed = deflateRawSync(bytes);
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(flags, 2);
    facts.writeUInt16LE(8, 4);
    facts.writeUInt32LE(crc32(bytes), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(statedBytes, 18);
    facts.writeUInt16LE(name.length, 22);
    const body = Buffer.concat([Buffer.from('PK\u0003\u0004'), facts, Buffer.from(name), packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(at, 10);
    entries.push(Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0000'), facts, rest, Buffer.from(name)]));
    bodies.push(body);
    at += body.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(parts.length, 4);
  end.writeUInt16LE(parts.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...bodies, directory, Buffer.from('PK\u0005\u0006'), end]);
}
