/** NPUs that graphs can be compiled for on a machine without them. */
import type { LinearFlavour } from '../graph/device-flavours.ts';

export interface NpuTarget {
  /** As people know it. */
  name: string;
  /** What its library is registered as. */
  registration: string;
  /** Execution provider of the library's devices, and the platform of the device where it has several. */
  executionProvider: string;
  npuPlatform?: string;
  epOptions: Readonly<Record<string, string>>;
  /** The best flavour that it compiles. */
  flavour: LinearFlavour;
}

/**
 * By the name on the command line. Qualcomm: htp_arch and soc_model of the chip. Intel: the platform of a virtual device,
 * which the provider lists when its registration ends in ".virtual". The compilers come with the Windows libraries only.
 */
export const NPU_TARGETS: Readonly<Record<string, NpuTarget>> = {
  sc8380xp: {
    name: 'Qualcomm Snapdragon X (SC8380XP)',
    registration: 'QNNExecutionProvider',
    executionProvider: 'QNNExecutionProvider',
    epOptions: { backend_type: 'htp', htp_arch: '73', soc_model: '60' },
    flavour: 'w8a16',
  },
  'intel-npu-4000': intel('4000', 'Intel Core Ultra 200V (NPU 4000)'),
  'intel-npu-5010': intel('5010', 'Intel NPU 5010'),
};

function intel(npuPlatform: string, name: string): NpuTarget {
  return {
    name,
    registration: 'OpenVINOExecutionProvider.virtual',
    executionProvider: 'OpenVINOExecutionProvider',
    npuPlatform,
    epOptions: {},
    flavour: 'w8a8-rows',
  };
}
