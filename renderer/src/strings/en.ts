/** Every text of the window in English. Plain, short, sentence case. */
import { chat } from './en/chat.ts';
import { chats } from './en/chats.ts';
import { devices } from './en/devices.ts';
import { engine } from './en/engine.ts';
import { frame } from './en/frame.ts';
import { settings } from './en/settings.ts';

export const en = {
  ...frame,
  ...chats,
  ...chat,
  ...engine,
  ...settings,
  ...devices,
};
