// Owners of accounts without a given name: an invented one, always the same for the same account. And the provider's rule for
// comparing two names.
import { createHash } from 'node:crypto';

const FIRST = ['Adaeze', 'Bola', 'Chidi', 'Damilola', 'Efe', 'Funke', 'Gambo', 'Halima', 'Ifeoma', 'Jide'];
const MIDDLE = ['Amara', 'Bisi', 'Chioma', 'Dayo', 'Ebere', 'Femi', 'Grace', 'Hauwa', 'Ibrahim', 'Joy'];
const LAST = ['Okafor', 'Balogun', 'Eze', 'Adeyemi', 'Danjuma', 'Nwosu', 'Bello', 'Ogunleye', 'Udo', 'Yusuf'];

export function inventName(nip: string, number: string): string {
  const [a = 0, b = 0, c = 0] = createHash('sha256').update(`${nip}/${number}`).digest();
  return `${LAST[a % 10]} ${FIRST[b % 10]} ${MIDDLE[c % 10]}`.toUpperCase();
}

/** The same words in any order and case; commas and dots do not count. */
export function isSameName(one: string, other: string): boolean {
  return sortedWordsOf(one) === sortedWordsOf(other);
}

function sortedWordsOf(name: string): string {
  return name
    .toUpperCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .toSorted()
    .join(' ');
}
