/** Builds the window's page into dist/renderer, for Chromium 108 and newer. Called with `vite build renderer`. */
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const chrome = 108;

/** KaTeX names its fonts in three formats for browsers of all ages; Chromium takes the first. */
const oneFontFormat: Plugin = {
  name: 'one-font-format',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('/katex.min.css')) return undefined;
    return code.replace(/,url\([^)]*\) ?format\("(?:woff|truetype)"\)/g, '');
  },
};

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react(), oneFontFormat],
  css: {
    // Lightning CSS also turns light-dark() into custom properties that Chromium 108 knows.
    transformer: 'lightningcss',
    lightningcss: { targets: { chrome: chrome << 16 } },
  },
  build: {
    target: `chrome${chrome}`,
    cssTarget: `chrome${chrome}`,
    outDir: '../dist/renderer',
    emptyOutDir: true,
    // The page is read from disk: preloading gains nothing, and the polyfill would fetch, which the CSP forbids.
    modulePreload: false,
    // An asset as a data: URL would be stopped by font-src; everything stays a file.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1500,
  },
});
