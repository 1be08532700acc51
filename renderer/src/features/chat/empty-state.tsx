/** A chat without messages: what this is, and three ways to begin. */
import { useAppState, useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { Mark } from '../../ui/icons.tsx';
import { focusComposer } from '../frame/focus.ts';

export function EmptyState() {
  const commands = useCommands();
  const noModel = useAppState((state) => state.engine.state === 'no-model');
  return (
    <div className="empty">
      <div className="empty-inner">
        <Mark size={44} />
        <h1>{strings.empty.title}</h1>
        <p>{strings.empty.privacy}</p>
        {!noModel && (
          <ul className="empty-prompts">
            {strings.empty.prompts.map(({ title, text }) => (
              <li key={title}>
                <button
                  type="button"
                  className="empty-prompt"
                  onClick={() => {
                    commands.setDraft(text);
                    focusComposer();
                  }}
                >
                  <span className="empty-prompt-title">{title}</span>
                  <span className="empty-prompt-text">{text}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
