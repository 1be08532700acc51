/** The whole window behind a boundary that tells main of what broke and offers the diagnostics. */
import { App } from '../../app.tsx';
import { useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { ErrorBoundary } from '../../ui/error-boundary.tsx';

export function GuardedApp() {
  const commands = useCommands();
  return (
    <ErrorBoundary
      onCaught={(error) => void commands.reportCrash(error)}
      actions={
        <button type="button" className="button" onClick={() => void commands.copyDiagnostics()}>
          {strings.actions.copyDiagnostics}
        </button>
      }
    >
      <App />
    </ErrorBoundary>
  );
}
