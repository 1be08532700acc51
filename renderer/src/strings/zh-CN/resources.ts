/** 本机正在做什么。 */
import { formatBytes } from '../../format.ts';

const power = { counter: '处理器功率', battery: '功率（按电池估算）' };

export const resources = {
  resources: {
    title: '资源',
    span: '时间范围',
    spans: { minute: '1 分钟', 'ten-minutes': '10 分钟' },
    form: '显示方式',
    forms: { charts: '图表', table: '表格' },
    pause: '暂停',
    goOn: '继续',
    saveCsv: '存为 CSV',
    saveJson: '存为 JSON',
    waiting: '第一次读数马上就到。',
    notReported: '此驱动程序未报告',

    processor: '处理器',
    all: '全部',
    engine: '引擎',
    thisApp: '本应用',
    memory: '内存',
    inUse: '已用',
    window: '窗口',
    swap: '交换空间',
    memoryOf: (device: string) => `${device} 内存`,
    speed: '回答速度',
    prefill: '提示词',
    decode: '回答',
    accelerator: {
      npu: (name: string) => (name === '' ? 'NPU' : name),
      gpu: (name: string) => (name === '' ? 'GPU' : name),
    },
    power: (sensor: 'counter' | 'battery' | null) => (sensor === null ? '功率' : power[sensor]),
    watts: (value: number) => `${value.toFixed(1)} 瓦`,
    temperature: '温度',
    degrees: (value: number) => `${Math.round(value)}°C`,
    disk: '磁盘',
    read: '读取',
    written: '写入',
    network: '网络',
    received: '接收',
    sent: '发送',
    bytesPerSecond: (value: number) => `${formatBytes(value)}/秒`,
    time: '时间',
    ago: (seconds: number) => {
      if (seconds === 0) return '现在';
      return seconds <= -120 && seconds % 60 === 0 ? `${seconds / 60} 分钟` : `${Math.round(seconds)} 秒`;
    },

    tableCaption: '当前读数，以及该时间范围内的最小值、平均值和最大值',
    reading: '读数',
    now: '现在',
    least: '最小',
    mean: '平均',
    most: '最大',

    cores: '核心',
    core: (index: number) => `核心 ${index}`,
    offline: '离线',
    threads: '引擎线程',
    thread: (index: number) => (index === 0 ? '引擎主线程' : `工作线程 ${index}`),
    model: '模型',
    noModel: '尚未加载模型。',
    weights: '权重',
    kv: '键和值',
    ofReserved: (used: string, reserved: string) => `${used}，共预留 ${reserved}`,
    scratch: '工作内存',

    strip: {
      label: '打开资源页面',
      processor: (share: string) => `处理器 ${share}`,
      engine: (bytes: string) => `引擎 ${bytes}`,
    },
  },
};
