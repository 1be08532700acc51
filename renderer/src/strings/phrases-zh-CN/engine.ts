/** What the engine and its supervisor say while they work, by its English text. */
export const engine: Readonly<Record<string, string>> = {
  'The engine stopped unexpectedly: {0}.': '引擎意外停止：{0}。',
  '{0} It happened while {1} was at work.': '{0}当时 {1} 正在工作。',
  'the system ended it, most likely because memory ran out': '系统结束了它，很可能是因为内存不足',
  'native code accessed memory that is not its own': '本机代码访问了不属于它的内存',
  'it met an instruction that this processor does not know': '遇到了这个处理器不支持的指令',
  'native code gave up on an error of its own, often for lack of memory':
    '本机代码因自身错误而终止，常见原因是内存不足',
  'a model file could not be read any more': '模型文件已无法读取',
  'native code divided by zero': '本机代码除以零',
  'it was ended from outside': '它被外部结束',
  'its stack overflowed': '栈溢出',
  'a system library that it needs is missing': '缺少所需的系统库',
  'it ended without saying why': '它结束了，但没有说明原因',
  'an error that nothing handled (exit code {0})': '出现未处理的错误（退出代码 {0}）',
  'Ask again. The engine is started anew and your chats are safe.': '请重新提问。引擎会重新启动，对话不会丢失。',
  'Close other programs or choose a smaller model, then ask again.': '请关闭其他程序或选择更小的模型，然后重新提问。',
  'Ask again. If it keeps happening, choose the exact weights in Settings.':
    '请重新提问。如果一再发生，请在设置中选择精确权重。',
  'Choose the exact weights in Settings. If that does not help, this processor is not supported.':
    '请在设置中选择精确权重。如果仍然不行，说明不支持这个处理器。',
  'Check that the model file was not moved or changed, then ask again.':
    '请确认模型文件没有被移动或更改，然后重新提问。',
  'Install the Microsoft Visual C++ Redistributable, then start the app again.':
    '请安装 Microsoft Visual C++ 运行库，然后重新启动应用。',
  'The engine is not running.': '引擎没有运行。',
  'Ask again in a moment.': '请稍后重新提问。',
  'A prompt is being run again already.': '已经在重新运行一个提示词。',
  'The engine is working on another request.': '引擎正在处理另一个请求。',
  'Wait for it, or stop it first.': '请等待它完成，或先停止它。',
  'The engine was stopped.': '引擎已停止。',
  'The engine is started anew.': '引擎正在重新启动。',
  'Loading was stopped.': '加载已停止。',
  'Stopped.': '已停止。',
  'It was stopped.': '已停止。',
  'The test was stopped.': '测试已停止。',
  'Compiling was stopped.': '编译已停止。',
  'Compiling for the device was stopped.': '为设备编译已停止。',
  'Making graphs for the device was stopped.': '为设备生成计算图已停止。',
  "The prompt has {0} tokens, but this model's context holds {1} with room for an answer.":
    '提示有 {0} 个词元，而这个模型的上下文（含回答的空间）只能容纳 {1} 个。',
  'Shorten the prompt to at most {0} tokens, or use a model with a longer context.':
    '请把提示缩短到最多 {0} 个词元，或使用上下文更长的模型。',
  'The prompt is empty.': '提示是空的。',
  'Write something first.': '请先写些内容。',
  '{0} token ids were given; 1 to {1} fit.': '给出了 {0} 个词元 编号；可以是 1 到 {1} 个。',
  'Token id {0} is outside the vocabulary of {1} tokens.': '词元编号 {0} 超出了 {1} 个词元 的词表。',
  'The model produced values that are not numbers in {0}.': '模型在 {0} 中产生了无效的数值。',
  'Try the exact weights, or import the model again; the file may be damaged.':
    '请改用精确权重，或重新导入模型；文件可能已损坏。',
  'The model computed a value that is not a number: {0}.': '模型算出了无效的数值：{0}。',
  'Load the model again; if it happens again, use the exact weights or another model.':
    '请重新加载模型；如果再次发生，请使用精确权重或其他模型。',
  'This model was imported without the INT8 ranges that npu-full attention needs.':
    '这个模型导入时没有 npu-full 注意力所需的 INT8 范围。',
  'Calibrate the model, or remove it and import it again; or choose another attention.':
    '请校准模型，或删除后重新导入；也可以选择其他注意力方式。',
  'The heads of this model have not been measured for ratios by {0}.':
    '还没有为按 {0} 分配比例测量这个模型的注意力头。',
  'Calibrate the model first, or choose uniform ratios.': '请先校准模型，或选择统一比例。',
  '{0} cannot be used: {1}': '{0} 无法使用：{1}',
  'There is no device "{0}" on this machine.': '这台电脑上没有设备“{0}”。',
  'There is no device "{0}" on this machine that can be tested.': '这台电脑上没有可测试的设备“{0}”。',
  'ONNX Runtime has no device "{0}" on this machine.': '在这台电脑上，ONNX Runtime 没有设备“{0}”。',
  'Choose one of: {0}.': '请选择其中之一：{0}。',
  "{0} cannot take this model's graphs: {1}": '{0} 无法运行这个模型的计算图：{1}',
  'Choose another device for the linear parts, or the processor.': '请为线性部分选择其他设备，或使用处理器。',
  'The pilot device failed: {0}': '先导设备出错：{0}',
  'Choose the native pilot, or another device.': '请选择本机先导，或其他设备。',
  'Nothing can be compiled for {0} here: {1}': '这里无法为 {0} 编译：{1}',
  'Fetch the providers for Windows by "npm run providers -- --platform win32-x64", and build the addon for it.':
    '请用“npm run providers -- --platform win32-x64”获取 Windows 的执行提供程序，并为它构建插件。',
  'ShadowNPU cannot start its engine on this machine: {0}': 'ShadowNPU 无法在这台电脑上启动引擎：{0}',
  '{0} Linux needs glibc 2.28 or later, Windows version 10 or later.':
    '{0}Linux 需要 glibc 2.28 或更高版本，Windows 需要 10 或更高版本。',
  'Run "npm run build", or install the app again.': '请运行“npm run build”，或重新安装应用。',
  'This file is not a table of costs.': '这个文件不是成本表。',
  'Save one of the tables here and change its numbers.': '请在此保存一张成本表，再修改其中的数字。',
  'This file is not a trace that this program has written.': '这个文件不是本程序写出的追踪记录。',
  'Choose a file that "cli trace" or the pipeline page has saved.': '请选择由“cli trace”或流水线页面保存的文件。',
};
