/** For tests that a file is refused: the AppError itself, or a failed test that shows what came instead. */
import { AppError } from '../../../contract/errors.ts';

/** What `attempt` throws or rejects with, which must be an AppError. */
export async function refusal(attempt: () => unknown): Promise<AppError> {
  try {
    await attempt();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('expected a refusal, but it was accepted');
}
