// The error for a statement file that ends too early. Its last record may be incomplete, and the complete file would not match
// this record later. So nothing of such a file is imported.
import { UnreadableStatement } from '../../../ports/statements.ts';

/** `missing` names what a complete file has, as a part of a sentence. */
export function cutOffStatement(missing: string): UnreadableStatement {
  return new UnreadableStatement(
    `The file ends too early: ${missing}. Download it again and import the complete file. Nothing was imported.`,
  );
}
