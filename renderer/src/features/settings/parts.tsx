/** The frame that all settings share: a titled section, and a row with a label, an explanation and a control. */
import type { ReactNode } from 'react';

export function Section({ title, help, children }: { title: string; help?: string; children: ReactNode }) {
  return (
    <section className="section" aria-label={title}>
      <h2>{title}</h2>
      {help !== undefined && <p className="section-help">{help}</p>}
      <div className="section-body">{children}</div>
    </section>
  );
}

export function Row({ label, help, children }: { label: ReactNode; help?: ReactNode; children: ReactNode }) {
  return (
    <div className="row">
      <div className="row-words">
        <div className="row-label">{label}</div>
        {help !== undefined && <p className="row-help">{help}</p>}
      </div>
      <div className="row-control">{children}</div>
    </div>
  );
}
