/** The overview of all keys, by group. */
import { useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ACTION_GROUPS } from '../frame/action.ts';
import { actions } from '../frame/actions.ts';
import { Keys } from './key-caps.tsx';
import './shortcuts.css';

export function ShortcutsDialog() {
  const commands = useCommands();
  const words = strings.shortcuts;
  return (
    <Dialog title={words.title} size="wide" onClose={() => commands.setOverlay(null)}>
      <div className="shortcuts">
        {ACTION_GROUPS.map((group) => {
          const members = actions.filter((action) => action.group === group && action.keys !== undefined);
          if (members.length === 0) return null;
          return (
            <section key={group} aria-label={words.groups[group]}>
              <h3>{words.groups[group]}</h3>
              <dl>
                {members.map(({ id, label, keys = [] }) => (
                  <div key={id} className="shortcut">
                    <dt>{label()}</dt>
                    <dd>
                      {keys.map((key) => (
                        <Keys key={key} keys={key} />
                      ))}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          );
        })}
      </div>
    </Dialog>
  );
}
