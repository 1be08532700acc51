/** Code as lines of pieces. */

/** A run of characters with the class of its colour, where it has one. */
export interface Piece {
  readonly text: string;
  readonly className?: string;
}

export function plainLines(code: string): Piece[][] {
  return code.split('\n').map((text) => [{ text }]);
}
