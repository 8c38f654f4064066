// The key file of stored secrets, for the commands that make and replace its keys.
import { addSecretsKey, dropOldSecretsKeys, openSecretBox } from '../../adapters/secrets/key-file.ts';

export const secretsDesk = {
  make: async (file: string): Promise<void> => {
    await openSecretBox(file, true);
  },
  addKey: addSecretsKey,
  dropOldKeys: dropOldSecretsKeys,
};
