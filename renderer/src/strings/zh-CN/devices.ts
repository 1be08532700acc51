/** Devices. */
import { formatCount, formatMilliseconds } from '../../format.ts';

export const devices = {
  devices: {
    title: '设备',
    found: '这台电脑的计算设备',
    help: '仅靠处理器就能完成全部工作。显卡或 NPU 通过自检后，可以分担其中一部分。',
    loading: '正在查找设备',
    none: '没有报告任何设备。',
    noReason: '没有给出原因。',
    types: { CPU: 'CPU', GPU: 'GPU', NPU: 'NPU' },
    driver: (version: string) => `驱动程序 ${version}`,
    states: { tested: '可用', untested: '尚未检测', unusable: '不可用', virtual: '替身' },
    test: '检测',
    testAgain: '重新检测',
    testOne: (name: string) => `检测 ${name}`,
    testLabel: '自检',
    testHelp: '在每个设备上运行两个小计算图并比对结果。即使设备崩溃或卡死，也不会影响其他部分。',
    testAll: '检测所有设备',
    testRunning: '正在检测设备',
    testing: (place: number, total: number, name: string | undefined) =>
      total === 0 || name === undefined
        ? '正在开始检测。'
        : `第 ${formatCount(place)} 个，共 ${formatCount(total)} 个：${name}`,
    stop: '停止',
    passed: (duration: string) => `已通过，用时 ${duration}`,
    pilotTime: (ms: number) => `先导计算 ${formatMilliseconds(ms)}`,
    linearTime: (ms: number) => `线性层 ${formatMilliseconds(ms)}`,
    worstError: (steps: number) => `最大偏差 ${steps.toFixed(1)}（满量程 255）`,
    support: {
      title: '安装 NPU 支持',
      help: '使用 NPU 需要满足三个条件。',
      steps: [
        {
          title: '驱动程序',
          text: '在 Windows 上，请从 Windows 更新或电脑厂商处获取最新的 NPU 驱动程序。在 Linux 上，内核自带 intel_vpu 或 amdxdna 模块。',
        },
        {
          title: '驱动 NPU 的库',
          text: 'Snapdragon 和 Intel：请在本程序的文件夹中运行“npm run providers”。Ryzen AI：请安装 AMD 的 Ryzen AI 软件。您也可以在下方选择存放库的文件夹。',
        },
        {
          title: '通过自检',
          text: '请在上方运行自检。如果未通过，列表会说明原因和解决办法；在此期间由处理器完成工作。',
        },
      ],
      folder: '库文件夹',
      noFolder: '尚未选择。其中的库优先于程序自带的库。请只选择您信任的文件夹：里面的代码会被运行。',
      folderHelp: '正在使用的库会保留到程序重新启动为止。',
      choose: '选择文件夹',
      chooseAnother: '选择其他文件夹',
      forget: '不再使用',
    },
  },
};
