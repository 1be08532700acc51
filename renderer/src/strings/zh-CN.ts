/** Every text of the window in Simplified Chinese. */
import type { Strings } from './en.ts';
import { chat } from './zh-CN/chat.ts';
import { chats } from './zh-CN/chats.ts';
import { compare } from './zh-CN/compare.ts';
import { devices } from './zh-CN/devices.ts';
import { documents } from './zh-CN/documents.ts';
import { engine } from './zh-CN/engine.ts';
import { errors } from './zh-CN/errors.ts';
import { frame } from './zh-CN/frame.ts';
import { models } from './zh-CN/models.ts';
import { pipeline } from './zh-CN/pipeline.ts';
import { resources } from './zh-CN/resources.ts';
import { settings } from './zh-CN/settings.ts';
import { deviceWords } from './zh-CN/words.ts';

export const zhCN: Strings = {
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
