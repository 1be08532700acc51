import { AppError } from '../../contract/errors.ts';
import type { modelChannels } from '../../contract/models.ts';
import type { ModelKeeper } from '../chat/model-keeper.ts';
import type { Downloads } from '../library/downloads.ts';
import type { Handlers } from './router.ts';

/** Models of this machine and the long jobs about them. */
export function modelHandlers(keeper: ModelKeeper, downloads: Downloads): Handlers<keyof typeof modelChannels> {
  const later = () => {
    throw new AppError('internal', 'This is being built.');
  };
  return {
    'models.list': () => keeper.models(),
    'models.jobs': () => downloads.list().map((status) => ({ kind: 'download', status })),
    'models.import': later,
    'models.drop': later,
    'models.verify': later,
    'models.cancel': later,
    'models.remove': later,
    'models.unload': later,
    'models.fit': () => null,
  };
}
