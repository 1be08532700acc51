/** The frames of screens: title and engine above, and what the screen shows, in a scrolling column where it is a page. */
import type { ReactNode } from 'react';
import { EngineBanner, EngineChip } from '../engine/engine-status.tsx';
import '../settings/settings.css';

interface ScreenProps {
  readonly title: string;
  /** For rules of this screen alone. */
  readonly className?: string;
  readonly children: ReactNode;
}

export function Screen({ title, className, children }: ScreenProps) {
  return (
    <main className={className === undefined ? 'settings' : `settings ${className}`}>
      <header className="topbar">
        <h1 className="topbar-title">{title}</h1>
        <EngineChip />
      </header>
      <EngineBanner />
      {children}
    </main>
  );
}

/** `content` is the class of the column. */
export function Page({
  content = 'settings-content',
  children,
  ...screen
}: ScreenProps & { readonly content?: string }) {
  return (
    <Screen {...screen}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <div className="settings-scroll" tabIndex={0}>
        <div className={content}>{children}</div>
      </div>
    </Screen>
  );
}
