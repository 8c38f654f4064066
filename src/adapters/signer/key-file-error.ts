// What can go wrong with the key file and its passphrase, as one closed set of codes. The rule: a message says what to do,
// and never holds a secret; errors of libraries are not passed on, since some of them repeat what they were given.

export type KeyFileErrorCode =
  | 'file_missing'
  | 'file_unusable'
  | 'readable_by_others'
  | 'damaged'
  | 'unsupported_version'
  | 'bad_parameters'
  | 'passphrase_missing'
  | 'passphrase_too_short'
  | 'wrong_passphrase'
  | 'key_missing'
  | 'key_exists'
  | 'bad_name'
  | 'bad_secret'
  | 'busy';

export class KeyFileError extends Error {
  override readonly name = 'KeyFileError';
  readonly code: KeyFileErrorCode;

  constructor(code: KeyFileErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
