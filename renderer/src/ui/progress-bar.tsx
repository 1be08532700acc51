/** A thin bar: how much of a known whole is done, or a calm still bar while the whole is not known. */
export function ProgressBar({ done, total, label }: { done: number; total: number; label: string }) {
  const known = total > 0;
  const share = known ? Math.min(1, Math.max(0, done / total)) : 0;
  return (
    <div
      className={`progress${known ? '' : ' progress-unknown'}`}
      role="progressbar"
      aria-label={label}
      {...(known ? { 'aria-valuemin': 0, 'aria-valuemax': 100, 'aria-valuenow': Math.round(share * 100) } : {})}
    >
      <div className="progress-fill" style={{ transform: `scaleX(${known ? share : 1})` }} />
    </div>
  );
}
