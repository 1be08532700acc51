/** A parser process that does what the file's name says: "hang", "die CODE", "garble", "loop" (ignores everything). */
process.on('message', (/** @type {{ requestId: string, path: string }} */ { requestId, path }) => {
  const [word = '', rest] = path.split(/[/\\]/).at(-1)?.split(' ') ?? [];
  process.send?.({ type: 'page', requestId, page: { number: 1, text: 'first' } });
  if (word === 'die') process.exit(Number(rest));
  if (word === 'garble') process.send?.({ type: 'page', requestId, page: { number: 'one' } });
  if (word === 'loop') for (;;);
});
