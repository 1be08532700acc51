/**
 * Entry of the command line. It loads the engine only for commands that need it, so that help and mistakes answer at once.
 * Main thread of a Node process; the exit code is set and the process ends by itself once the engine has let go.
 */
import { AppError } from '../../contract/errors.ts';
import { exitCodeFor } from './exit.ts';
import { commandHelp, generalHelp } from './help.ts';
import { Interrupt } from './interrupt.ts';
import { print, printError, printJson } from './output.ts';
import { parseCommandLine, type Request } from './parse.ts';

async function run(request: Request): Promise<number> {
  if (request.kind === 'help') {
    print(request.command === undefined ? generalHelp() : commandHelp(request.command));
    return 0;
  }
  const { command, args, values } = request;
  const interrupt = new Interrupt();
  try {
    switch (command) {
      case 'ask':
        return await (await import('./ask.ts')).ask(args, values, interrupt);
      case 'trace':
        return await (await import('./trace.ts')).trace(args, values, interrupt);
      case 'compare':
        return await (await import('./compare.ts')).compare(args, values, interrupt);
      case 'chat':
        return await (await import('./chat.ts')).chat(values, interrupt);
      case 'logits':
        return await (await import('./inspect.ts')).logits(values, interrupt);
      case 'tokenize':
        return await (await import('./inspect.ts')).tokenize(args, values);
      case 'render':
        return await (await import('./inspect.ts')).render(values);
      case 'models':
        return await (await import('./models.ts')).models(args, values, interrupt);
      case 'calibrate':
        return await (await import('./calibrate.ts')).calibrate(args, values, interrupt);
      case 'eval':
        return await (await import('./eval.ts')).evaluate(args, values, interrupt);
      case 'bench':
        return await (await import('./bench.ts')).bench(args, values, interrupt);
      case 'npu-compile':
        return await (await import('./npu-compile.ts')).compileForNpu(args, values, interrupt);
      case 'profile':
        return await (await import('./profile.ts')).profile(values, interrupt);
      case 'extract':
        return await (await import('./extract.ts')).extract(args, values, interrupt);
      case 'summarize':
        return await (await import('./summarize.ts')).summarize(args, values, interrupt);
      case 'devices':
        return await (await import('./devices.ts')).devices(values, interrupt);
    }
  } catch (thrown) {
    // Who reads JSON gets the reason as JSON, too.
    if (values.json) printJson({ error: AppError.from(thrown).toInfo() });
    throw thrown;
  }
}

async function main(): Promise<void> {
  try {
    process.exitCode = await run(parseCommandLine(process.argv.slice(2)));
  } catch (thrown) {
    const error = AppError.from(thrown);
    printError(error);
    process.exitCode = exitCodeFor(error.kind);
  }
}

void main();
