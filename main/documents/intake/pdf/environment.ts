/**
 * What PDF.js expects of a browser and Node has not, or not under that name. It must be imported before PDF.js.
 * Node 16 of Electron 22 lacks several that later versions have; drawing is never used, so its classes are empty.
 */
import { Blob } from 'node:buffer';
import { ReadableStream } from 'node:stream/web';
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';

class Nothing {}

function provide(name: string, make: () => unknown): void {
  if (name in globalThis) return;
  Object.defineProperty(globalThis, name, { value: make(), configurable: true, writable: true });
}

provide('DOMMatrix', () => Nothing);
provide('ImageData', () => Nothing);
provide('Path2D', () => Nothing);
provide('Blob', () => Blob);
provide('ReadableStream', () => ReadableStream);
provide('DOMException', () => {
  const twice = new ArrayBuffer(0);
  try {
    new MessageChannel().port1.postMessage(null, [twice, twice]);
  } catch (error) {
    return (error as Error).constructor;
  }
  return Error;
});
provide('structuredClone', () => (value: unknown, options?: { transfer?: ArrayBuffer[] }) => {
  const { port1, port2 } = new MessageChannel();
  try {
    port1.postMessage(value, options?.transfer ?? []);
    return (receiveMessageOnPort(port2) as { message: unknown }).message;
  } finally {
    port1.close();
  }
});
