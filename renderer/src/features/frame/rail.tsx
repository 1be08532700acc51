/** The narrow bar on the left that leads to the screens. */
import { useAppState, useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { ChatIcon, ChipIcon, Mark, ModelsIcon, MoonIcon, SettingsIcon, SunIcon } from '../../ui/icons.tsx';
import { useDarkNow } from './theme.ts';

export function Rail() {
  const commands = useCommands();
  const view = useAppState((state) => state.view);
  const theme = useAppState((state) => state.settings?.theme ?? 'system');
  const dark = useDarkNow(theme);
  return (
    <nav className="rail" aria-label={strings.rail.label}>
      <span className="rail-mark">
        <Mark size={28} />
      </span>
      <IconButton
        label={strings.rail.chat}
        on={view === 'chat'}
        aria-current={view === 'chat' ? 'page' : undefined}
        onClick={() => commands.setView('chat')}
      >
        <ChatIcon />
      </IconButton>
      <IconButton
        label={strings.rail.models}
        on={view === 'models'}
        aria-current={view === 'models' ? 'page' : undefined}
        onClick={() => commands.setView('models')}
      >
        <ModelsIcon />
      </IconButton>
      <IconButton
        label={strings.rail.devices}
        on={view === 'devices'}
        aria-current={view === 'devices' ? 'page' : undefined}
        onClick={() => commands.setView('devices')}
      >
        <ChipIcon />
      </IconButton>
      <span className="rail-space" />
      <IconButton
        label={dark ? strings.rail.toLight : strings.rail.toDark}
        data-testid="theme-toggle"
        onClick={() => void commands.changeSettings({ theme: dark ? 'light' : 'dark' })}
      >
        {dark ? <SunIcon /> : <MoonIcon />}
      </IconButton>
      <IconButton
        label={strings.rail.settings}
        on={view === 'settings'}
        aria-current={view === 'settings' ? 'page' : undefined}
        onClick={() => commands.setView('settings')}
      >
        <SettingsIcon />
      </IconButton>
    </nav>
  );
}
