import { describe, expect, it } from 'vitest';
import { isDownloadAddress } from '../../contract/addresses.ts';
import { mayFollow, onMirror } from './addresses.ts';

describe('addresses', () => {
  it.each(['https://huggingface.co/a', 'http://127.0.0.1:8080/a', 'http://localhost/a', 'http://[::1]:9/a'])(
    'like %s are allowed',
    (url) => expect(isDownloadAddress(url)).toBe(true),
  );
  it.each([
    'http://huggingface.co/a',
    'http://127.0.0.1.example.org/a',
    'http://localhost.example.org/',
    'https://user:pass@huggingface.co/a',
    'ftp://huggingface.co/a',
    'file:///etc/passwd',
    'nonsense',
  ])('like %s are not', (url) => expect(isDownloadAddress(url)).toBe(false));

  it('lead from the network never to this machine', () => {
    expect(mayFollow('https://huggingface.co/a', 'https://cdn.example.org/a')).toBe(true);
    expect(mayFollow('https://huggingface.co/a', 'http://cdn.example.org/a')).toBe(false);
    expect(mayFollow('https://huggingface.co/a', 'https://127.0.0.1/a')).toBe(false);
    expect(mayFollow('http://127.0.0.1/a', 'http://127.0.0.1:9/b')).toBe(true);
  });
});

describe('another server', () => {
  const url = 'https://huggingface.co/who/what/resolve/main/m.gguf';
  it('takes the place of Hugging Face only', () => {
    expect(onMirror(url, 'https://hf-mirror.com/')).toBe('https://hf-mirror.com/who/what/resolve/main/m.gguf');
    expect(onMirror(url, 'https://host.example/hf//')).toBe('https://host.example/hf/who/what/resolve/main/m.gguf');
    expect(onMirror('https://huggingface.co.example.org/m', 'https://hf-mirror.com')).toBe(
      'https://huggingface.co.example.org/m',
    );
  });
  it.each([undefined, '', '  '])('%j means none', (mirror) => expect(onMirror(url, mirror)).toBe(url));
  it.each(['http://hf-mirror.com', 'hf-mirror.com', 'file:///x'])('%s is refused', (mirror) =>
    expect(() => onMirror(url, mirror)).toThrow(/no https address/),
  );
});
