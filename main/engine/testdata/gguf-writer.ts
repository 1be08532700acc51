/** GGUF files for tests: `writeGguf` for any description, `writeTinyLlama` for a small model that runs. */
export * from './gguf-encode.ts';
export * from './random-tensor.ts';
export * from './tiny-llama.ts';
