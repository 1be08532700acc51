/** The app around the chats: windows, zoom, and what helps when something went wrong. */
import * as v from 'valibot';
import { ErrorInfo } from './errors.ts';
import { id, nothing } from './fields.ts';

/** What the menu, the tray or another program may have a window do. */
export const WindowCommand = v.picklist(['new-chat', 'settings', 'shortcuts', 'about']);
export type WindowCommand = v.InferOutput<typeof WindowCommand>;

/** A crash as it is kept on this machine. It holds no words of the error's message: those may be anybody's text. */
export const CrashReport = v.object({
  id: v.string(),
  /** Milliseconds since 1970, UTC. */
  time: v.number(),
  process: v.picklist(['main', 'window', 'engine']),
  /** What ended it, in the app's or Electron's own words: "TypeError", "oom", "exit code 139". */
  reason: v.string(),
  /** Where in the app's code, innermost first: "send (main.cjs:120:8)". */
  frames: v.array(v.string()),
  app: v.string(),
});
export type CrashReport = v.InferOutput<typeof CrashReport>;

export const appChannels = {
  'app.new-window': { request: nothing, response: nothing },
  /** Answers with the zoom in percent. All windows share it. */
  'app.zoom': { request: v.object({ change: v.picklist(['in', 'out', 'reset', 'none']) }), response: v.number() },
  /** What helps to find a fault, as text: versions, devices, settings without texts, log lines without words of anybody. */
  'app.diagnostics': { request: nothing, response: v.string() },
  /** Attaches the sample document, in the app's language, to the draft of the chat that does not exist yet. */
  'app.attach-sample': { request: nothing, response: nothing },
  /** What the first window is to say about the start; null afterwards. */
  'app.start-notice': { request: nothing, response: v.nullable(ErrorInfo) },
  'app.open-logs': { request: nothing, response: nothing },
  'crashes.list': { request: nothing, response: v.array(CrashReport) },
  /** Removes all of them, memory dumps included. */
  'crashes.remove': { request: nothing, response: nothing },
  /** The window caught an error of its own. */
  'crashes.report': {
    request: v.object({
      name: v.pipe(v.string(), v.maxLength(100)),
      stack: v.pipe(v.string(), v.maxLength(20_000)),
    }),
    response: nothing,
  },
} as const;
export type AppChannel = keyof typeof appChannels;

export const appEvents = [
  v.object({ type: v.literal('command'), command: WindowCommand }),
  /** Another program had the app open files: the screen that has them, the first document, or what went wrong. */
  v.object({
    type: v.literal('opened'),
    view: v.picklist(['documents', 'models']),
    documentId: v.optional(id),
    error: v.optional(ErrorInfo),
  }),
] as const;
