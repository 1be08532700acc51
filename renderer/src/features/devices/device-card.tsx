/** One device: what it is, where it stands, and what can be done about that. */
import { useId } from 'react';
import type { DeviceInfo, SelfTest } from '../../../../contract/engine.ts';
import { formatBytes, formatSeconds } from '../../format.ts';
import { useAppState, useCommands } from '../../store/context.ts';
import { type Strings, strings } from '../../strings.ts';
import { told } from '../../ui/told.ts';

export function DeviceCard({ device }: { device: DeviceInfo }) {
  const words = strings.devices;
  const { type, executionProvider, epVersion, driver, usable, reason, remedy, phrases, selfTest } = device;
  const name = told(device.name, phrases?.name);
  const nameId = useId();
  const state = stateOf(device);
  const facts = [
    [executionProvider, epVersion].filter(Boolean).join(' '),
    ...(driver === undefined ? [] : [words.driver(driver)]),
  ];
  return (
    <li className="device" aria-labelledby={nameId} data-state={state}>
      <span className="badge">{words.types[type]}</span>
      <div className="device-words">
        <p className="entry-name" id={nameId}>
          {name}
        </p>
        <p className="entry-facts">{facts.join(' · ')}</p>
        {!usable && (
          <p className="entry-reason">{reason === undefined ? words.noReason : told(reason, phrases?.reason)}</p>
        )}
        {remedy !== undefined && <p className="device-remedy">{told(remedy, phrases?.remedy)}</p>}
        {selfTest?.passed && <p className="entry-facts device-figures">{figuresOf(selfTest)}</p>}
      </div>
      <div className="device-state">
        <span className={`badge${state === 'tested' ? ' is-good' : ''}`}>{words.states[state]}</span>
        {canBeTested(device) && <TestButton device={device} />}
      </div>
    </li>
  );
}

function TestButton({ device: { id, name, selfTest } }: { device: DeviceInfo }) {
  const words = strings.devices;
  const commands = useCommands();
  const busy = useAppState((state) => state.deviceTest.state === 'running');
  return (
    <button
      type="button"
      className="button"
      disabled={busy}
      aria-label={words.testOne(name)}
      onClick={() => void commands.testDevices(id)}
    >
      {selfTest === undefined ? words.test : words.testAgain}
    </button>
  );
}

type State = keyof Strings['devices']['states'];

function stateOf({ usable, virtual, selfTest }: DeviceInfo): State {
  if (virtual) return 'virtual';
  if (!usable) return 'unusable';
  return selfTest?.passed ? 'tested' : 'untested';
}

/** An entry that only explains something takes no graphs. */
function canBeTested({ virtual, flavours }: DeviceInfo): boolean {
  return !virtual && flavours.length > 0;
}

function figuresOf({ seconds, pilotMs, linearMs, worstError, memoryBytes }: SelfTest): string {
  const words = strings.devices;
  return [
    words.passed(formatSeconds(seconds)),
    ...(pilotMs === undefined ? [] : [words.pilotTime(pilotMs)]),
    ...(linearMs === undefined ? [] : [words.linearTime(linearMs)]),
    ...(worstError === undefined ? [] : [words.worstError(worstError)]),
    ...(memoryBytes === undefined ? [] : [formatBytes(memoryBytes)]),
  ].join(' · ');
}
