import { Command, type ErrorOptions, type ParseOptionsResult } from 'commander';
import { runCommand } from './opsError.ts';
import { guardOutput } from './output.ts';
import { holdsSecret, secretRefused, withoutArguments } from './secretArguments.ts';
import { onParentEnd } from './signals.ts';

/** Errors of commander, to whose message we add everything that the command accepts. */
const misread = new Set([
  'commander.unknownOption',
  'commander.unknownCommand',
  'commander.excessArguments',
  'commander.missingArgument',
  'commander.missingMandatoryOptionValue',
  'commander.optionMissingArgument',
]);

/**
 * A command line of this project. It accepts only what it declares: each option once, and a value wherever an option takes one. It never prints
 * an argument that may be a secret.
 */
export class OpsCommand extends Command {
  private readonly repeatable = new Set<string>();
  private given: readonly string[] = [];

  constructor(name?: string) {
    super(name);
    // Commander's help command accepts any number of arguments, so --help replaces it.
    this.helpCommand(false);
    // Lets each command read everything after its name.
    this.enablePositionalOptions();
  }

  override createCommand(name?: string): OpsCommand {
    return new OpsCommand(name);
  }

  /** Adds an option that may be repeated. @param collect adds a value to the earlier ones */
  repeatableOption<T>(flags: string, description: string, collect: (value: string, before?: T) => T): this {
    this.option(flags, description, collect);
    this.repeatable.add(this.options.at(-1)?.name() ?? '');
    return this;
  }

  /**
   * Runs the command line. An error that the person can correct ends in one sentence and exit code 1. The end of the parent
   * process counts as SIGHUP.
   */
  async main(): Promise<void> {
    guardOutput();
    onParentEnd(() => process.kill(process.pid, 'SIGHUP'));
    await runCommand(() => this.parseAsync());
  }

  override parseOptions(argv: string[]): ParseOptionsResult {
    this.given = argv;
    if (argv.some(holdsSecret)) this.error(secretRefused);
    this.assertKnownCommand(argv);
    this.assertEachOnceWithValue(argv);
    const parsed = super.parseOptions(argv);
    this.assertKnown(parsed);
    return parsed;
  }

  /** Commander would pass an unknown word to a default command, as an argument. */
  private assertKnownCommand([word]: readonly string[]): void {
    if (this.commands.length === 0 || word === undefined || word.startsWith('-')) return;
    if (this.commands.some((one) => one.name() === word)) return;
    this.error(`error: unknown command '${word}'`, { code: 'commander.unknownCommand' });
  }

  /** Commander would complain about a missing option first. A group of commands leaves unknown options to its commands. */
  private assertKnown({ unknown }: ParseOptionsResult): void {
    const [first] = unknown;
    if (this.commands.length > 0 || first === undefined) return;
    if (unknown.some((one) => one === '--help' || one === '-h')) return;
    this.error(`error: unknown option '${first}'`, { code: 'commander.unknownOption' });
  }

  /** Commander would silently use the last of several values, and would accept the next option as a value. */
  private assertEachOnceWithValue(argv: readonly string[]): void {
    const seen = new Set<string>();
    for (let i = 0; i < argv.length && argv[i] !== '--'; i++) {
      const [flag = '', attached] = (argv[i] as string).split('=', 2);
      const option = this.options.find((one) => one.long === flag || one.short === flag);
      if (!option) continue;
      if (seen.has(option.name()) && !this.repeatable.has(option.name()))
        this.error(`error: option '${option.flags}' must be given once at most`);
      seen.add(option.name());
      if (!option.required || attached !== undefined) continue;
      i += 1;
      if (/^-./s.test(argv[i] ?? ''))
        this.error(
          `error: option '${option.flags}' argument missing, or to be written as ${flag}=VALUE because it begins with "-"`,
        );
    }
  }

  override error(message: string, options: ErrorOptions = {}): never {
    // Commander puts its suggestion on a second line, and the number of arguments into a second sentence.
    const sentence = withoutArguments(message, this.given)
      .replace('\n', ' ')
      .replace(/(?<=too many arguments).*/, '');
    const isMisread = misread.has(options.code ?? '');
    return super.error(isMisread ? `${sentence}; "${this.fullName}" takes ${this.taken}` : sentence, options);
  }

  private get fullName(): string {
    return this.parent instanceof OpsCommand ? `${this.parent.fullName} ${this.name()}` : this.name();
  }

  /** The words that may follow the name. */
  private get taken(): string {
    if (this.commands.length > 0) return this.commands.map((command) => command.name()).join(' | ');
    const names = this.registeredArguments.map((one) =>
      one.required ? `<${one.name()}>` : `[${one.name()}]`,
    );
    const options = this.options.map(({ flags, mandatory }) => (mandatory ? flags : `[${flags}]`));
    return [...names, ...options].join(' ') || 'nothing';
  }
}
