/** `calibrate`: measures a model's attention over a text, so that each head can keep the share of keys that it needs. */
import { AppError } from '../../contract/errors.ts';
import type { AttentionCalibration } from '../engine/model/attention-calibration.ts';
import { EXIT } from './exit.ts';
import { readText } from './inputs.ts';
import type { Interrupt } from './interrupt.ts';
import type { OptionValues } from './options.ts';
import { note, ProgressLine, print, printJson } from './output.ts';
import { modelReference, withEngine } from './session.ts';

/** Prints a summary, or with --json the whole calibration. Returns the exit code. */
export function calibrate(args: readonly string[], values: OptionValues, interrupt: Interrupt): Promise<number> {
  const text = values.text === undefined ? undefined : readText(values.text);
  return withEngine(async (engine) => {
    const progress = new ProgressLine();
    try {
      const calibration = await engine.calibrate(
        {
          model: await modelReference(engine, args[0]),
          weights: values.weights ?? 'fast',
          ...(values.threads === undefined ? {} : { threads: values.threads }),
          ...(text === undefined ? {} : { text }),
        },
        { onProgress: progress.show, signal: interrupt.signal },
      );
      progress.clear();
      if (values.json) printJson({ calibration });
      else print(summary(calibration));
      return EXIT.ok;
    } catch (thrown) {
      progress.clear();
      if (AppError.from(thrown).kind === 'cancelled')
        note('What is done so far is kept; the same command goes on from there.');
      throw thrown;
    }
  });
}

function summary({ tokens, importance, meanLambdaQ, meanLambdaK, lostMass, textSha256 }: AttentionCalibration): string {
  const lines = [
    `Calibrated over ${tokens} tokens of text ${textSha256.slice(0, 12)}, importance over ${importance?.tokens ?? 0}.`,
    `Mean INT8 scales: queries ${meanLambdaQ.toFixed(4)}, keys ${meanLambdaK.toFixed(4)}.`,
    ...lostMass.grid.map((ratio, g) => {
      const masses = lostMass.mass.flat().map((curve) => curve[g] ?? 0);
      const mean = masses.reduce((sum, mass) => sum + mass, 0) / masses.length;
      return `Attention outside the best ${percent(ratio)} of the keys: ${percent(mean)} on average over heads.`;
    }),
  ];
  return `${lines.join('\n')}\n`;
}

function percent(share: number): string {
  return `${Number((100 * share).toPrecision(3))} %`;
}
