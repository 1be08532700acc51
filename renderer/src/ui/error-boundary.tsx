/** Catches what a component throws, so that a bug shows words and a way on instead of an empty window. */
import { Component, type ReactNode } from 'react';
import { AppError } from '../../../contract/errors.ts';
import { strings } from '../strings.ts';
import { ErrorText } from './error-text.tsx';

export class ErrorBoundary extends Component<{ children: ReactNode }, { error?: AppError }> {
  override state: { error?: AppError } = {};

  static getDerivedStateFromError(error: unknown): { error: AppError } {
    return { error: AppError.from(error) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <main className="start-failed" role="alert" data-testid="error-notice">
        <h1>{strings.start.failed}</h1>
        <ErrorText error={error.toInfo()} />
        <button type="button" className="button" onClick={() => window.location.reload()}>
          {strings.start.reload}
        </button>
      </main>
    );
  }
}
