/** The server that downloads come from, for where Hugging Face cannot be reached. */
import { useState } from 'react';
import { isDownloadAddress } from '../../../../contract/addresses.ts';
import { useAppState, useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { Row } from '../settings/parts.tsx';

export function DownloadServer() {
  const words = strings.models.server;
  const commands = useCommands();
  const kept = useAppState((state) => state.settings?.downloadServer ?? '');
  const [text, setText] = useState(kept);
  const [wrong, setWrong] = useState(false);

  function keep(): void {
    const address = text.trim();
    const sound = address === '' || isDownloadAddress(address);
    setWrong(!sound);
    if (sound && address !== kept) {
      void commands.changeSettings({ downloadServer: address === '' ? undefined : address });
    }
  }

  return (
    <Row label={words.label} help={words.help}>
      <div className="server-form">
        <input
          type="url"
          value={text}
          placeholder="https://huggingface.co"
          aria-label={words.label}
          aria-invalid={wrong}
          spellCheck={false}
          maxLength={300}
          onChange={({ target }) => setText(target.value)}
          onBlur={keep}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.nativeEvent.isComposing) keep();
          }}
        />
        {wrong && (
          <p className="server-wrong" role="alert">
            {words.wrong}
          </p>
        )}
      </div>
    </Row>
  );
}
