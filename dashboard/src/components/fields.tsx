// Fields about a person that several forms use. They have the attributes for the autofill of the browser.
import { PasswordInput, type PasswordInputProps, TextInput, type TextInputProps } from '@mantine/core';

export function EmailField(props: TextInputProps) {
  return (
    <TextInput
      type="email"
      label="E-mail address"
      autoComplete="username"
      maxLength={254}
      required
      {...props}
    />
  );
}

export function CodeField(props: TextInputProps) {
  return (
    <TextInput
      label="Code from your authenticator"
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={10}
      required
      {...props}
    />
  );
}

export function PasskeyNameField(props: TextInputProps) {
  return (
    <TextInput
      label="Passkey name"
      description="Helps you tell your passkeys apart."
      placeholder="Work laptop"
      maxLength={60}
      required
      {...props}
    />
  );
}

export function NewPasswordField(props: PasswordInputProps) {
  return (
    <PasswordInput
      label="Password"
      description="At least 12 characters. A phrase of several words is easy to remember."
      autoComplete="new-password"
      minLength={12}
      maxLength={128}
      visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the new password' }}
      required
      withAsterisk={false}
      {...props}
    />
  );
}
