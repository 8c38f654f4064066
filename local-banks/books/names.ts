// Invents a name for the owner of an account that has none. The same account always gets the same name. The file also has the
// rule of a provider for comparing two names.
import { createHash } from 'node:crypto';

const FIRST = ['Adaeze', 'Bola', 'Chidi', 'Damilola', 'Efe', 'Funke', 'Gambo', 'Halima', 'Ifeoma', 'Jide'];
const MIDDLE = ['Amara', 'Bisi', 'Chioma', 'Dayo', 'Ebere', 'Femi', 'Grace', 'Hauwa', 'Ibrahim', 'Joy'];
const LAST = ['Okafor', 'Balogun', 'Eze', 'Adeyemi', 'Danjuma', 'Nwosu', 'Bello', 'Ogunleye', 'Udo', 'Yusuf'];

export function inventName(nip: string, number: string): string {
  const [a = 0, b = 0, c = 0] = createHash('sha256').update(`${nip}/${number}`).digest();
  return `${LAST[a % 10]} ${FIRST[b % 10]} ${MIDDLE[c % 10]}`.toUpperCase();
}

/** Two names are equal if they have the same words in any order and case. Commas and dots are ignored. */
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
