// Inviting a person by e-mail, to a business or to the operator.
import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { FormDialog } from '../../parts/dialogs.tsx';
import { RoleInput } from './role-input.tsx';
import type { RoleChoice } from './roles.ts';

interface InviteProps<Role extends string> {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** "Kola Trade", "the operator". */
  readonly place: string;
  /** Of the list that it is in then. */
  readonly path: string;
  readonly send: (body: { readonly email: string; readonly role: Role }) => Promise<unknown>;
  readonly roles: readonly RoleChoice<Role>[];
  readonly first: Role;
}

export function Invite<Role extends string>({
  opened,
  onClose,
  place,
  path,
  send,
  roles,
  first,
}: InviteProps<Role>) {
  const form = useForm({ initialValues: { email: '', role: first } });
  const { role } = form.values;
  const email = form.values.email.trim();
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={`Invite person to ${place}`}
      confirm="Invite person"
      form={form}
      run={() => send({ email, role })}
      refreshes={[path]}
      done={`${email} is invited. The link goes there by mail and works for 7 days.`}
    >
      <TextInput
        {...form.getInputProps('email')}
        type="email"
        label="E-mail address"
        maxLength={254}
        required
        data-autofocus
      />
      <RoleInput roles={roles} value={role} onValue={(given) => form.setValues({ role: given })} />
    </FormDialog>
  );
}
