// The icons. All have the same stroke width, a grid of 24 units, and the colour of the text. A text is always next to an icon,
// so screen readers skip the icon.
const PATHS = {
  home: 'M4 11l8-7 8 7v8a1 1 0 0 1-1 1h-4v-6H9v6H5a1 1 0 0 1-1-1z',
  rocket: 'M5 15l-1 5 5-1M14 4c3-1 6 0 6 0s1 3 0 6l-7 7-6-6zM15 9h.01',
  list: 'M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01',
  key: 'M14 10a4 4 0 1 1-8 0 4 4 0 0 1 8 0zM13 13l7 7M17 17l2-2',
  webhook: 'M7 17a3 3 0 1 1-2-3M9 8a3 3 0 1 1 5 2l3 6M14 18H7l4-8M17 16a3 3 0 1 1-2 4',
  log: 'M5 4h14v16H5zM8 8h8M8 12h8M8 16h5',
  wallet: 'M4 7a2 2 0 0 1 2-2h11v3M4 7v10a2 2 0 0 0 2 2h14V8H6a2 2 0 0 1-2-1zM16 13h.01',
  team: 'M12 8a3 3 0 1 1-6 0 3 3 0 0 1 6 0zM3 20a6 6 0 0 1 12 0M16 5a3 3 0 0 1 0 6M18 14a6 6 0 0 1 3 6',
  book: 'M5 4h11a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3zM5 17a3 3 0 0 1 3-3h11',
  bell: 'M6 16V11a6 6 0 0 1 12 0v5l2 2H4zM10 21h4',
  review: 'M10 17a7 7 0 1 1 0-14 7 7 0 0 1 0 14zM15 15l6 6M7 10l2 2 4-4',
  proposal: 'M4 5h16v11H9l-5 4zM8 9h8M8 12h5',
  case: 'M4 8h16v11H4zM9 8V5h6v3M4 13h16',
  bank: 'M4 10l8-6 8 6zM5 20h14M7 10v7M12 10v7M17 10v7',
  building: 'M5 20V4h9v16M14 9h5v11M3 20h18M8 8h3M8 12h3M8 16h3',
  treasury: 'M4 6h16v12H4zM15 12a3 3 0 1 1-6 0 3 3 0 0 1 6 0zM4 9h2M18 15h2',
  rates: 'M4 18l5-6 4 3 7-9M15 6h5v5',
  ledger: 'M4 5h16M4 12h16M4 19h16M12 5v14',
  audit: 'M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6zM9 12l2 2 4-4',
  stop: 'M9 4v16M15 4v16',
  search: 'M10 17a7 7 0 1 1 0-14 7 7 0 0 1 0 14zM15 15l6 6',
  menu: 'M4 7h16M4 12h16M4 17h16',
  chevron: 'M9 6l6 6-6 6',
  down: 'M6 9l6 6 6-6',
  copy: 'M9 9h11v11H9zM15 9V4H4v11h5',
  check: 'M5 12l5 5 9-10',
  cross: 'M6 6l12 12M18 6L6 18',
  dots: 'M5.5 12a.5.5 0 1 1-1 0 .5.5 0 0 1 1 0zM12.5 12a.5.5 0 1 1-1 0 .5.5 0 0 1 1 0zM19.5 12a.5.5 0 1 1-1 0 .5.5 0 0 1 1 0z',
  plus: 'M12 5v14M5 12h14',
  warning: 'M12 4l9 16H3zM12 10v4M12 17h.01',
  info: 'M12 21a9 9 0 1 1 0-18 9 9 0 0 1 0 18zM12 11v5M12 8h.01',
  refresh: 'M20 12a8 8 0 1 1-2-5l2 2M20 4v5h-5',
  play: 'M7 5l12 7-12 7z',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  shield: 'M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6z',
  sun: 'M12 16a4 4 0 1 1 0-8 4 4 0 0 1 0 8zM12 3v1M12 20v1M3 12h1M20 12h1M6 6l.7.7M17.3 17.3l.7.7M6 18l.7-.7M17.3 6.7L18 6',
  moon: 'M20 14A8 8 0 1 1 10 4a7 7 0 0 0 10 10z',
  exit: 'M14 5H5v14h9M10 12h11M17 8l4 4-4 4',
  mail: 'M4 6h16v12H4zM4 7l8 6 8-6',
  filter: 'M4 5h16l-6 8v6l-4-2v-4z',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10 11v5M14 11v5',
  edit: 'M5 19l1-4L16 5l3 3L9 18zM14 7l3 3',
  link: 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1',
  swap: 'M7 4L3 8l4 4M3 8h14M17 12l4 4-4 4M21 16H7',
  passkey: 'M13 8a4 4 0 1 1-8 0 4 4 0 0 1 8 0zM3 20a6 6 0 0 1 11-3M20 12a2.5 2.5 0 1 1-4 2l1 7 2-2-1-2 1-1',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 18 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}

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
