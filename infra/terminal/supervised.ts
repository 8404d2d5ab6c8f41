import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { exitCodeOf, onParentEnd, onSignals } from './signals.ts';

/** Set in the environment of the process that runs the command. */
const isRunner = 'SUPERVISED';

/** How long a command may take to notice a signal. It finishes each piece of work within a second, and then checks. */
const noticeMs = 5_000;

/**
 * Runs a command in its own process, passes each signal on to it, and ends as it does. A process that computes runs no signal handlers, so a
 * command that does not notice a signal is killed.
 */
export async function supervised(run: () => Promise<void>): Promise<void> {
  if (process.env[isRunner]) {
    delete process.env[isRunner];
    process.on('message', () => process.send?.('noticed'));
    process.channel?.unref();
    return run();
  }
  onParentEnd(() => process.kill(process.pid, 'SIGHUP'));
  const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, [isRunner]: '1', STARTED_BY: String(process.pid) },
  });
  process.once('exit', () => child.kill('SIGKILL'));
  let received: NodeJS.Signals | undefined;
  onSignals((signal) => {
    received = signal;
    child.kill(signal);
    const timer = setTimeout(() => {
      console.error(`The command did not notice ${signal} within ${noticeMs / 1000} s, and was killed.`);
      child.kill('SIGKILL');
    }, noticeMs);
    child.once('message', () => clearTimeout(timer)).once('exit', () => clearTimeout(timer));
    // A command that a signal has ended has closed the channel.
    child.send('signal', () => {});
  });
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  process.exitCode = code ?? exitCodeOf(received ?? (signal as NodeJS.Signals));
}
