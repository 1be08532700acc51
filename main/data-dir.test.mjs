/** Where data goes on each system, and that one variable moves it. */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dataDir } from './data-dir.mjs';

describe('dataDir', () => {
  it('follows SHADOWNPU_HOME everywhere', () => {
    for (const platform of /** @type {const} */ (['linux', 'win32', 'darwin'])) {
      expect(dataDir({ SHADOWNPU_HOME: 'some/模型 dir', XDG_DATA_HOME: '/x' }, platform)).toBe(
        resolve('some/模型 dir'),
      );
    }
  });

  it('follows each system otherwise', () => {
    expect(dataDir({ XDG_DATA_HOME: '/x' }, 'linux')).toBe(join('/x', 'shadownpu'));
    expect(dataDir({}, 'linux')).toBe(join(homedir(), '.local', 'share', 'shadownpu'));
    expect(dataDir({ LOCALAPPDATA: '/local' }, 'win32')).toBe(join('/local', 'ShadowNPU'));
    expect(dataDir({}, 'win32')).toBe(join(homedir(), 'AppData', 'Local', 'ShadowNPU'));
    expect(dataDir({ XDG_DATA_HOME: '/x' }, 'darwin')).toBe(
      join(homedir(), 'Library', 'Application Support', 'ShadowNPU'),
    );
  });

  it('takes empty variables for absent ones', () => {
    expect(dataDir({ SHADOWNPU_HOME: '', XDG_DATA_HOME: '' }, 'linux')).toBe(
      join(homedir(), '.local', 'share', 'shadownpu'),
    );
  });
});
