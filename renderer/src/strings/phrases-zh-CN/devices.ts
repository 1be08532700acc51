/** Why a device or a library is not used, what can be done, and why a part of the work is where it is, by its English text. */
export const devices: Readonly<Record<string, string>> = {
  // Names.
  'Unknown NPU': '未知的 NPU',
  '{0} NPU support': '{0} NPU 支持',
  'Support for devices of {0}': '{0} 设备支持',

  // Devices.
  'A simulator that computes on the processor as the NPU would: right for checks, far too slow for answers.':
    '在处理器上模拟 NPU 计算的模拟器：可用于检查，但用来回答太慢。',
  'A stand-in for a machine that is not here: graphs can be compiled for it, and nothing runs on it.':
    '代表一台不在这里的机器：可以为它编译计算图，但不能在它上面运行。',
  'It failed while it was in use: {0}': '它在使用中出错：{0}',
  'It did not answer for {0} seconds.': '它在 {0} 秒内没有响应。',
  'It did not open a graph in {0} seconds.': '它在 {0} 秒内没有打开计算图。',
  'It returned values that are not numbers.': '它返回的值不是数字。',
  'Its thread ended.': '它的线程已结束。',
  'The engine ended while it worked: {0}': '它工作时引擎停止了：{0}',
  'Its execution provider takes none of the graphs that this app makes.':
    '它的执行提供程序不接受本应用生成的任何计算图。',
  'Its driver{0} is too old or does not fit{1}.': '它的驱动程序{0}太旧或不匹配{1}。',
  'Its chip is not one that {0} knows{1}.': '{0} 不认识它的芯片{1}。',
  'Its chip is not one that {0} knows: {1}': '{0} 不认识它的芯片：{1}',
  'Something that {0} needs is missing{1}.': '缺少 {0} 所需的组件{1}。',
  '{0} does not take it{1}.': '{0} 不接受它{1}。',
  'Its self-test failed: {0}': '它的自检没有通过：{0}',
  'Its self-test failed: {0} finds it and takes no work for it. Its driver is missing or does not answer.':
    '它的自检没有通过：{0} 找到了它，却不把工作交给它。它的驱动程序缺失或没有响应。',
  'The machine has this NPU, but the library that drives it (its execution provider) is not installed.':
    '这台电脑有这个 NPU，但没有安装驱动它的库（执行提供程序）。',
  '{0} does not take it: its driver is missing, too old, or the chip is unknown to this version.':
    '{0} 不接受它：驱动程序缺失或太旧，或这个版本不认识该芯片。',
  ' ({0})': '（{0}）',
  ', {0},': '（{0}）',
  'no reason is known': '原因不明。',

  // Libraries.
  'It finds no device that it can use.': '它没有找到可用的设备。',
  'It finds no device that it can use: this machine has no {0}, or its driver is missing.':
    '它没有找到可用的设备：这台电脑没有 {0}，或缺少驱动程序。',
  'It finds no device in this remote session.': '它在这个远程会话中没有找到设备。',
  'It is for Intel processors, and the processor of this machine is not made by Intel.':
    '它用于 Intel 处理器，而这台电脑的处理器不是 Intel 的。',
  'The library crashed when it was tried ({0}).': '试用这个库时它崩溃了（{0}）。',
  'The library did not answer when it was tried ({0}).': '试用这个库时它没有响应（{0}）。',
  'The library is made for another kind of machine than this one ({0} {1}).':
    '这个库用于另一种机器，不适合这台（{0} {1}）。',
  'Windows does not let this program load it from where it lies.': 'Windows 不允许本程序从它所在的位置加载它。',
  'The file is cut short, or no library at all.': '文件不完整，或根本不是库。',
  'A library that it needs is missing: {0}': '缺少它所需的库：{0}',
  'It does not fit this version of ONNX Runtime: {0}': '它与这个版本的 ONNX Runtime 不匹配：{0}',
  'The library could not be registered: {0}': '无法注册这个库：{0}',
  'This is the x64 build of the app on an ARM64 machine; emulated programs do not reach the NPU.':
    '这是在 ARM64 电脑上运行的 x64 版本；模拟运行的程序无法使用 NPU。',

  // What can be done.
  'Nothing needs to be done.': '无需任何操作。',
  'Nothing needs to be done: other devices are used.': '无需任何操作：会使用其他设备。',
  'Run its self-test to try it again. {0}': '请运行自检再试一次。{0}',
  '{0} Then run the self-test again.': '{0}然后重新运行自检。',
  'Install the newest {0} driver from the maker of the machine.': '请安装电脑制造商提供的最新 {0} 驱动程序。',
  'Install the newest driver of the NPU from the maker of the machine, then look again.':
    '请安装电脑制造商提供的最新 NPU 驱动程序，然后重新查看。',
  'If this machine has one, install its driver.': '如果这台电脑有，请安装它的驱动程序。',
  'Install a newer version of this app or of the execution provider library.': '请安装更新版本的应用或执行提供程序库。',
  'Install a newer version of this app or of the execution provider library, then run the self-test again.':
    '请安装更新版本的应用或执行提供程序库，然后重新运行自检。',
  'Install the ARM64 build.': '请安装 ARM64 版本。',
  "Install AMD's Ryzen AI software and choose its folder of libraries.":
    '请安装 AMD 的 Ryzen AI 软件，并选择它的库文件夹。',
  'Run "npm run providers" in the project\'s folder, or choose a folder that holds the library.':
    '请在程序的文件夹中运行“npm run providers”，或选择包含该库的文件夹。',
  'Fetch the library anew ("npm run providers"), install the newest driver, then run the self-test again.':
    '请重新获取这个库（“npm run providers”），安装最新的驱动程序，然后重新运行自检。',
  'Put the library for {0} {1} into the folder ("npm run providers" fetches it).':
    '请把用于 {0} {1} 的库放入文件夹（“npm run providers”可获取它）。',
  'Choose a folder with {0} of your own; its maker offers it for download.':
    '请选择您自己的 {0} 文件夹；其制造商提供下载。',
  'Keep all files of its package together in one folder; fetch them anew with "npm run providers".':
    '请把它的所有文件放在同一个文件夹中；可用“npm run providers”重新获取。',
  'Use a version of {0} that was made for it ("npm run providers" fetches one).':
    '请使用与之匹配的 {0} 版本（“npm run providers”可获取）。',
  'You are connected over Remote Desktop, which can hide such devices: sit at the machine itself and start the app there.':
    '您正通过远程桌面连接，它可能会隐藏这类设备：请在电脑前直接启动应用。',

  // Where a part of the work is.
  'It was chosen.': '由您选定。',
  'It is the fastest: {0}.': '它最快：{0}。',
  'It saves battery: {0}.': '它更省电：{0}。',
  'The GPU is left alone.': '不占用 GPU。',
  'No other device of this machine can do it.': '这台电脑没有其他设备能做这项工作。',
  'How long it takes on {0} has not been measured yet.': '还没有测量过它在 {0} 上需要多久。',
  'The chosen device {0} is not on this machine now.': '所选的设备 {0} 现在不在这台电脑上。',
  '{0} was chosen, but it stands for a machine that is not here.': '选定了 {0}，但它代表的机器不在这里。',
  '{0} was chosen, but it cannot be used: {1}': '选定了 {0}，但它无法使用：{1}',
  '{0} was chosen, but it takes no graphs of this part.': '选定了 {0}，但它不接受这部分的计算图。',
  '{0} would not be faster: {1}.': '{0} 不会更快：{1}。',
  '{0} {1}, the processor needs {2}': '{1} {0}，处理器需要 {2}',
  'for a chunk of a prompt': '处理提示的一段需要',
  'for a head of a chunk': '处理一段的一个注意力头需要',
  'for a token': '生成一个词元需要',
};
