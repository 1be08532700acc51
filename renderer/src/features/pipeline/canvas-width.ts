/** How wide a canvas is drawn. */
import { type RefObject, useEffect, useState } from 'react';

/** In CSS pixels; 0 until it is in the page. */
export function useCanvasWidth(canvas: RefObject<HTMLCanvasElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    setWidth(element.clientWidth);
    return () => observer.disconnect();
  }, [canvas]);
  return width;
}
