/**
 * An engine process for tests that speaks the contract over a real process channel and does what the question says:
 * "say a|b|c", "wait MS", "die CODE", "signal NAME", "hang", "turns" (answers with the turns as JSON), "for MODE WORDS" (only
 * with that attention). Several such words are separated by newlines. A character is a token. An answer that goes on says what it goes on from. What it is asked for
 * titles and notes is in the script. `SCRIPT` in the environment holds what spawn-scripted.ts calls Script.
 */
const script = JSON.parse(process.env.SCRIPT ?? '{}');
/** @type {Map<string, () => void>} */
const cancels = new Map();
let busy = false;
let measured = false;
/** Devices that the last load was told to leave out. */
/** @type {string[]} */
let excluded = [];

/** @param {string} requestId */
function reporter(requestId) {
  let seq = 0;
  /** @param {Record<string, unknown>} report */
  return (report) => process.send?.({ ...report, requestId, seq: seq++ });
}

/** @typedef {{ kind: string, text?: string, turns?: { role: string, content: string }[] }} Item */

/** @param {Item} item */
function tokensOf({ turns = [], text = '' }) {
  return turns.reduce((sum, turn) => sum + turn.content.length, text.length);
}

/** What is to be done: the question's words, or the script's for what the app asks by itself. */
function wordsFor(/** @type {Item} */ { kind, turns, text }) {
  const question = turns?.at(-1)?.content ?? '';
  if (kind === 'continue') return `say  [after ${text}]`;
  if (question.startsWith('Write a title')) return script.title ?? 'say Untitled. Sorry.';
  if (question.startsWith('Summarise our conversation so far, so')) return script.note ?? '';
  return question;
}

/** @param {{ type: string, requestId: string, prompt: Item, cutTo?: number, sampling?: object, attention: { mode: string } }} command */
async function generate({ type, requestId, prompt, cutTo = Number.MAX_VALUE, sampling, attention }) {
  const report = reporter(requestId);
  const failed = (/** @type {object} */ error) => report({ type: 'failed', error });
  if (busy) return failed({ kind: 'engine-busy', message: 'Another request is being answered.' });
  const size = Math.min(tokensOf(prompt), cutTo);
  if (script.limit !== undefined && size > script.limit) {
    return failed({ kind: 'context-overflow', message: `${size} of ${script.limit} tokens.` });
  }
  busy = true;
  let cancelled = false;
  let wake = () => {};
  cancels.set(requestId, () => {
    cancelled = true;
    wake();
  });
  let text = '';
  let tokens = 0;
  let finishReason = 'stop';
  /** @type {object[] | undefined} */
  let problems;
  const say = (/** @type {string} */ delta) => {
    text += delta;
    tokens += 1;
    report({ type: 'delta', text: delta, completionTokens: tokens });
  };
  report({ type: 'progress', progress: { stage: 'prefill', done: size, total: size } });
  const others = new RegExp(`^for (?!${attention.mode} )`);
  const lines = wordsFor(prompt)
    .split('\n')
    .filter((/** @type {string} */ line) => !others.test(line))
    .map((/** @type {string} */ line) => line.replace(/^for \S+ /, ''));
  for (const line of lines) {
    if (cancelled) break;
    const [word, rest = ''] = line.split(/ (.*)/s);
    if (word === 'say') for (const delta of rest.split('|')) say(delta);
    else if (word === 'use') report({ type: 'using', uses: [{ device: rest, part: 'linear' }] });
    else if (word === 'crash-on' && !excluded.includes(rest)) {
      report({ type: 'using', uses: [{ device: rest, part: 'linear' }] });
      await new Promise((resolve) => setTimeout(resolve, 50));
      process.kill(process.pid, 'SIGSEGV');
      await new Promise(() => {});
    } else if (word === 'hung') problems = [{ device: rest, part: 'linear', reason: 'It hangs.', hung: true }];
    else if (word === 'turns') say(JSON.stringify(prompt.turns));
    else if (word === 'sampling') say(JSON.stringify(sampling));
    else if (word === 'full') finishReason = 'length';
    else if (word === 'die') process.exit(Number(rest));
    else if (word === 'signal') process.kill(process.pid, rest);
    else if (word === 'hang') await new Promise(() => {});
    else if (word === 'garble') report({ type: 'delta', text: 5 });
    else if (word === 'wait') {
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, Number(rest));
        wake = () => {
          clearTimeout(timer);
          resolve(undefined);
        };
      });
    }
  }
  busy = false;
  cancels.delete(requestId);
  const result = {
    text,
    tokenIds: type === 'trial' ? Array.from({ length: tokens }, (_, i) => i) : [],
    promptTokens: size,
    cachedTokens: 0,
    completionTokens: tokens,
    finishReason: cancelled ? 'cancelled' : finishReason,
    prefill: { seconds: 1, tokensPerSecond: size },
    decode: { seconds: 1, tokensPerSecond: tokens },
    firstTokenMs: 1,
    attention: { ...attention, pilotDevice: null },
    device: 'CPU',
    ...(problems ? { deviceProblems: problems } : {}),
    model: 'scripted',
    weights: 'fast',
  };
  report(type === 'trial' ? { type: 'tried', trial: { result, peakBytes: 1000 } } : { type: 'finished', result });
}

/** Takes `calibrationMs`; fails as `calibrationError` says. */
function calibrate(/** @type {{ requestId: string }} */ { requestId }) {
  const report = reporter(requestId);
  if (script.calibrationError) return report({ type: 'failed', error: script.calibrationError });
  report({ type: 'progress', progress: { stage: 'calibrate', done: 1, total: 4, secondsLeft: 90 } });
  const end = setTimeout(() => report({ type: 'calibrated' }), script.calibrationMs ?? 0);
  cancels.set(requestId, () => {
    clearTimeout(end);
    report({ type: 'failed', error: { kind: 'cancelled', message: 'Stopped.' } });
  });
}

process.on('message', (/** @type {any} */ command) => {
  const report = reporter(command.requestId);
  if (command.type === 'models') report({ type: 'models', models: script.models ?? [] });
  else if (command.type === 'devices') report({ type: 'devices', devices: [] });
  else if (command.type === 'count-tokens') report({ type: 'counted', counts: command.items.map(tokensOf) });
  else if (command.type === 'cancel') cancels.get(command.target)?.();
  else if (command.type === 'generate' || command.type === 'trial') void generate(command);
  else if (command.type === 'agreement' && command.attention.mode === 'full') report({ type: 'agreement' });
  else if (command.type === 'agreement')
    report({ type: 'agreement', agreement: { tokens: command.answer.length, top1: 0.5, kl: 0.25 } });
  else if (command.type === 'calibrate') calibrate(command);
  else if (command.type === 'unload') report({ type: 'unloaded' });
  else if (command.type === 'remove-model') {
    script.models = (script.models ?? []).filter((/** @type {{ id: string }} */ { id }) => id !== command.model);
    report({ type: 'removed' });
  } else if (command.type === 'measure-devices') {
    measured = true;
    report({ type: 'measured', places: [], changed: true });
  } else if (script.dieOnLoad) process.exit(script.dieOnLoad);
  else if (script.loadError) report({ type: 'failed', error: script.loadError });
  else {
    for (const done of [0, 50, 100]) report({ type: 'progress', progress: { stage: 'import', done, total: 100 } });
    const { model, weights, exclude = [] } = command;
    excluded = exclude.map((/** @type {{ device: string }} */ { device }) => device);
    report({
      type: 'loaded',
      model: {
        id: model,
        name: model,
        weights,
        contextSize: script.limit ?? 100_000,
        device: measured ? 'NPU' : 'CPU',
        threads: 1,
        parameters: 1e9,
        calibrated: false,
        unmeasured: script.unmeasured === true && !measured,
      },
    });
  }
});
