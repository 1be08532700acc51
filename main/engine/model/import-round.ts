/** Rounds a float matrix to 8-bit blocks, for the head of the fast flavour where the file stores it as floats. */
import type { Matrix } from './import-source.ts';

const BLOCK = 32;

/** The matrix itself where it is stored in blocks or cannot be cut into them; else the same with its values rounded. */
export function asBlocks(matrix: Matrix): Matrix {
  const { cols } = matrix;
  if (matrix.blocks !== null || cols % BLOCK !== 0) return matrix;
  return {
    ...matrix,
    blocks: { size: BLOCK, affine: false },
    async blockRows(first, count) {
      const values = await matrix.floatRows(first, count);
      const q = new Uint8Array(values.length);
      const scale = new Float32Array(values.length / BLOCK);
      for (let b = 0; b < scale.length; b++) {
        const block = values.subarray(b * BLOCK, (b + 1) * BLOCK);
        const max = block.reduce((m, v) => Math.max(m, Math.abs(v)), 0);
        scale[b] = max / 127;
        const inverse = max === 0 ? 0 : 127 / max;
        block.forEach((v, i) => {
          q[b * BLOCK + i] = Math.round(v * inverse) + 128;
        });
      }
      return { blockSize: BLOCK, q, scale, add: null };
    },
  };
}
