/** Every text of the window, in the language of now. Read while rendering, never kept: the language can change. */
import { en } from './strings/en.ts';

export { deviceWords } from './strings/device-words.ts';

export const strings = en;
