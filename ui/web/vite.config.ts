import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

const kurogo = process.env.DEV_TARGET ?? 'http://127.0.0.1:9696';

// The names carry no hash: the server answers with ETags, and a diff of ui/dist
// shows what changed instead of what was renamed.
export default defineConfig({
  plugins: [react()],
  build: {
    outDir: process.env.OUT_DIR ?? '../dist',
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        entryFileNames: 'assets/[name].js',
        chunkFileNames: 'assets/[name].js',
        assetFileNames: 'assets/[name][extname]',
      },
    },
  },
  server: {
    proxy: { '/api': kurogo, '/login': kurogo, '/ws': { target: kurogo, ws: true } },
  },
  test: { environment: 'jsdom', include: ['src/**/*.test.{ts,tsx}'], restoreMocks: true },
});
