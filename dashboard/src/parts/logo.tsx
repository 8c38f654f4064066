// A slip road: one lane, and the lane that joins it.
export function Logo({ size = 24 }: { readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 32 32"
      fill="none"
      stroke="currentColor"
      strokeWidth={4}
      strokeLinecap="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d="M9 28c0-12 14-12 14-24" />
      <path d="M23 28v-7" />
    </svg>
  );
}
