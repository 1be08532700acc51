/** Chats are dragged by their id; nothing else of the window takes this type. */
import { type DragEvent, useState } from 'react';

export const CHAT_DRAG = 'application/x-shadownpu-chat';

/** Handlers of an element that takes chats, and whether one is over it now. */
export function useChatDrop(onDrop: (chatId: string) => void) {
  const [over, setOver] = useState(false);
  const takes = (event: DragEvent) => event.dataTransfer.types.includes(CHAT_DRAG);
  return {
    over,
    handlers: {
      onDragOver(event: DragEvent) {
        if (!takes(event)) return;
        event.preventDefault();
        setOver(true);
      },
      onDragLeave: () => setOver(false),
      onDrop(event: DragEvent) {
        if (!takes(event)) return;
        event.preventDefault();
        setOver(false);
        onDrop(event.dataTransfer.getData(CHAT_DRAG));
      },
    },
  };
}
