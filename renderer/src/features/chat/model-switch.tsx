/** The model that answers, and the way to another one, without leaving the chat. */
import { useState } from 'react';
import { formatBytes } from '../../format.ts';
import { useAppState, useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { ChevronDownIcon } from '../../ui/icons.tsx';
import { Menu, type MenuAnchor, type MenuItem } from '../../ui/menu.tsx';

export function ModelSwitch() {
  const commands = useCommands();
  const engine = useAppState((state) => state.engine);
  const models = useAppState((state) => state.models);
  const [anchor, setAnchor] = useState<MenuAnchor>();
  if (engine.state !== 'ready' && engine.state !== 'unloaded') return null;
  const current = engine.state === 'ready' ? engine.model.name : engine.modelName;
  const usable = (models ?? []).filter(({ problem }) => problem === undefined);
  const entries = usable.map(({ id, name, bytes }): MenuItem => {
    const chosen = engine.state === 'ready' ? id === engine.model.id : name === current;
    return {
      label: chosen ? name : `${name} · ${formatBytes(bytes)}`,
      checked: chosen,
      onSelect: () => {
        if (!chosen || engine.state === 'unloaded') void commands.loadModel(id);
      },
    };
  });
  const nothing: MenuItem = { label: strings.modelSwitch.empty, disabled: true, onSelect: () => undefined };
  return (
    <>
      <IconButton
        label={strings.modelSwitch.label}
        hint={strings.modelSwitch.hint(current)}
        size="small"
        aria-haspopup="menu"
        aria-expanded={anchor !== undefined}
        onClick={({ currentTarget }) => {
          const below = currentTarget.getBoundingClientRect();
          // Asked for each time: models come and go outside this window.
          void commands.readModels().then(() => setAnchor({ below }));
        }}
      >
        <ChevronDownIcon size={16} />
      </IconButton>
      {anchor !== undefined && (
        <Menu
          label={strings.modelSwitch.label}
          entries={entries.length > 0 ? entries : [nothing]}
          anchor={anchor}
          onClose={() => setAnchor(undefined)}
        />
      )}
    </>
  );
}
