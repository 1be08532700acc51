/** The narrow bar at the side that leads to the screens. */
import { useAppState, useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Mark, MoonIcon, SunIcon } from '../../ui/icons.tsx';
import { useDarkNow } from './theme.ts';
import { type ViewEntry, views } from './views.tsx';

export function Rail() {
  return (
    <nav className="rail" aria-label={strings.rail.label}>
      <span className="rail-mark">
        <Mark size={28} />
      </span>
      {views
        .filter(({ view }) => view !== 'settings')
        .map((entry) => (
          <ViewButton key={entry.view} {...entry} />
        ))}
      <span className="rail-space" />
      <ThemeButton />
      {views
        .filter(({ view }) => view === 'settings')
        .map((entry) => (
          <ViewButton key={entry.view} {...entry} />
        ))}
    </nav>
  );
}

function ViewButton({ view, label, icon }: ViewEntry) {
  const commands = useCommands();
  const here = useAppState((state) => state.view === view);
  return (
    <IconButton
      label={label()}
      on={here}
      aria-current={here ? 'page' : undefined}
      onClick={() => commands.setView(view)}
    >
      {icon}
    </IconButton>
  );
}

function ThemeButton() {
  const commands = useCommands();
  const theme = useAppState((state) => state.settings?.theme ?? 'system');
  const dark = useDarkNow(theme);
  return (
    <IconButton
      label={dark ? strings.rail.toLight : strings.rail.toDark}
      data-testid="theme-toggle"
      onClick={() => void commands.changeSettings({ theme: dark ? 'light' : 'dark' })}
    >
      {dark ? <SunIcon /> : <MoonIcon />}
    </IconButton>
  );
}
