/** Float16 to number, by table: scales of quantised blocks and F16 tensors are full of them. */

let halfTable: Float32Array | undefined;

/** The value of a float16, given its 16 bits. */
export function halfToFloat(bits: number): number {
  halfTable ??= makeHalfTable();
  return halfTable[bits] as number;
}

function makeHalfTable(): Float32Array {
  return Float32Array.from({ length: 65536 }, (_, bits) => {
    const sign = bits & 0x8000 ? -1 : 1;
    const exponent = (bits >> 10) & 31;
    const fraction = bits & 1023;
    if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
    return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1024 + fraction) * 2 ** (exponent - 25);
  });
}
