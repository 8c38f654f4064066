// How the dashboard is built: static files under /app/, that the service reads from dist at its start. Nothing is inlined into
// the page, so that its content security policy needs no exception.
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  base: '/app/',
  plugins: [react()],
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    manifest: true,
    // The budget is for what is sent, compressed: `npm run check` measures it.
    chunkSizeWarningLimit: 1_000,
  },
});
