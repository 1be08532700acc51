/** Where the execution provider libraries of a target lie, as `npm run providers` has unpacked them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../scripts/setup/paths.mjs';

const FILES: Record<string, string> = {
  'win32-x64 qnn': 'amd64/onnxruntime_providers_qnn.dll',
  'linux-arm64 qnn': 'libonnxruntime_providers_qnn.so',
  'win32-x64 openvino': 'onnxruntime_providers_openvino_plugin.dll',
  'linux-x64 openvino': 'libonnxruntime_providers_openvino_plugin.so',
};

/** Absent where it has not been fetched. */
export function libraryOf(target: string, provider: 'qnn' | 'openvino'): string | undefined {
  const file = join(ROOT, 'providers', target, provider, FILES[`${target} ${provider}`] ?? 'unknown');
  return existsSync(file) ? file : undefined;
}
