import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { catalogChannels, modelChannels, modelEvents } from './models.ts';

const accepts = (schema: v.GenericSchema, value: unknown) => v.safeParse(schema, value).success;

describe('requests about models', () => {
  it.each(['../secret', 'a/b', '', 'Ä', `a${'b'.repeat(100)}`, 7, null])('take no entry id like %j', (entryId) => {
    for (const name of ['models.download', 'models.pause', 'models.cancel-download'] as const) {
      expect(accepts(catalogChannels[name].request, { entryId }), name).toBe(false);
      expect(accepts(catalogChannels[name].request, { entryId: 'smollm2-135m.q4_1' }), name).toBe(true);
    }
    expect(accepts(catalogChannels['models.catalog'].request, undefined)).toBe(true);
  });

  it.each([0, -1, 1.5, Number.NaN, 2 ** 31])('take no context of %d tokens', (contextSize) => {
    const request = { modelId: 'm', weights: 'fast' };
    expect(accepts(modelChannels['models.fit'].request, { ...request, contextSize })).toBe(false);
    expect(accepts(modelChannels['models.fit'].request, { ...request, contextSize: 4096 })).toBe(true);
  });

  it('import what the user chooses or drops', () => {
    const { request } = modelChannels['models.import'];
    expect(accepts(request, { what: 'file' })).toBe(true);
    expect(accepts(request, {})).toBe(false);
    const { request: drop } = modelChannels['models.drop'];
    expect(accepts(drop, { path: 'C:\\models\\m.gguf', weights: 'exact' })).toBe(true);
    expect(accepts(drop, { path: '' })).toBe(false);
  });
});

it('a job event holds a job of a known kind', () => {
  const [, jobEvent] = modelEvents;
  const job = { kind: 'verify', jobId: 'j', modelId: 'm', name: 'M', state: 'running' };
  expect(accepts(jobEvent, { type: 'model-job', job })).toBe(true);
  expect(accepts(jobEvent, { type: 'model-job', job: { ...job, kind: 'bake' } })).toBe(false);
  expect(accepts(jobEvent, { type: 'model-job', job: { ...job, modelId: undefined } })).toBe(false);
});
