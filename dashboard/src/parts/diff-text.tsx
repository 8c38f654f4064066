// Two texts beside each other, with what differs marked character by character.

import styles from './diff-text.module.css';
import { differences } from './differences.ts';

/** Marks in `text` what `other` does not have in the same order. */
export function DiffText({ text, other }: { readonly text: string; readonly other: string }) {
  return (
    <span className={styles.text}>
      {differences(text, other).map(({ part, same }, index) =>
        same ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text have no other name
          <span key={index}>{part}</span>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text have no other name
          <mark key={index} className={styles.differs}>
            {part}
          </mark>
        ),
      )}
    </span>
  );
}
