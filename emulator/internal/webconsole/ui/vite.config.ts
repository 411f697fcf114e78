import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

// The emulator that the development server forwards requests to.
const target = process.env.TABLETOP_URL ?? 'http://127.0.0.1:8000'

// forward keeps the request's path and makes it one of the emulator's own origin, which its guard requires.
const forward = { target, changeOrigin: true, headers: { origin: target } }

export default defineConfig(({ command }) => ({
  base: command === 'serve' ? '/_tabletop/console/' : '/_tabletop/console/assets/',
  plugins: [react()],
  build: {
    outDir: '../assets',
    emptyOutDir: true,
    assetsDir: '',
    assetsInlineLimit: 0,
    target: 'es2023',
    cssTarget: 'chrome123', // keeps light-dark()
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/_tabletop/console/api': forward, '^/_tabletop/(?!console)': forward },
  },
  test: { include: ['src/**/*.test.ts'] },
}))
