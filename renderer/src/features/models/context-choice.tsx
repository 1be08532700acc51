/** How many tokens of context a model is loaded with. */
import type { ModelInfo } from '../../../../contract/engine.ts';
import { useAppState, useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';

/** The engine's own choice, as far as the model was trained for it. */
const USUAL = 8192;
const SIZES = [2048, 4096, USUAL, 16_384, 32_768, 65_536, 131_072];

export function ContextChoice({ model: { id, name, contextTrained } }: { model: ModelInfo }) {
  const words = strings.models.context;
  const commands = useCommands();
  const sizes = useAppState((state) => state.settings?.contextSizes);
  const usual = Math.min(USUAL, contextTrained);
  const chosen = sizes?.[id] ?? usual;
  const offered = [...new Set([...SIZES.filter((size) => size < contextTrained), usual, contextTrained, chosen])];
  return (
    <select
      className="select"
      aria-label={words.label(name)}
      title={words.help}
      value={chosen}
      onChange={({ target }) => {
        const { [id]: _before, ...others } = sizes ?? {};
        const size = Number(target.value);
        void commands.changeSettings({ contextSizes: size === usual ? others : { ...others, [id]: size } });
      }}
    >
      {offered
        .sort((a, b) => a - b)
        .map((size) => (
          <option key={size} value={size}>
            {size === usual ? words.usual(size) : words.tokens(size)}
          </option>
        ))}
    </select>
  );
}
