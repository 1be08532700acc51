/** How a chat's answers are made: its options, and presets. */
import type { ChatOptions, Preset } from '../../../../contract/presets.ts';
import type { Talk } from './talk.ts';

type PresetContent = Pick<Preset, 'name' | 'systemPrompt' | 'sampling'>;

export function createOptionCommands({ store, api, guarded }: Talk) {
  return {
    /** Sets the open chat's options as a whole; they are shown at once. */
    async setChatOptions(options: ChatOptions): Promise<void> {
      const { activeChatId, chats } = store.get();
      if (activeChatId === null) {
        store.dispatch({ type: 'new-chat-options', options });
        return;
      }
      const before = chats.find(({ id }) => id === activeChatId);
      if (before === undefined) return;
      store.dispatch({ type: 'chat', chat: { ...before, options } });
      const chat = await guarded(() => api.ask('chats.options', { chatId: activeChatId, options }));
      // Typing goes on while main saves: only a refusal changes what is shown.
      if (chat === undefined) store.dispatch({ type: 'chat', chat: before });
    },

    /** Makes a preset (null) or changes one. Main tells all windows of it. */
    async savePreset(presetId: string | null, content: PresetContent): Promise<Preset | undefined> {
      return guarded(() => api.ask('presets.save', { presetId, ...content }));
    },

    async removePreset(presetId: string): Promise<void> {
      await guarded(() => api.ask('presets.remove', { presetId }));
    },
  };
}
