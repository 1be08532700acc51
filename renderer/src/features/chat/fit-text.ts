/** Makes a field as high as its text; CSS holds the limits. */
export function fitText(field: HTMLTextAreaElement | null): void {
  if (field === null) return;
  field.style.height = 'auto';
  field.style.height = `${field.scrollHeight}px`;
}
