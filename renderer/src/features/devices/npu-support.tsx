/** What must be there for an NPU to be used, step by step, and the folder of the user's own libraries. */
import { useAppState, useCommands } from '../../store/context.ts';
import { strings } from '../../strings.ts';
import { Row, Section } from '../settings/parts.tsx';

export function NpuSupport() {
  const words = strings.devices.support;
  const commands = useCommands();
  const folder = useAppState((state) => state.settings?.libraryFolder);
  return (
    <Section title={words.title} help={words.help}>
      <ol className="steps">
        {words.steps.map(({ title, text }) => (
          <li key={title}>
            <p className="row-label">{title}</p>
            <p className="row-help">{text}</p>
          </li>
        ))}
      </ol>
      <Row label={words.folder} help={folder === undefined ? words.noFolder : words.folderHelp}>
        {folder !== undefined && <code className="device-folder">{folder}</code>}
        <button type="button" className="button" onClick={() => void commands.chooseLibraryFolder()}>
          {folder === undefined ? words.choose : words.chooseAnother}
        </button>
        {folder !== undefined && (
          <button type="button" className="button" onClick={() => void commands.forgetLibraryFolder()}>
            {words.forget}
          </button>
        )}
      </Row>
    </Section>
  );
}
