/** The frame of a screen made of sections: its title, the engine's state, and a scrolling column. */
import { type ReactNode, useEffect } from 'react';
import { useAppState, useCommands } from '../../store/context.ts';
import { EngineBanner, EngineChip } from '../engine/engine-status.tsx';
import './settings.css';

/** Also has devices read again, which such screens show. */
export function Page({ title, children }: { title: string; children: ReactNode }) {
  const commands = useCommands();
  const engineState = useAppState((state) => state.engine.state);
  // The engine reports devices, so a change of its state may change them.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => void commands.readDevices(), [commands, engineState]);
  return (
    <main className="settings">
      <header className="topbar">
        <h1 className="topbar-title">{title}</h1>
        <EngineChip />
      </header>
      <EngineBanner />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <div className="settings-scroll" tabIndex={0}>
        <div className="settings-content">{children}</div>
      </div>
    </main>
  );
}
