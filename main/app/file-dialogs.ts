/** The system's dialogs for files. */
import path from 'node:path';
import { app, dialog, type OpenDialogOptions } from 'electron';

/** The paths that the user chose; none where the user thought better of it. */
export async function choosePaths(options: OpenDialogOptions): Promise<string[]> {
  return (await dialog.showOpenDialog(options)).filePaths;
}

/** Asks where to save a file; undefined where the user thought better of it. */
export async function saveAs(fileName: string): Promise<string | undefined> {
  const { filePath } = await dialog.showSaveDialog({ defaultPath: path.join(app.getPath('documents'), fileName) });
  return filePath === '' ? undefined : filePath;
}
