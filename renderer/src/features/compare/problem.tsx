/** Why a comparison, or one way of it, failed. */
import type { ErrorInfo } from '../../../../contract/errors.ts';
import { ErrorText } from '../../ui/error-text.tsx';

export function Problem({ error }: { error: ErrorInfo }) {
  return (
    <div className="compare-problem" role="alert">
      <ErrorText error={error} />
    </div>
  );
}
