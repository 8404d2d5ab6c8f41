import { Command, type ErrorOptions, type ParseOptionsResult } from 'commander';
import { runCommand } from './opsError.ts';
import { guardOutput } from './output.ts';
import { holdsSecret, secretRefused, withoutArguments } from './secretArguments.ts';

/** Mistakes that end in a sentence which says all that the command takes. */
const misread = new Set([
  'commander.unknownOption',
  'commander.unknownCommand',
  'commander.excessArguments',
  'commander.missingArgument',
  'commander.missingMandatoryOptionValue',
  'commander.optionMissingArgument',
]);

/**
 * A command line of this project. It takes what it declares and nothing else, each option once, and none without its value.
 * What may be a secret is never printed.
 */
export class OpsCommand extends Command {
  private readonly repeatable = new Set<string>();
  private given: readonly string[] = [];

  constructor(name?: string) {
    super(name);
    // It would take any number of arguments. There is --help.
    this.helpCommand(false);
  }

  override createCommand(name?: string): OpsCommand {
    return new OpsCommand(name);
  }

  /** An option that may be given several times. @param collect makes one value of what came before and a further one */
  repeatableOption<T>(flags: string, description: string, collect: (value: string, before?: T) => T): this {
    this.option(flags, description, collect);
    this.repeatable.add(this.options.at(-1)?.name() ?? '');
    return this;
  }

  /** Does what the command line says; what cannot be done ends in a sentence and in exit code 1. */
  async main(): Promise<void> {
    guardOutput();
    await runCommand(() => this.parseAsync());
  }

  override parseOptions(argv: string[]): ParseOptionsResult {
    this.given = argv;
    if (argv.some(holdsSecret)) this.error(secretRefused);
    this.assertEachOnceWithValue(argv);
    return super.parseOptions(argv);
  }

  /** Commander would take the last of several values, and the next option for a value. */
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
    // The suggestion of commander stands on a line of its own, and the number of arguments in a sentence of its own.
    const sentence = withoutArguments(message, this.given)
      .replace('\n', ' ')
      .replace(/(?<=too many arguments).*/, '');
    const isMisread = misread.has(options.code ?? '');
    return super.error(isMisread ? `${sentence}; "${this.fullName}" takes ${this.taken}` : sentence, options);
  }

  private get fullName(): string {
    return this.parent instanceof OpsCommand ? `${this.parent.fullName} ${this.name()}` : this.name();
  }

  /** What may follow the name. */
  private get taken(): string {
    if (this.commands.length > 0) return this.commands.map((command) => command.name()).join(' | ');
    const names = this.registeredArguments.map((one) =>
      one.required ? `<${one.name()}>` : `[${one.name()}]`,
    );
    const options = this.options.map(({ flags, mandatory }) => (mandatory ? flags : `[${flags}]`));
    return [...names, ...options].join(' ') || 'nothing';
  }
}
