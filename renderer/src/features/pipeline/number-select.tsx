/** A choice among numbered things. */
interface NumberSelectProps {
  readonly label: string;
  readonly count: number;
  readonly value: number;
  readonly name: (index: number) => string;
  readonly onChange: (value: number) => void;
}

export function NumberSelect({ label, count, value, name, onChange }: NumberSelectProps) {
  return (
    <select
      className="select"
      aria-label={label}
      value={value}
      onChange={({ target }) => onChange(Number(target.value))}
    >
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: numbered
        <option key={index} value={index}>
          {name(index)}
        </option>
      ))}
    </select>
  );
}
