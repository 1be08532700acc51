/** JSON columns. */

/** What a column holds of a value that may be absent. */
export function toJson(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

/** The value of a JSON text, or undefined where it is none: a column that another version or a bad disk wrote. */
export function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
