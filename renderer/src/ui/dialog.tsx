/** A modal dialog: the page behind it is out of reach, Esc and a click beside it close it, the focus goes back. */
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef } from 'react';
import { strings } from '../strings.ts';
import './dialog.css';
import { IconButton } from './icon-button.tsx';
import { CloseIcon } from './icons.tsx';

interface DialogProps {
  readonly title: string;
  /** Called for Esc, the close button and a click beside the dialog. The dialog stays until its owner removes it. */
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Buttons at the bottom, the one that goes on last. */
  readonly footer?: ReactNode;
  readonly size?: 'small' | 'wide';
}

/** The first focus goes to what has `autoFocus`, else to the first control in it. */
export function Dialog({ title, onClose, children, footer, size = 'small' }: DialogProps) {
  const titleId = useId();
  return (
    <Modal className={`dialog dialog-${size}`} labelledBy={titleId} onClose={onClose}>
      <header className="dialog-head">
        <h2 id={titleId}>{title}</h2>
        <IconButton label={strings.dialog.close} size="small" onClick={onClose}>
          <CloseIcon size={16} />
        </IconButton>
      </header>
      <div className="dialog-body">{children}</div>
      {footer !== undefined && <footer className="dialog-foot">{footer}</footer>}
    </Modal>
  );
}

interface ModalProps {
  readonly className: string;
  readonly labelledBy?: string;
  readonly label?: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** The bare modal, for what has a frame of its own. */
export function Modal({ className, labelledBy, label, onClose, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const pressedBeside = useRef(false);
  const close = useRef(onClose);
  close.current = onClose;

  useLayoutEffect(() => {
    const element = dialog.current;
    if (element === null) return;
    const before = document.activeElement;
    element.showModal();
    element.querySelector<HTMLElement>('[data-autofocus]')?.focus();
    return () => {
      element.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);

  useEffect(() => {
    const element = dialog.current;
    // Esc: the owner decides, and closing comes with removal.
    function onCancel(event: Event): void {
      event.preventDefault();
      close.current();
    }
    element?.addEventListener('cancel', onCancel);
    return () => element?.removeEventListener('cancel', onCancel);
  }, []);

  return (
    <dialog
      ref={dialog}
      className={className}
      aria-labelledby={labelledBy}
      aria-label={label}
      onPointerDown={(event) => {
        pressedBeside.current = event.target === dialog.current;
      }}
      // A selection that ends beside the dialog did not begin there.
      onClick={(event) => {
        if (event.target === dialog.current && pressedBeside.current) onClose();
      }}
      onKeyDown={(event) => {
        // Keys of the window behind stay out of reach.
        if (event.key === 'Escape') event.stopPropagation();
      }}
    >
      <div className="dialog-frame">{children}</div>
    </dialog>
  );
}

interface ConfirmProps {
  readonly title: string;
  readonly text: ReactNode;
  /** What happens, as a verb: "Delete". */
  readonly action: string;
  readonly danger?: boolean;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

/** Asks before something that cannot be undone. Cancel has the focus. */
export function Confirm({ title, text, action, danger = false, onConfirm, onCancel }: ConfirmProps) {
  return (
    <Dialog
      title={title}
      onClose={onCancel}
      footer={
        <>
          <button type="button" className="button" data-autofocus="" onClick={onCancel}>
            {strings.dialog.cancel}
          </button>
          <button type="button" className={`button${danger ? ' is-danger' : ' is-primary'}`} onClick={onConfirm}>
            {action}
          </button>
        </>
      }
    >
      {text}
    </Dialog>
  );
}
