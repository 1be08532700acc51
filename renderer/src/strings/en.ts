/** Every text of the window in English. Plain, short, sentence case. */
import { chat } from './en/chat.ts';
import { chats } from './en/chats.ts';
import { compare } from './en/compare.ts';
import { devices } from './en/devices.ts';
import { documents } from './en/documents.ts';
import { engine } from './en/engine.ts';
import { errors } from './en/errors.ts';
import { frame } from './en/frame.ts';
import { models } from './en/models.ts';
import { pipeline } from './en/pipeline.ts';
import { resources } from './en/resources.ts';
import { settings } from './en/settings.ts';
import { deviceWords } from './en/words.ts';

export const en = {
  ...frame,
  ...chats,
  ...chat,
  ...engine,
  ...models,
  ...settings,
  ...devices,
  ...documents,
  ...errors,
  ...resources,
  ...pipeline,
  ...compare,
  deviceWords,
};

/** Texts of any language in the shape of `T`. */
type Texts<T> = T extends (...values: infer V) => string
  ? (...values: V) => string
  : T extends string
    ? string
    : T extends object
      ? { readonly [K in keyof T]: Texts<T[K]> }
      : T;

/** Every language has the texts of the English one, and its functions. */
export type Strings = Texts<typeof en>;
