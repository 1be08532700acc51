/** What a language adds to errors, which main and the engine word in English. */
import type { Strings } from '../en.ts';
import { chats } from '../phrases-zh-CN/chats.ts';
import { devices } from '../phrases-zh-CN/devices.ts';
import { documents } from '../phrases-zh-CN/documents.ts';
import { downloads } from '../phrases-zh-CN/downloads.ts';
import { engine } from '../phrases-zh-CN/engine.ts';
import { modelFiles } from '../phrases-zh-CN/model-files.ts';
import { models } from '../phrases-zh-CN/models.ts';

export const errors: Pick<Strings, 'errors'> = {
  errors: {
    byKind: {
      usage: { title: '请求的格式不正确。', action: '请重新启动应用；如果再次发生，请反馈给我们。' },
      'bad-input': { title: '输入的内容或文件有问题。', action: '请检查后重试。' },
      'model-missing': { title: '找不到这个模型，或缺少它的文件。', action: '请选择其他模型，或重新添加它。' },
      'model-invalid': { title: '模型文件已损坏或自相矛盾。', action: '请重新下载该文件，或选择其他模型。' },
      'model-unsupported': { title: '这个版本无法运行该模型。', action: '请选择其他模型。' },
      'context-overflow': { title: '文本太长，超出了模型的上下文。', action: '请缩短文本，或新建对话。' },
      'template-refused': { title: '模型的对话模板拒绝了这个对话。', action: '请修改对话内容，或选择其他模型。' },
      'numeric-fault': {
        title: '计算中出现了无效的数值。',
        action: '请重新提问；如果再次发生，请改用精确权重或其他模型。',
      },
      'device-unusable': { title: '有设备无法使用或出错。', action: '请在“设备”页面运行自检，或改用处理器。' },
      'engine-crashed': { title: '引擎意外停止。', action: '引擎会自动重新启动，之后请重新提问。' },
      'engine-busy': { title: '引擎正在处理另一个请求。', action: '请稍候再试。' },
      'download-failed': { title: '下载失败。', action: '请检查网络连接后重试。' },
      'disk-full': { title: '磁盘空间不足。', action: '请腾出空间后重试。' },
      'storage-failed': { title: '数据无法读取或写入。', action: '请检查磁盘空间和文件夹权限，然后重试。' },
      'document-missing': { title: '找不到这个文件，或无权读取。', action: '请检查文件是否还在原处。' },
      'document-changed': { title: '读取时文件发生了变化。', action: '请等文件写完后重试。' },
      'document-unsupported': { title: '这不是文档，或格式不受支持。', action: '请另存为 PDF、DOCX 或纯文本后重试。' },
      'document-invalid': { title: '文档已损坏，无法读取。', action: '请用原来的程序打开并重新保存。' },
      'document-limit': { title: '读取这个文档所需的时间或内存超出限制。', action: '请把文档拆分后重试。' },
      'parser-crashed': { title: '文档解析程序意外停止。', action: '请重试；如果再次发生，请把文档另存为其他格式。' },
      'password-needed': { title: '文档已加密。', action: '请输入密码。' },
      'password-wrong': { title: '密码不正确。', action: '请重新输入密码。' },
      cancelled: { title: '已取消。', action: '需要时可以重新开始。' },
      internal: { title: '应用内部出错。', action: '请重试；如果再次发生，请复制诊断信息并反馈给我们。' },
    },
    phrases: { ...models, ...modelFiles, ...devices, ...engine, ...downloads, ...chats, ...documents },
    original: '原始信息',
  },
};
