/** A key as caps in a row. */
import { capsOf } from './keys.ts';

export function Keys({ keys }: { keys: string }) {
  return (
    <kbd className="keys">
      {capsOf(keys).map((cap) => (
        <kbd key={cap} className="key-cap">
          {cap}
        </kbd>
      ))}
    </kbd>
  );
}
