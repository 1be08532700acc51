/** A page's pictures, put together to one picture in shades of grey, as it would be printed. */
import { OPS, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** One byte for each pixel, rows from the top, 0 is black. */
export interface Picture {
  width: number;
  height: number;
  pixels: Uint8Array;
}

/** From an image's unit square, or a page, to pixels: x' = a x + c y + e, y' = b x + d y + f. */
type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** What PDF.js gives for a picture. */
interface ImageData {
  width: number;
  height: number;
  data: Uint8Array | Uint8ClampedArray | string;
  /** Of ImageKind; a mask has none. */
  kind?: number;
}
interface Placed {
  image: ImageData;
  isMask: boolean;
  place: Matrix;
}

const POINTS_PER_INCH = 72;
const LEAST_DPI = 150;
const MOST_DPI = 300;
const MOST_PIXELS = 40_000_000;
const KIND_1_BIT = 1;
const KIND_RGB = 2;
const WHITE = 255;

/** Undefined where the page has no picture that could be read. The page must be of a document that decodes pictures. */
export async function pictureOf(page: PDFPageProxy): Promise<Picture | undefined> {
  const unscaled = page.getViewport({ scale: 1 });
  const placed = await placedImages(page, unscaled.transform as unknown as Matrix);
  if (placed.length === 0) return undefined;
  // As fine as the finest picture, since blurring it would cost letters.
  const finest = Math.max(
    ...placed.map(({ image, place }) => image.width / Math.max(1, Math.hypot(place[0], place[1]))),
  );
  const dpi = Math.min(Math.max(finest * POINTS_PER_INCH, LEAST_DPI), MOST_DPI);
  const fits = Math.sqrt(MOST_PIXELS / Math.max(1, unscaled.width * unscaled.height));
  const scale = Math.min(dpi / POINTS_PER_INCH, fits);
  const [width, height] = [Math.ceil(unscaled.width * scale), Math.ceil(unscaled.height * scale)];
  const picture: Picture = { width, height, pixels: new Uint8Array(width * height).fill(WHITE) };
  for (const { image, isMask, place } of placed) {
    draw(picture, image, isMask, place.map((value) => value * scale) as unknown as Matrix);
  }
  return picture;
}

/** The pictures that a page draws and where, in the order in which they cover each other. */
async function placedImages(page: PDFPageProxy, start: Matrix): Promise<Placed[]> {
  const { fnArray, argsArray } = await page.getOperatorList();
  const placed: Placed[] = [];
  const saved: Matrix[] = [];
  let place = start;
  for (const [i, operation] of fnArray.entries()) {
    const values = (argsArray[i] ?? []) as unknown[];
    if (operation === OPS.save) saved.push(place);
    else if (operation === OPS.restore || operation === OPS.paintFormXObjectEnd) place = saved.pop() ?? start;
    else if (operation === OPS.transform) place = multiply(place, values as unknown as Matrix);
    else if (operation === OPS.paintFormXObjectBegin) {
      saved.push(place);
      if (values[0]) place = multiply(place, values[0] as Matrix);
    } else {
      const isMask = operation === OPS.paintImageMaskXObject;
      const isImage = operation === OPS.paintImageXObject || operation === OPS.paintInlineImageXObject;
      if (!isMask && !isImage) continue;
      const image = await loaded(page, values[0] as ImageData | string);
      if (image) placed.push({ image, isMask, place });
    }
  }
  return placed;
}

/** A picture is given itself or by a name; PDF.js decodes it meanwhile. */
async function loaded(page: PDFPageProxy, given: ImageData | string): Promise<ImageData | undefined> {
  const named = (name: string) =>
    new Promise<ImageData | null>((resolve) =>
      (name.startsWith('g_') ? page.commonObjs : page.objs).get(name, (data: ImageData | null) => resolve(data)),
    );
  const image = typeof given === 'string' ? await named(given) : given;
  if (typeof image?.data !== 'string') return image?.data ? image : undefined;
  const data = await named(image.data);
  return data?.data ? { ...data, width: image.width, height: image.height } : undefined;
}

/** Draws a picture whose unit square lies at `place`, in pixels. */
function draw(target: Picture, image: ImageData, isMask: boolean, place: Matrix): void {
  const [a, b, c, d, e, f] = place;
  const determinant = a * d - b * c;
  if (determinant === 0) return;
  const [xs, ys] = [
    [e, e + a, e + c, e + a + c],
    [f, f + b, f + d, f + b + d],
  ];
  const [left, right] = [Math.max(0, Math.floor(Math.min(...xs))), Math.min(target.width, Math.ceil(Math.max(...xs)))];
  const [top, bottom] = [Math.max(0, Math.floor(Math.min(...ys))), Math.min(target.height, Math.ceil(Math.max(...ys)))];
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const [dx, dy] = [x + 0.5 - e, y + 0.5 - f];
      const column = Math.floor(((d * dx - c * dy) / determinant) * image.width);
      const row = Math.floor((1 - (a * dy - b * dx) / determinant) * image.height);
      if (column < 0 || row < 0 || column >= image.width || row >= image.height) continue;
      const shade = shadeOf(image, isMask, column, row);
      if (shade !== undefined) target.pixels[y * target.width + x] = shade;
    }
  }
}

/** Undefined where a mask lets through what is below it. */
function shadeOf({ data, width, kind }: ImageData, isMask: boolean, column: number, row: number): number | undefined {
  if (typeof data === 'string') return undefined;
  if (isMask || kind === KIND_1_BIT) {
    const bit = ((data[row * ((width + 7) >> 3) + (column >> 3)] ?? 0) >> (7 - (column & 7))) & 1;
    if (isMask) return bit === 0 ? 0 : undefined;
    return bit * WHITE;
  }
  const bytes = kind === KIND_RGB ? 3 : 4;
  const at = (row * width + column) * bytes;
  const shade = (data[at] ?? 0) * 0.299 + (data[at + 1] ?? 0) * 0.587 + (data[at + 2] ?? 0) * 0.114;
  const opacity = bytes === 4 ? (data[at + 3] ?? WHITE) / WHITE : 1;
  return Math.round(shade * opacity + WHITE * (1 - opacity));
}

/** First `inner`, then `outer`. */
function multiply([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix {
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}
