/** Which key press means "send". */

export interface KeyPress {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
  readonly isComposing: boolean;
  /** 229 while an input method has the key, also where isComposing is already false again. */
  readonly keyCode: number;
}

/** Enter alone (or with Ctrl). With Shift or Alt it is a new line; during a conversion it belongs to the input method. */
export function sends({ key, shiftKey, altKey, isComposing, keyCode }: KeyPress): boolean {
  return key === 'Enter' && !shiftKey && !altKey && !isComposing && keyCode !== 229;
}
