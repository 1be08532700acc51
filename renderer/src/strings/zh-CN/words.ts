/** What several areas say. */
import { createDeviceWords } from '../device-words.ts';

export const deviceWords = createDeviceWords({ simulated: '模拟设备', processor: 'CPU（作为 ONNX Runtime 设备）' });
