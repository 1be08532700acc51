import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import type { OcrLanguage } from '../../../../contract/documents.ts';
import { pdf } from '../../testing/pdfs.ts';
import { readDocument, temporaryFolder } from '../../testing/read.ts';

const folder = temporaryFolder();
const data = join(folder, 'data');
const LIMIT = { timeout: 300_000 };
const ENGLISH =
  'The committee met on 14 March and agreed on three points.\n\nCosts rise by 4 percent; the library stays open.';
const CHINESE = '委员会于三月召开会议，讨论了图书馆的开放时间。\n\n费用将增加百分之四。';

/** Pictures of text: rendered by poppler at 200 dots per inch from text set in Times and in Droid Sans Fallback. */
const scan = (name: string) => readFileSync(join(__dirname, '..', '..', 'testing', 'scans', `${name}.png`));

beforeAll(() => {
  mkdirSync(data);
  for (const language of ['eng', 'chi_sim']) {
    const packed = createRequire(__filename).resolve(
      `@tesseract.js-data/${language}/4.0.0_best_int/${language}.traineddata.gz`,
    );
    writeFileSync(join(data, `${language}.traineddata`), gunzipSync(readFileSync(packed)));
  }
});

async function read(name: string, bytes: Buffer, languages: OcrLanguage[], from = data) {
  const file = join(folder, name);
  writeFileSync(file, bytes);
  return readDocument(file, undefined, { languages, folder: from });
}

describe('scanned pages', () => {
  it('have their text recognised where it is asked for, others keep theirs', LIMIT, async () => {
    const bytes = await pdf((document) => {
      document.image(scan('eng'), 40, 60, { width: 500 });
      document.addPage().text('Text that is there');
      document.addPage();
    });
    const { pages } = await read('mixed.pdf', bytes, ['eng']);
    expect(pages).toEqual([
      { number: 1, text: ENGLISH, recognised: true },
      { number: 2, text: 'Text that is there' },
      { number: 3, text: '' },
    ]);
  });

  it('are read in Chinese, without spaces between characters', LIMIT, async () => {
    const bytes = await pdf((document) => document.image(scan('chi'), 40, 60, { width: 500 }));
    const [page] = (await read('chinese.pdf', bytes, ['chi_sim'])).pages;
    expect(page?.text.replaceAll('\n\n', '\n')).toBe(CHINESE.replaceAll('\n\n', '\n'));
  });

  it('may be turned, or in strips', LIMIT, async () => {
    const turned = await pdf(
      (document) => {
        document.rotate(90, { origin: [0, 0] }).image(scan('eng'), 60, -560, { width: 500 });
      },
      { size: 'A4' },
    );
    // The page itself is turned back.
    const upright = Buffer.from(
      turned.toString('latin1').replace('/Type /Page\n', '/Type /Page\n/Rotate 270\n'),
      'latin1',
    );
    expect((await read('turned.pdf', upright, ['eng'])).pages[0]?.text).toBe(ENGLISH);
    const strips = await pdf((document) => {
      for (const [top, height] of [
        [0, 40],
        [40, 91],
      ] as const) {
        document
          .save()
          .rect(40, 60 + top, 500, height)
          .clip();
        document.image(scan('eng'), 40, 60, { width: 500 }).restore();
      }
    });
    expect((await read('strips.pdf', strips, ['eng'])).pages[0]?.text).toBe(ENGLISH);
  });

  it('without words stay scanned; missing data is an error that says so', LIMIT, async () => {
    const bytes = await pdf((document) => document.image(scan('eng'), 40, 60, { width: 4 }));
    expect((await read('tiny.pdf', bytes, ['eng'])).pages).toEqual([{ number: 1, text: '', problem: 'scanned' }]);
    await expect(read('no data.pdf', bytes, ['eng'], join(folder, 'nowhere'))).rejects.toMatchObject({
      kind: 'document-unsupported',
      message: expect.stringContaining('eng'),
    });
  });
});
