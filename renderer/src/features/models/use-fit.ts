/** The fit of a model that is here; asked again whenever what is loaded changes, since that changes what is free. */
import { useEffect, useState } from 'react';
import type { WeightFlavour } from '../../../../contract/engine.ts';
import type { ModelFit } from '../../../../contract/models.ts';
import { useAppState, useCommands } from '../../store/context.ts';

/** Null until it is known, and where the model cannot be read. */
export function useFit(modelId: string, weights: WeightFlavour, contextSize: number | undefined): ModelFit | null {
  const commands = useCommands();
  const engineState = useAppState((state) => state.engine.state);
  const [fit, setFit] = useState<ModelFit | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    let current = true;
    void commands.fitOf(modelId, weights, contextSize).then((known) => {
      if (current) setFit(known);
    });
    return () => {
      current = false;
    };
  }, [commands, modelId, weights, contextSize, engineState]);
  return fit;
}
