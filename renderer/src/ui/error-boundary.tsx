/** Catches what a component throws, so that a bug shows words and a way on instead of an empty window. */
import { Component, type ReactNode } from 'react';
import { AppError } from '../../../contract/errors.ts';
import { strings } from '../strings.ts';
import { ErrorText } from './error-text.tsx';

interface BoundaryProps {
  readonly children: ReactNode;
  /** What else is offered beside reloading. */
  readonly actions?: ReactNode;
  readonly onCaught?: (error: unknown) => void;
}

/** Drafts, chats and answers are main's: reloading loses none of them. */
export class ErrorBoundary extends Component<BoundaryProps, { error?: AppError }> {
  override state: { error?: AppError } = {};

  static getDerivedStateFromError(error: unknown): { error: AppError } {
    return { error: AppError.from(error) };
  }

  override componentDidCatch(error: unknown): void {
    this.props.onCaught?.(error);
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <main className="start-failed" role="alert" data-testid="error-notice">
        <h1>{strings.start.failed}</h1>
        <ErrorText error={error.toInfo()} />
        <p className="start-failed-actions">
          <button type="button" className="button is-primary" onClick={() => window.location.reload()}>
            {strings.start.reload}
          </button>
          {this.props.actions}
        </p>
      </main>
    );
  }
}
