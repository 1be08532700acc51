/** What is said about downloads, by its English text. */
export const downloads: Readonly<Record<string, string>> = {
  'What has arrived is kept, and the download goes on from there.': '已下载的部分会保留，之后从那里继续。',
  'Resume later. {0}': '请稍后继续。{0}',
  'Check the network, then resume. {0}': '请检查网络，然后继续。{0}',
  "Check the system's proxy settings. {0}": '请检查系统的代理设置。{0}',
  'Make room, then resume. {0}': '请腾出空间，然后继续。{0}',
  'The connection to {0} was lost.': '与 {0} 的连接已断开。',
  'There is no connection to {0}; this computer seems to be offline.': '无法连接到 {0}；这台电脑似乎没有联网。',
  'The proxy of this computer does not connect to {0}.': '这台电脑的代理无法连接到 {0}。',
  'The proxy of this computer asks for a password (407).': '这台电脑的代理要求输入密码（407）。',
  'Sign in to the proxy in the system settings, then try again.': '请在系统设置中登录代理，然后重试。',
  'The certificate of {0} is not trusted by this computer.': '这台电脑不信任 {0} 的证书。',
  'In a company network ask for its root certificate to be installed in the system.':
    '在公司网络中，请联系管理员把根证书安装到系统中。',
  '{0} has sent nothing for {1} seconds.': '{0} 已有 {1} 秒没有发送数据。',
  '{0} does not give this file without a login ({1}).': '{0} 要求登录后才能下载这个文件（{1}）。',
  'Download it in your browser from its page, then import the file here.':
    '请在浏览器中从它的页面下载，然后在这里导入文件。',
  '{0} no longer has this file ({1}).': '{0} 上已没有这个文件（{1}）。',
  'Choose another model, or try another download server.': '请选择其他模型，或换一个下载服务器。',
  '{0} cannot send the file now ({1}).': '{0} 现在无法发送文件（{1}）。',
  '{0} sent a web page instead of the model. A login page of your network may be in between.':
    '{0} 发来的是网页而不是模型，中间可能有网络的登录页面。',
  '{0} sent something that is no GGUF file.': '{0} 发来的不是 GGUF 文件。',
  'Open a website in your browser to sign in to the network, then try again.':
    '请在浏览器中打开一个网站以登录网络，然后重试。',
  '{0} sends more than the {1} bytes of the model.': '{0} 发来的数据超过了模型的 {1} 字节。',
  '{0} has a file of {1} bytes; the model has {2}.': '{0} 上的文件有 {1} 字节；模型应有 {2} 字节。',
  'It is another file than the one meant. Try another download server.': '这不是所要的文件。请换一个下载服务器。',
  'The checksum of the download is wrong: the file was damaged on the way or is another one. It was deleted.':
    '下载文件的校验和不对：文件在途中损坏，或是另一个文件。它已被删除。',
  'Download it again; if that happens twice, try another download server.':
    '请重新下载；如果再次发生，请换一个下载服务器。',
  'The disk became full while the model was being downloaded.': '下载模型时磁盘已满。',
  'The disk of {0} cannot hold files of this size.': '{0} 所在的磁盘无法存放这么大的文件。',
  'Move the data folder to a disk with another file system (SHADOWNPU_HOME).':
    '请把数据文件夹移到采用其他文件系统的磁盘上（SHADOWNPU_HOME）。',
  'The models folder {0} cannot be written to.': '无法写入模型文件夹 {0}。',
  'Check that the folder is there and that you may write to it.': '请确认文件夹存在，并且您有写入权限。',
  'The disk of the models folder has {0} free; the download needs {1}.':
    '模型文件夹所在的磁盘还有 {0} 可用；下载需要 {1}。',
  'Delete what you do not need, then try again. What has arrived is kept.':
    '请删除不需要的内容，然后重试。已下载的部分会保留。',
  'The download was stopped.': '下载已停止。',
  'The file on {0} is another one than before.': '{0} 上的文件与之前的不同。',
  'Try again; if that does not help, try another download server.': '请重试；如果仍然不行，请换一个下载服务器。',
  'There is another file at {0} already.': '{0} 处已有另一个文件。',
  'Rename or delete that file, then download again.': '请重命名或删除那个文件，然后重新下载。',
  '"{0}" is no https address.': '“{0}”不是 https 地址。',
  'The download server "{0}" is no https address.': '下载服务器“{0}”不是 https 地址。',
  'Change it in Models, e.g. to https://hf-mirror.com, or leave it empty.':
    '请在“模型”页面修改，例如改为 https://hf-mirror.com，或留空。',
  '{0} sends the download on to an address that is not safe to use.': '{0} 把下载转到了不安全的地址。',
  '{0} sends the download round in circles.': '{0} 让下载一直循环跳转。',
  'Try again later, or set another download server.': '请稍后重试，或设置其他下载服务器。',
};
