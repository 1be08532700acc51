/** What can be done with a comparison: stopped, exported, deleted. */
import { useState } from 'react';
import type { KeptComparison } from '../../../../contract/compare.ts';
import { useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { MoreIcon } from '../../ui/icons.tsx';
import { MenuButton } from '../../ui/menu.tsx';

export function ComparisonBar({ comparison: { id, state }, status }: { comparison: KeptComparison; status: string }) {
  const words = strings.compare;
  const commands = useCommands();
  const [removing, setRemoving] = useState(false);
  return (
    <div className="compare-bar">
      <span className="compare-state" role="status" data-testid="comparison-status">
        {status}
      </span>
      {state === 'running' && (
        <button
          type="button"
          className="button"
          title={words.stopHelp}
          onClick={() => void commands.stopComparison(id)}
        >
          {words.stop}
        </button>
      )}
      <MenuButton
        label={words.export}
        size="normal"
        entries={[
          { label: words.exportHtml, onSelect: () => void commands.exportComparison(id, 'html') },
          { label: words.exportPng, onSelect: () => void commands.exportComparison(id, 'png') },
          { label: words.exportJson, onSelect: () => void commands.exportComparison(id, 'json') },
          'separator',
          { label: words.remove, danger: true, onSelect: () => setRemoving(true) },
        ]}
      >
        <MoreIcon />
      </MenuButton>
      {removing && (
        <Confirm
          title={words.removeTitle}
          text={words.removeText}
          action={words.remove}
          danger
          onCancel={() => setRemoving(false)}
          onConfirm={() => {
            setRemoving(false);
            void commands.removeComparison(id);
          }}
        />
      )}
    </div>
  );
}
