// Who is at the keyboard, as commands get it.
import type { PeopleDeps } from '../app/people/people-deps.ts';
import type { SignedIn } from '../app/people/sessions.ts';

export interface Who {
  /** For records: the person's id, or `os:NAME`. */
  readonly actor: string;
  /** Null: no person is signed in on this terminal. */
  readonly signedIn: SignedIn | null;
}

/** Who can be asked for a second factor. */
export interface StepUpper extends Pick<Who, 'signedIn'> {
  readonly people: PeopleDeps;
}
