/** An answer of 20,000 tokens, which no model in these tests could write: the test feeds it to the window in main's place. */
import type { ElectronApplication } from '@playwright/test';

/** So many characters stand for a token. */
const CHARACTERS_PER_TOKEN = 4;

const PARTS = [
  (n: number) => `## Section ${n}\n\n`,
  (n: number) =>
    `The keeper of lighthouse **${n}** wrote that the sea was *grey* and the wind came from the \`north-west\`; it cost him $${n} and a night without sleep. He counted the ships again, found one more than before, and noted it in the book that nobody would ever read.\n\n`,
  (n: number) =>
    `1. First, look at ship ${n}.\n2. Then count the lamps:\n   - the red one\n   - the green one\n3. Write it down.\n\n`,
  (n: number) =>
    `| hour | ships | light |\n|---|--:|---|\n| ${n} | ${n * 3} | red |\n| ${n + 1} | ${n * 5} | green |\n\n`,
  (n: number) =>
    `\`\`\`python\ndef count_ships(hour: int) -> int:\n    """Counts what passes in an hour."""\n    ships = [ship for ship in harbour if ship.hour == ${n}]\n    return len(ships)  # all of them\n\`\`\`\n\n`,
  (n: number) => `So the mean is $\\bar{x}_{${n}}$, that is\n\n$$\n\\bar{x} = \\frac{1}{n} \\sum_{i=1}^{n} x_i\n$$\n\n`,
  (n: number) => `灯塔看守人第${n}次写道，大海是灰色的，风从西北方向吹来，他又数了一遍船只。\n\n`,
];

/** Markdown of all kinds, `tokens` long, with a last line that a test can wait for. */
export function longAnswer(tokens: number): string {
  let text = '';
  for (let n = 0; text.length < tokens * CHARACTERS_PER_TOKEN; n += 1) text += PARTS[n % PARTS.length]?.(n) ?? '';
  return `${text}The end of the long answer.`;
}

/**
 * From now on main answers every question with `text` instead of asking the engine: `atOnce` tokens of it as the first
 * event, the rest at `tokensPerSecond`.
 */
export async function feedAnswers(
  app: ElectronApplication,
  text: string,
  atOnce: number,
  tokensPerSecond: number,
): Promise<void> {
  const perTick = Math.max(1, Math.round((tokensPerSecond * CHARACTERS_PER_TOKEN) / 50));
  await app.evaluate(
    ({ ipcMain, BrowserWindow }, { whole, first, step }) => {
      const path: Record<string, unknown>[] = [];
      const ok = (value: unknown) => ({ ok: true, value });
      const tell = (event: unknown) => BrowserWindow.getAllWindows()[0]?.webContents.send('app-event', event);
      ipcMain.removeHandler('messages.list');
      ipcMain.handle('messages.list', () => ok(path));
      ipcMain.removeHandler('messages.send');
      ipcMain.handle('messages.send', (_event, { chatId, text: asked }: { chatId: string; text: string }) => {
        const at = path.length;
        const common = { chatId, createdAt: Date.now() };
        const question = { ...common, id: `q${at}`, parentId: null, role: 'user', text: asked, state: 'complete' };
        const answer = { ...common, id: `a${at}`, parentId: `q${at}`, role: 'assistant', text: '', state: 'streaming' };
        path.push(question, answer);
        const timer = setInterval(() => {
          const offset = answer.text.length;
          const delta = whole.slice(offset, offset + (offset === 0 ? first : step));
          answer.text += delta;
          tell({ type: 'delta', chatId, messageId: answer.id, offset, delta, tokensPerSecond: 200 });
          if (answer.text.length < whole.length) return;
          clearInterval(timer);
          answer.state = 'complete';
          tell({ type: 'message', message: answer });
        }, 20);
        return ok({ question, answer: { ...answer } });
      });
    },
    { whole: text, first: atOnce * CHARACTERS_PER_TOKEN, step: perTick },
  );
}
