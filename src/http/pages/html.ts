// The HTML that the pages of the service itself share: escaped text, and the design, with the logo and the colours of the dashboard
// (dashboard/src/theme).

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** The logo must be the same as in dashboard/src/components/icon.tsx. */
export const LOGO = `<svg width="32" height="32" viewBox="0 0 32 32" fill="none" stroke="currentColor" stroke-width="4" stroke-linecap="round"
aria-hidden="true"><path d="M9 28c0-12 14-12 14-24"/><path d="M23 28v-7"/></svg>`;

export const THEME_STYLE = `:root { --text: #1a2024; --quiet: #566168; --page: #f7f9f9; --surface: #ffffff; --panel: #f1f4f5; --line: #dfe5e8;
  --brand: #0b6b45; --button: #0b6b45; --button-over: #08583a; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e8ecee; --quiet: #a3aeb4; --page: #0f1315; --surface: #161b1e; --panel: #1d2428; --line: #2e373c;
    --brand: #5ec695; --button: #178055; --button-over: #0b6b45; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text);
  font: .875rem/1.5 "Inter Variable", Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  -webkit-font-smoothing: antialiased; }
a { color: var(--brand); text-underline-offset: 2px; }
`;
