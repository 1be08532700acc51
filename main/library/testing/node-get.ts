/** `HttpGet` over Node's own http, for tests; the app's goes through Electron. */
import { request } from 'node:http';
import type { HttpGet } from '../http.ts';

export const nodeGet: HttpGet = (url, headers, signal) =>
  new Promise((resolve, reject) => {
    const sent = request(url, { headers, signal }, (answer) => {
      const { statusCode = 0, headers: told } = answer;
      const moved = statusCode >= 300 && statusCode < 400;
      if (moved) answer.resume();
      resolve({ status: statusCode, headers: told as Record<string, string>, body: answer });
    });
    sent.on('error', reject);
    sent.end();
  });
