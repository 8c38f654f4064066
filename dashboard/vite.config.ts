// Defines how the dashboard is built: static files under /app/ that the service reads from dist when it starts. All scripts and
// styles stay separate files, so that the content security policy of the page needs no exception.
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
    // The project limits the compressed size of the files, and `npm run check` measures it.
    chunkSizeWarningLimit: 1_000,
  },
});
