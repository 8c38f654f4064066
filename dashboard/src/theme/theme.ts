// The theme. Green is for the brand and the primary action, and everything else is grey. The colours of states are in
// tokens.css. Font sizes are 12, 14, 16, 20 and 28, weights are 400, 500 and 600, and spacing is in multiples of 4.
import { createTheme, type MantineColorsTuple } from '@mantine/core';

const road: MantineColorsTuple = [
  '#ecf7f1',
  '#d5ece0',
  '#a9d8c0',
  '#78c29d',
  '#4fae80',
  '#2f9567',
  '#178055',
  '#0b6b45',
  '#08583a',
  '#04422b',
];

/** Shades 6 and 7 are dark enough for white text on a button. */
const red: MantineColorsTuple = [
  '#fdf1f0',
  '#fbe0de',
  '#f5bbb6',
  '#ee938b',
  '#e56d63',
  '#d64a3f',
  '#c4362b',
  '#b3261e',
  '#951c15',
  '#74130e',
];

const ink: MantineColorsTuple = [
  '#f6f8f9',
  '#eaeef0',
  '#d6dcdf',
  '#b9c2c7',
  '#95a0a7',
  '#6f7b82',
  '#566168',
  '#414b51',
  '#2b3338',
  '#1a2024',
];

const dark: MantineColorsTuple = [
  '#e2e7e9',
  '#bcc5c9',
  '#9ba6ab',
  '#6a757b',
  '#475157',
  '#323b40',
  '#232a2e',
  '#1a2023',
  '#14191c',
  '#0e1214',
];

export const theme = createTheme({
  primaryColor: 'road',
  primaryShade: { light: 7, dark: 6 },
  autoContrast: true,
  luminanceThreshold: 0.32,
  colors: { road, red, gray: ink, dark },
  fontFamily: "'Inter Variable', system-ui, -apple-system, 'Segoe UI', sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', 'DejaVu Sans Mono', Menlo, monospace",
  fontSizes: { xs: '0.75rem', sm: '0.875rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.5', lg: '1.5', xl: '1.4' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.25rem', lineHeight: '1.4' },
      h2: { fontSize: '1rem', lineHeight: '1.5' },
      h3: { fontSize: '0.875rem', lineHeight: '1.5' },
    },
  },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  radius: { xs: '3px', sm: '5px', md: '8px', lg: '12px', xl: '16px' },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: 'sm' } },
    Modal: {
      defaultProps: {
        ...{ centered: true, radius: 'md', overlayProps: { backgroundOpacity: 0.45 } },
        closeButtonProps: { 'aria-label': 'Close' },
      },
      styles: { title: { fontSize: '1rem', fontWeight: 600 } },
    },
    Tooltip: { defaultProps: { openDelay: 200, withArrow: true } },
  },
});
