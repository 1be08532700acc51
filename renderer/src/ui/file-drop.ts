/** Takes files that are dragged over an area from outside. */
import { type DragEvent, useRef, useState } from 'react';

/** Handlers of the area, and whether files are over it now. `onFiles` gets at least one. */
export function useFileDrop(onFiles: (files: readonly File[]) => void) {
  /** Enter and leave come for every element inside. */
  const depth = useRef(0);
  const [over, setOver] = useState(false);
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files');

  function move(event: DragEvent, by: 1 | -1): void {
    if (!hasFiles(event)) return;
    depth.current = Math.max(0, depth.current + by);
    setOver(depth.current > 0);
  }

  return {
    over,
    handlers: {
      onDragEnter: (event: DragEvent) => move(event, 1),
      onDragLeave: (event: DragEvent) => move(event, -1),
      onDragOver(event: DragEvent) {
        if (!hasFiles(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
      },
      onDrop(event: DragEvent) {
        if (!hasFiles(event)) return;
        event.preventDefault();
        depth.current = 0;
        setOver(false);
        const files = [...event.dataTransfer.files];
        if (files.length > 0) onFiles(files);
      },
    },
  };
}
