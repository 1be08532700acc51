/**
 * Draws an SVG file at several sizes, as PNG. Runs as an app of Electron, whose Chromium draws it:
 * `electron icon-page.cjs SVG FOLDER SIZE...` writes FOLDER/<size>x<size>.png.
 */
const { readFileSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { app, BrowserWindow } = require('electron');

const [svg = '', folder = '', ...sizes] = process.argv.slice(process.argv.indexOf(__filename) + 1);

app
  .whenReady()
  .then(draw)
  .then(
    () => app.exit(0),
    (error) => {
      console.error(error);
      app.exit(1);
    },
  );

async function draw() {
  const page = new BrowserWindow({ show: false }).webContents;
  await page.loadURL('about:blank');
  const source = `data:image/svg+xml;base64,${readFileSync(svg).toString('base64')}`;
  for (const size of sizes) {
    const png = await page.executeJavaScript(`(async () => {
      const image = new Image();
      image.src = ${JSON.stringify(source)};
      await image.decode();
      const canvas = document.createElement('canvas');
      canvas.width = canvas.height = ${Number(size)};
      canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
      return canvas.toDataURL('image/png').split(',')[1];
    })()`);
    writeFileSync(path.join(folder, `${size}x${size}.png`), Buffer.from(png, 'base64'));
  }
}
