/** What the engine says about models and devices, by its English text. */
export const models: Readonly<Record<string, string>> = {
  'There is no model on this machine that can be used.': '这台电脑上没有可用的模型。',
  'Put a .gguf file into {0} and come back to this window.': '请把 .gguf 文件放入 {0}，然后回到这个窗口。',
  '"{0}" cannot be used: {1} Put a .gguf file into {2} and come back to this window.':
    '“{0}”无法使用：{1}请把 .gguf 文件放入 {2}，然后回到这个窗口。',
  'There is no model "{0}".': '没有名为“{0}”的模型。',
  'There is no model "{0}" on this machine.': '这台电脑上没有模型“{0}”。',
  'There is no model "{0}" on this computer.': '这台电脑上没有模型“{0}”。',
  'There is no model "{0}" in the catalogue.': '目录中没有模型“{0}”。',
  'Give the id of a model in the list, or the path of a .gguf file or of a folder with safetensors.':
    '请给出列表中模型的标识，或者 .gguf 文件或 safetensors 文件夹的路径。',
  'Choose one on the Models page.': '请在“模型”页面选择一个。',
  'No model is loaded.': '没有加载模型。',
  'Choose a model first.': '请先选择模型。',
  'Give the path of the model file.': '请给出模型文件的路径。',
  '"{0}" has to be imported from {1} again, which is not in {2}.': '“{0}”需要从 {1} 重新导入，但该文件不在 {2} 中。',
  '"{0}" was imported, but is not in the list of models.': '“{0}”已导入，但不在模型列表中。',
  'Another model is already imported under the id "{0}".': '已有另一个模型以标识“{0}”导入。',
  'Remove that model, or rename the file.': '请删除那个模型，或重命名文件。',
  '"{0}" cannot be a model\'s id.': '“{0}”不能用作模型标识。',
  'Use letters, digits, ".", "_" and "-", a letter or digit first.':
    '请使用字母、数字、“.”、“_”和“-”，并以字母或数字开头。',
  'A file of the model was taken away while it was being read.': '读取模型时，它的一个文件被移走了。',
  'Check the path, or download the model again.': '请检查路径，或重新下载模型。',
  '{0}: there is no such file.': '{0}：没有这个文件。',
  'Check the path, or import the model again.': '请检查路径，或重新导入模型。',
  '{0}: the file cannot be read ({1}).': '{0}：无法读取该文件（{1}）。',
  'Check the permissions of the file and the health of the disk.': '请检查文件权限和磁盘状况。',
  '{0}: the file is missing or cannot be read.': '{0}：文件缺失或无法读取。',
  'Download the model again.': '请重新下载模型。',
  'Download the whole folder of the model again.': '请重新下载整个模型文件夹。',
  'Download the model again, or take it from another source.': '请重新下载模型，或从其他来源获取。',
  'Download the model again or choose another one.': '请重新下载模型，或选择其他模型。',
  'Choose another model or another version of this one.': '请选择其他模型，或这个模型的其他版本。',
  'Choose the model file it belongs to.': '请选择它所属的模型文件。',
  'Choose a model of the Llama family.': '请选择 Llama 系列的模型。',
  'Choose a .gguf file.': '请选择 .gguf 文件。',
  'Choose a model without experts (a dense model).': '请选择不含专家的（稠密）模型。',
  'Choose the folder of a whole model, with its config.json and tokenizer.json.':
    '请选择完整模型的文件夹，其中应有 config.json 和 tokenizer.json。',
  'Get a GGUF version of this model.': '请获取这个模型的 GGUF 版本。',
  'Get a newer conversion of this model.': '请获取这个模型较新的转换版本。',
  'Get a version of this model in a common type such as Q4_K_M or Q8_0.':
    '请获取这个模型的常见量化版本，例如 Q4_K_M 或 Q8_0。',
  'Get a version of this model in one of these types, e.g. Q4_K_M or Q8_0.':
    '请获取这个模型采用上述类型之一的版本，例如 Q4_K_M 或 Q8_0。',
  'Get the little-endian version of this model.': '请获取这个模型的小端序版本。',
  'Get the model in GGUF format.': '请获取 GGUF 格式的模型。',
  'Merge the parts first (llama-gguf-split --merge), or get the model in one file.':
    '请先合并各部分（llama-gguf-split --merge），或获取单文件的模型。',
  'Unpack it first.': '请先解压。',
  'Unpack it, or get the GGUF version.': '请解压，或获取 GGUF 版本。',
  'Update this program, or get the model in GGUF version 3.': '请更新本程序，或获取 GGUF 第 3 版的模型。',
  'Download the .gguf file itself again.': '请重新下载 .gguf 文件本身。',
  'The import needs {0} MB in {1}, {2} MB are free.': '导入需要在 {1} 中占用 {0} MB，目前可用 {2} MB。',
  'Free {0} MB and import again.': '请腾出 {0} MB 空间，然后重新导入。',
  'There is no space left in {0}.': '{0} 中已没有空间。',
  'Free some space and try again.': '请腾出一些空间，然后重试。',
  'Nothing can be written to {0}: permission denied.': '无法写入 {0}：没有权限。',
  'Make the folder writable, or set SHADOWNPU_HOME to another one.':
    '请让该文件夹可写，或把 SHADOWNPU_HOME 设为其他文件夹。',
  'The import was cancelled.': '导入已取消。',
  'The check was cancelled.': '校验已取消。',
  'The job was cancelled.': '任务已取消。',
  'The imported model has no {0}.': '导入的模型缺少 {0}。',
  'The imported model is damaged at {0}: {1}.': '导入的模型在 {0} 处已损坏：{1}。',
  "The model's tokenizer data are broken: {0}.": '模型的分词器数据已损坏：{0}。',
  'The imported model has no graphs.': '导入的模型没有计算图。',
  'The imported model is damaged: {0} is not what the import wrote.': '导入的模型已损坏：{0} 与导入时写入的内容不同。',
  "The imported model's weights cannot be read: {0}.": '无法读取导入模型的权重：{0}。',
  'A part of the imported model cannot be opened: {0}': '无法打开导入模型的一部分：{0}',
  'Import the model again.': '请重新导入模型。',
  'Remove the model and import it again.': '请删除模型，然后重新导入。',
  'Remove the imported form and import the model again; then check the disk.':
    '请删除导入后的数据并重新导入模型，然后检查磁盘。',
  'The tokenizer kind "{0}" (tokenizer.ggml.model) is not supported; gpt2 and llama are.':
    '不支持分词器类型“{0}”（tokenizer.ggml.model）；支持 gpt2 和 llama。',
  'This model has no chat template, so it cannot hold a conversation.': '这个模型没有对话模板，因此无法对话。',
  'Send the text as a raw prompt, or choose an instruction-tuned model.':
    '请把文本作为原始提示发送，或选择经过指令微调的模型。',
  '{0}: {1}': '{0}：{1}',
  'The chat template of this model refused the conversation': '这个模型的对话模板拒绝了这个对话',
  'The chat template of this model cannot be read': '无法读取这个模型的对话模板',
  'Change the conversation as the message says, or send the text as a raw prompt.':
    '请按提示修改对话，或把文本作为原始提示发送。',
  '{0}: {1}.': '{0}：{1}。',
  'architecture {0} is not supported; supported: {1}': '不支持架构 {0}；支持的架构：{1}',
  'GGUF version 1, an early draft with 32-bit lengths, is not supported (versions 2 and 3 are)':
    '不支持 GGUF 第 1 版（使用 32 位长度的早期草案）；支持第 2 版和第 3 版',
  'GGUF version {0} is newer than this program knows (versions 2 and 3 are supported)':
    'GGUF 第 {0} 版比本程序所知的更新（支持第 2 版和第 3 版）',
  'the GGUF version is 0, which does not exist': 'GGUF 版本为 0，这个版本并不存在',
  'the file is big-endian (its version reads {0} the other way round); only little-endian files are supported':
    '文件是大端序（反过来读，版本为 {0}）；只支持小端序文件',
  'the file is big-endian; only little-endian files are supported': '文件是大端序；只支持小端序文件',
  'the file is empty (0 bytes)': '文件是空的（0 字节）',
  'the file is cut within its first 8 bytes (file size {0})': '文件在前 8 个字节内就被截断（文件大小 {0}）',
  'the file is only {0} bytes long, not a model': '文件只有 {0} 字节，不是模型',
  'the file starts with zeros, as an unfinished download does': '文件以零开头，像是没有下载完',
  'the file is cut or broken in {0}: {1} bytes announced at byte {2}, {3} left (file size {4})':
    '文件在 {0} 处被截断或损坏：第 {2} 字节处声明有 {1} 字节，只剩 {3} 字节（文件大小 {4}）',
  'the data of {0} is cut off or misplaced: {1} bytes from byte {2} expected, so at least {3} bytes in all; the file has {4}':
    '{0} 的数据被截断或错位：从第 {2} 字节起应有 {1} 字节，总共至少 {3} 字节；文件只有 {4} 字节',
  'the data of {0} are cut off: they end at byte {1}; the file has {2}':
    '{0} 的数据被截断：应到第 {1} 字节为止；文件只有 {2} 字节',
  'the file became shorter while {0} was read': '读取 {0} 时文件变短了',
  'the file became shorter while it was read (byte {0})': '读取时文件变短了（第 {0} 字节）',
  'the file became shorter while tensor {0} was read: byte {1} is gone':
    '读取张量 {0} 时文件变短了：第 {1} 字节已不存在',
  'this is a Git LFS pointer, a few lines of text that stand for the model':
    '这是 Git LFS 指针，只是代表模型的几行文字',
  'this is a web page (HTML or XML), probably an error page saved under this name':
    '这是网页（HTML 或 XML），可能是以此名称保存的错误页面',
  'this is JSON text, probably a server’s error message saved under this name':
    '这是 JSON 文本，可能是以此名称保存的服务器错误信息',
  'this is a ZIP archive or a PyTorch file, not GGUF': '这是 ZIP 压缩包或 PyTorch 文件，不是 GGUF',
  'this is a gzip archive, not GGUF': '这是 gzip 压缩包，不是 GGUF',
  'this is a device or pipe, not a model file': '这是设备或管道，不是模型文件',
  'this is a folder or device, not a file': '这是文件夹或设备，不是文件',
  'this is a folder, not a model file': '这是文件夹，不是模型文件',
  'this is not a GGUF file: it starts with the bytes {0} instead of 47475546 ("GGUF")':
    '这不是 GGUF 文件：它以字节 {0} 开头，而不是 47475546（“GGUF”）',
  'this is the old {0} format of 2023, not GGUF': '这是 2023 年的旧格式 {0}，不是 GGUF',
  'this looks like a safetensors file, not GGUF': '这看起来是 safetensors 文件，不是 GGUF',
  'this file is not a model of its own but of the kind {0}': '这个文件不是独立的模型，而是 {0} 类型的文件',
  'this folder has no {0} and no {1}': '这个文件夹里既没有 {0}，也没有 {1}',
  'this is one of {0} parts of a split model, which is not supported': '这是拆分模型的 {0} 个部分之一，不支持这种文件',
  'this is a mixture-of-experts model (tensor {0}), an architecture that is not supported':
    '这是混合专家模型（张量 {0}），不支持这种架构',
  'this is a mixture-of-experts model ({0} experts), an architecture that is not supported':
    '这是混合专家模型（{0} 个专家），不支持这种架构',
  'this model reads text in both directions (an embedding model) and cannot write any':
    '这个模型双向读取文本（嵌入模型），无法写出文本',
  'its content is not what it was when it was imported, or not what its publisher made':
    '内容与导入时不同，或与发布者的版本不同',
  'tokenizer {0} (key "model.type") is not supported; supported: BPE': '不支持分词器 {0}（键 "model.type"）；支持 BPE',
  'tokenizer {0} (metadata key "{1}model") is not supported; supported: {2}':
    '不支持分词器 {0}（元数据键 "{1}model"）；支持：{2}',
  'tensor {0} is missing': '缺少张量 {0}',
  'tensor "{0}" is missing': '缺少张量 "{0}"',
  'metadata key {0} is missing': '缺少元数据键 {0}',
  'metadata key {0} occurs twice': '元数据键 {0} 出现了两次',
  '{0} has type {1}, which is not supported; supported types: {2}': '{0} 的类型是 {1}，不受支持；支持的类型：{2}',
  '{0} has type number {1}, which this version does not know': '{0} 的类型编号是 {1}，这个版本不认识',
  '{0} has type {1}, which this version does not know': '{0} 的类型是 {1}，这个版本不认识',
};
