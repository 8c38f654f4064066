// A file that ends too early. Its last record may be incomplete, and a complete file would not match it later, so nothing of it is
// imported.
import { UnreadableStatement } from '../../../ports/statements.ts';

/** `missing`: what a complete file has, as a part of a sentence. */
export function cutOffStatement(missing: string): UnreadableStatement {
  return new UnreadableStatement(
    `The file ends too early: ${missing}. Download it again and import the complete file. Nothing was imported.`,
  );
}
