/** Offers a text as a file; where it goes the app's save dialog asks. */
export function saveText(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has the blob by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
