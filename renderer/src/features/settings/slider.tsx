/** A slider with its value beside it. It moves at once and reports when it is let go. */
import { useEffect, useState } from 'react';

interface SliderProps {
  readonly id?: string;
  readonly label: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly format: (value: number) => string;
  readonly onChange: (value: number) => void;
}

export function Slider({ id, label, value, min, max, step, format, onChange }: SliderProps) {
  const [moved, setMoved] = useState(value);
  useEffect(() => setMoved(value), [value]);

  function report(): void {
    if (moved !== value) onChange(moved);
  }

  return (
    <div className="slider">
      <input
        id={id}
        type="range"
        aria-label={label}
        aria-valuetext={format(moved)}
        min={min}
        max={max}
        step={step}
        value={moved}
        onChange={(event) => setMoved(Number(event.target.value))}
        onPointerUp={report}
        onKeyUp={report}
        onBlur={report}
      />
      <output>{format(moved)}</output>
    </div>
  );
}
