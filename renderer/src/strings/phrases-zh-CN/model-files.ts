/** What exactly is wrong with a model's files, by its English text. Parts of sentences stand at the end. */
export const modelFiles: Readonly<Record<string, string>> = {
  'Get the unquantised model, or a GGUF version of it.': '请获取未量化的模型，或它的 GGUF 版本。',

  // Configuration.
  'activation {0} (key "{1}") is not supported in a {2} model': '{2} 模型中不支持激活函数 {0}（键 "{1}"）',
  'architecture {0} is not supported; supported: {1}': '不支持架构 {0}；支持的架构：{1}',
  'attention heads of {0} channels are not possible; an even number from 2 to {1} is':
    '注意力头不可能有 {0} 个通道；应为 2 到 {1} 之间的偶数',
  '{0} attention heads cannot share {1} key heads': '{0} 个注意力头无法共用 {1} 个键头',
  '{0} attention heads do not divide the embedding length {1}': '嵌入长度 {1} 不能被 {0} 个注意力头整除',
  'keys of {0} and values of {1} channels (metadata key "{2}") are not supported; they must be equal':
    '不支持 {0} 个通道的键和 {1} 个通道的值（元数据键 "{2}"）；两者必须相等',
  'linear rope scaling together with the tensor "{0}" is not supported': '不支持线性 RoPE 缩放与张量 "{0}" 同时使用',
  'rope scaling {0} (metadata key "{1}") is not supported; supported: none, linear, llama3':
    '不支持 RoPE 缩放方式 {0}（元数据键 "{1}"）；支持：none、linear、llama3',
  'rope scaling {0} is not supported; supported: default, linear, llama3, longrope':
    '不支持 RoPE 缩放方式 {0}；支持：default、linear、llama3、longrope',
  'only models whose every sixth layer sees all tokens are supported': '只支持每六层中有一层能看到全部词元的模型',
  'the 27B model of gemma3 scales attention in a way that is not supported':
    'gemma3 的 27B 模型缩放注意力的方式不受支持',
  'the tokenizer has {0} tokens, but the embedding only {1} rows': '分词器有 {0} 个词元，但嵌入只有 {1} 行',
  'its weights are quantised by {0}, which is not supported': '它的权重以 {0} 方式量化，不受支持',
  'its {0} works by {1}, which is not supported': '它的 {0} 使用 {1}，不受支持',
  'key "partial_rotary_factor" is {0}; rotating only a part is not supported':
    '键 "partial_rotary_factor" 为 {0}；不支持只旋转一部分',
  'key "query_pre_attn_scalar" is {0} with heads of {1} channels, which is not supported':
    '键 "query_pre_attn_scalar" 为 {0}，而注意力头有 {1} 个通道，不受支持',
  'key "sliding_window" limits attention to {0} tokens, which is not supported in a {1} model':
    '键 "sliding_window" 把注意力限制为 {0} 个词元，{1} 模型中不支持',
  'key "vocab_size" is {0}, but tensor {1} has {2} rows': '键 "vocab_size" 为 {0}，但张量 {1} 有 {2} 行',
  'key "weight_map" is missing': '缺少键 "weight_map"',
  'key "{0}" asks for capped values, which is not supported': '键 "{0}" 要求限制数值上限，不受支持',
  'key {0} {1}': '键 {0} {1}',

  // Metadata.
  'metadata key {0} is missing': '缺少元数据键 {0}',
  'metadata key {0} occurs twice': '元数据键 {0} 出现了两次',
  'metadata key {0} {1}': '元数据键 {0} {1}',
  'metadata key {0} has an empty name': '第 {0} 个元数据键的名称为空',
  'metadata key {0} has a name of {1} characters': '第 {0} 个元数据键的名称长达 {1} 个字符',
  'metadata key {0} has a name that is not valid UTF-8: {1}': '第 {0} 个元数据键的名称不是有效的 UTF-8：{1}',
  'metadata key {0} has {1} entries for {2} layers': '元数据键 {0} 有 {1} 个条目，而模型有 {2} 层',
  'metadata key {0} is {1}; 1 to {2} is possible': '元数据键 {0} 为 {1}；应为 1 到 {2}',
  'metadata key {0} differs between layers ({1} in layer 0, {2} in layer {3}), which is not supported':
    '元数据键 {0} 在各层不同（第 0 层为 {1}，第 {3} 层为 {2}），不受支持',
  'metadata key "{0}" is empty': '元数据键 "{0}" 为空',
  'metadata key "{0}" asks for capped logits, which is not supported':
    '元数据键 "{0}" 要求限制 logits 的上限，不受支持',
  'metadata key "{0}" has the entry {1} (number {2}), which is not two parts with a space between':
    '元数据键 "{0}" 的第 {2} 个条目 {1} 不是由空格隔开的两部分',
  'metadata key "{0}" has the token {1} twice (ids {2} and {3})':
    '元数据键 "{0}" 中词元 {1} 出现了两次（编号 {2} 和 {3}）',
  'metadata key "{0}" has {1} tokens, but tensor "{2}" only {3} rows':
    '元数据键 "{0}" 有 {1} 个词元，但张量 "{2}" 只有 {3} 行',
  'metadata key "{0}" is missing, and a {1} tokenizer cannot work without it':
    '缺少元数据键 "{0}"，而 {1} 分词器必须有它才能工作',
  'metadata key "{0}" is {1} with heads of {2} channels; rotating only a part is not supported':
    '元数据键 "{0}" 为 {1}，而注意力头有 {2} 个通道；不支持只旋转一部分',
  'metadata key "{0}" is {1}, but the vocabulary has the ids 0 to {2}':
    '元数据键 "{0}" 为 {1}，但词表的编号是 0 到 {2}',
  'metadata key "{0}" is {1}; it must be a power of two from 8 to {2}':
    '元数据键 "{0}" 为 {1}；必须是 8 到 {2} 之间的 2 的幂',
  'metadata key "{0}" is {1}; only 1 is supported': '元数据键 "{0}" 为 {1}；只支持 1',
  'metadata key "{0}scores" holds NaN for token {1}': '元数据键 "{0}scores" 中词元 {1} 的值是 NaN',
  'metadata key "{0}{1}" has {2} entries for {3} tokens': '元数据键 "{0}{1}" 有 {2} 个条目，而词元有 {3} 个',
  'metadata keys "{0}scores" and "{1}" are both missing; a {2} tokenizer needs one of them':
    '元数据键 "{0}scores" 和 "{1}" 都没有；{2} 分词器需要其中之一',
  'tokenizer {0} (key "model.type") is not supported; supported: BPE': '不支持分词器 {0}（键 "model.type"）；支持 BPE',
  'tokenizer {0} (metadata key "{1}model") is not supported; supported: {2}':
    '不支持分词器 {0}（元数据键 "{1}model"）；支持：{2}',
  'tokenizer.ggml.tokens is empty': 'tokenizer.ggml.tokens 为空',
  'tokenizer.ggml.merges is missing, which a "gpt2" tokenizer needs': '缺少 tokenizer.ggml.merges，"gpt2" 分词器需要它',
  'tokenizer.ggml.scores is missing, which a "llama" tokenizer needs':
    '缺少 tokenizer.ggml.scores，"llama" 分词器需要它',
  'tokenizer.ggml.merges[{0}] is {1}, not two parts with a space between':
    'tokenizer.ggml.merges[{0}] 为 {1}，不是由空格隔开的两部分',
  'tokenizer.ggml.scores has {0} entries for {1} tokens': 'tokenizer.ggml.scores 有 {0} 个条目，而词元有 {1} 个',
  'tokenizer.ggml.scores[{0}] is not a number': 'tokenizer.ggml.scores[{0}] 不是数字',
  'tokenizer.ggml.token_type has {0} entries for {1} tokens':
    'tokenizer.ggml.token_type 有 {0} 个条目，而词元有 {1} 个',
  '{0} is {1}, but the vocabulary has ids 0 to {2}': '{0} 为 {1}，但词表的编号是 0 到 {2}',

  // Tensors.
  'tensor {0} is missing': '缺少张量 {0}',
  'tensor "{0}" is missing': '缺少张量 "{0}"',
  'tensor {0} occurs twice': '张量 {0} 出现了两次',
  'tensor {0} is not in {1}': '{1} 中没有张量 {0}',
  'tensor {0} has an empty name': '第 {0} 个张量的名称为空',
  'tensor {0} has a name longer than {1} bytes: {2}': '第 {0} 个张量的名称超过 {1} 字节：{2}',
  'tensor {0} has a name that is not valid UTF-8: {1}': '第 {0} 个张量的名称不是有效的 UTF-8：{1}',
  'tensor {0} holds {1} in row {2}; the file is damaged': '张量 {0} 的第 {2} 行含有 {1}；文件已损坏',
  'tensor "{0}" has {1} rows, more than any vocabulary': '张量 "{0}" 有 {1} 行，超过任何词表',
  'tensor "{0}" holds {1}; only positive numbers are possible': '张量 "{0}" 含有 {1}；只能是正数',
  '{0} has no place in a {1} model of {2} layers as this version knows it; to leave it out would give wrong answers':
    '在这个版本所知的 {2} 层 {1} 模型中没有 {0} 的位置；忽略它会得到错误的回答',
  '{0} has no description': '{0} 没有说明',
  '{0} has no type': '{0} 没有类型',
  '{0} does not say where its data lie': '{0} 没有说明数据的位置',
  '{0} has type {1}, which is not supported; supported types: {2}': '{0} 的类型是 {1}，不受支持；支持的类型：{2}',
  '{0} has type number {1}, which this version does not know': '{0} 的类型编号是 {1}，这个版本不认识',
  '{0} has type {1}, which this version does not know': '{0} 的类型是 {1}，这个版本不认识',
  '{0} has type {1}, which was withdrawn from the format': '{0} 的类型 {1} 已从格式中撤销',
  '{0} has the unknown value type {1}': '{0} 的值类型 {1} 未知',
  '{0} is a list of lists, which is not supported': '{0} 是列表的列表，不受支持',
  '{0} holds {1} where only 0 (false) or 1 (true) can be (entry {2})':
    '{0} 的第 {2} 个条目为 {1}，只能是 0（假）或 1（真）',
  '{0} has {1} dimensions; at most {2} are possible': '{0} 有 {1} 个维度；最多 {2} 个',
  '{0} has an extent of zero in its shape {1}': '{0} 的形状 {1} 中有长度为零的维度',
  '{0} has a negative extent ({1}) in its shape {2}': '{0} 的形状 {2} 中有负的长度（{1}）',
  '{0} has rows of {1} elements, which {2} blocks of {3} do not divide':
    '{0} 每行有 {1} 个元素，不能被 {2} 的块长 {3} 整除',
  '{0} has the shape [{1}]; the metadata calls for [{2}]': '{0} 的形状是 [{1}]；按元数据应为 [{2}]',
  '{0} has the shape {1}, which is not possible': '{0} 的形状是 {1}，这是不可能的',
  '{0} has the shape {1}, {2} bytes, more than any file can hold': '{0} 的形状是 {1}，共 {2} 字节，超过任何文件的大小',
  '{0}, {1} [{2}], needs {3} bytes; it has {4}': '{0}（{1} [{2}]）需要 {3} 字节，却有 {4} 字节',
  '{0} is said to start at byte {1} of the data': '{0} 据称从数据的第 {1} 字节开始',
  '{0} starts at byte {1} of the data, which is not a multiple of the alignment {2}':
    '{0} 从数据的第 {1} 字节开始，不是对齐值 {2} 的倍数',
  '{0} ({1}, [{2}]) {3} {4}: it starts at byte {5}, expected {6}. Sizes and types in this file do not fit its offsets':
    '{0}（{1}，[{2}]）与{4} {3}：它从第 {5} 字节开始，应为 {6}。这个文件中的大小和类型与偏移量不符',
  '{0} {1} {2}: it starts at byte {3}, expected {4}': '{0} 与{2} {1}：它从第 {3} 字节开始，应为 {4}',
  '{0} bytes follow {1}, which belong to no tensor': '{1} 之后还有 {0} 字节，不属于任何张量',
  overlaps: '重叠',
  'leaves a gap after': '之间有空隙',

  // The file as a whole.
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
  'the file became shorter while tensor "{0}" was read': '读取张量 "{0}" 时文件变短了',
  'the file has {0} bytes, far more than it should': '文件有 {0} 字节，远超应有的大小',
  'the file is gone': '文件已不存在',
  'it ends before byte {0}': '它在第 {0} 字节之前就结束了',
  'it has format version {0}, this program reads {1}': '它的格式版本是 {0}，本程序读取的是 {1}',
  'it has {0} bytes instead of {1}': '它有 {0} 字节，应为 {1} 字节',
  'it is not JSON': '它不是 JSON',
  'it does not place tensor {0} in {1}, where it lies': '它没有写明张量 {0} 在 {1} 中，而它就在那里',
  'it names the file {0}, which cannot be a part of it': '它提到的文件 {0} 不可能是它的一部分',
  'it names {0} files, more than any model has': '它提到了 {0} 个文件，超过任何模型的文件数',
  'its header is not JSON text': '它的文件头不是 JSON 文本',
  'its header is not a list of tensors': '它的文件头不是张量列表',
  'its header is said to end at byte {0}; the file has {1}': '它的文件头据称到第 {0} 字节为止；文件只有 {1} 字节',
  'its header is said to have {0} bytes; at most {1} are possible': '它的文件头据称有 {0} 字节；最多 {1} 字节',
  '{0} ends beyond {1} bytes, more than any header needs': '{0} 超过了 {1} 字节，任何文件头都不需要这么多',
  'this is not JSON text': '这不是 JSON 文本',
  'this is not a JSON object': '这不是 JSON 对象',

  // What a key has wrong with it: follows its name.
  'does not name an architecture': '没有写明架构',
  'has the entry {0} (number {1}), which is not two parts': '的第 {1} 个条目 {0} 不是两部分',
  'has the entry {0}, which is no token': '有条目 {0}，它不是词元',
  'has {0} and another token under one id ({1}), or one token twice':
    '中 {0} 与另一个词元的编号（{1}）相同，或同一词元出现了两次',
  'has {0} entries, or one that is not positive; {1} are needed': '有 {0} 个条目，或其中有不是正数的；需要 {1} 个',
  'holds text that is not valid UTF-8 (entry {0})': '含有不是有效 UTF-8 的文本（第 {0} 个条目）',
  'is empty': '为空',
  'is missing': '缺失',
  'is not valid UTF-8 text': '不是有效的 UTF-8 文本',
  'is not {0}': '不是{0}',
  'is {0}, but the vocabulary has the ids 0 to {1}': '为 {0}，但词表的编号是 0 到 {1}',
  'is {0}, expected {1}': '为 {0}，应为{1}',
  'is {0}, far beyond any sensible value': '为 {0}，远超任何合理的值',
  'is {0}, not a finite number': '为 {0}，不是有限的数',
  'is {0}; {1} is possible': '为 {0}；应为 {1}',
  'at least {0}': '至少 {0}',
  'at most {0}': '至多 {0}',
  '{0} to {1}': '{0} 到 {1}',
  text: '文本',
  numbers: '一组数字',
  'true or false': '真或假',
  'a number': '数字',
  'a whole number': '整数',
  'a single value': '单个值',
  'a list': '列表',
  'a list of numbers': '数字列表',
  'a list of texts': '文本列表',
  'a list of whole numbers': '整数列表',
  'a list of {0}': '{0} 列表',
  'an object': '对象',

  // Where in a file.
  'tensor {0}': '张量 {0}',
  'metadata key {0}': '元数据键 {0}',
  'the header': '文件头',
  'the magic and version': '文件标识和版本',
  'the metadata ({0} keys announced)': '元数据（声明有 {0} 个键）',
  'the metadata count': '元数据的数量',
  'the tensor count': '张量的数量',
  'the tensor list ({0} tensors announced)': '张量列表（声明有 {0} 个张量）',
  'the name of metadata key {0}': '第 {0} 个元数据键的名称',
  'the name of tensor {0}': '第 {0} 个张量的名称',
  'the number of dimensions of {0}': '{0} 的维数',
  'the offset of {0}': '{0} 的偏移量',
  'the shape of {0}': '{0} 的形状',
  'the type of {0}': '{0} 的类型',
  'the length of {0}': '{0} 的长度',
  'the entries of {0}': '{0} 的条目',
  'the text of {0}': '{0} 的文本',
  '{0} ({1} entries announced)': '{0}（声明有 {1} 个条目）',
  '{0} ({1} texts announced)': '{0}（声明有 {1} 条文本）',
};
