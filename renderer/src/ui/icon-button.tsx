/** A button that shows an icon only; its label is read aloud and shown on hover. */
import type { ComponentProps } from 'react';

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label' | 'className'> {
  readonly label: string;
  /** What hovering shows, where that is more than the label. */
  readonly hint?: string;
  readonly size?: 'small' | 'normal';
  readonly tone?: 'plain' | 'accent';
  /** For a button that shows where one is or that something is on. */
  readonly on?: boolean;
}

export function IconButton({ label, hint, size = 'normal', tone = 'plain', on = false, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`icon-button icon-button-${size} icon-button-${tone}${on ? ' is-on' : ''}`}
      aria-label={label}
      title={hint ?? label}
    />
  );
}
