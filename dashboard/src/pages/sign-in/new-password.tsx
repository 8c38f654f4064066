// The input of a new password, with its rule.
import { PasswordInput } from '@mantine/core';

interface NewPasswordProps {
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly label?: string;
  readonly size?: 'sm' | 'md';
}

export function NewPassword({ value, onValue, label = 'Password', size = 'md' }: NewPasswordProps) {
  return (
    <PasswordInput
      size={size}
      label={label}
      description="At least 12 characters. A few words in a row are easy to remember."
      value={value}
      onChange={(event) => onValue(event.currentTarget.value)}
      autoComplete="new-password"
      minLength={12}
      maxLength={128}
      visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the new password' }}
      required
      withAsterisk={false}
    />
  );
}
