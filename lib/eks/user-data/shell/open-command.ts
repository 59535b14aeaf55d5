import type { SourceText } from '../source-text';
import type { ShellAssignment, ShellHeredoc, ShellRedirection } from './script';
import type { ShellWord } from './word';

/** A here-document whose text follows on the next line. */
interface PendingHeredoc {
  readonly delimiter: string;
  readonly stripsTabs: boolean;
  readonly expands: boolean;
  readonly offset: number;
  receive(body: SourceText): void;
}

const DECLARATIONS: ReadonlySet<string> = new Set(['declare', 'typeset', 'local', 'readonly', 'export']);

/** A command that is being read. */
export class OpenCommand {
  readonly words: ShellWord[] = [];
  readonly assignments: (ShellAssignment & { readonly appends: boolean })[] = [];
  readonly redirections: ShellRedirection[] = [];
  readonly heredocs: ShellHeredoc[] = [];
  start: number | undefined;
  end = 0;
  /** Between `[[` and `]]`. */
  isTest = false;
  /** An operator stands in front of it that wants a command, on this line or the next. */
  continues = false;
  private pending: PendingHeredoc[] = [];

  /** Nothing of it has been read. */
  get isFresh(): boolean {
    return this.words.length === 0 && this.assignments.length === 0 && this.redirections.length === 0;
  }

  get isDeclaration(): boolean {
    return DECLARATIONS.has(this.words[0]?.text ?? '');
  }

  /** The command that follows; the texts of here-documents still come on the next line. */
  fresh(): OpenCommand {
    const next = new OpenCommand();
    next.pending = this.pending;
    next.continues = this.isFresh && this.continues;
    return next;
  }

  begin(at: number): void {
    this.start ??= at;
    this.end = Math.max(this.end, at);
  }

  add(words: readonly ShellWord[], end: number): void {
    for (const word of words) this.words.push(word);
    this.end = end;
  }

  redirect(redirection: ShellRedirection, written: string): void {
    this.redirections.push(redirection);
    const { operator, target, offset } = redirection;
    if (operator === '<<<' && target !== undefined) this.heredocs.push({ offset, body: target.value });
    if (operator !== '<<' && operator !== '<<-') return;
    const { heredocs } = this;
    const index = heredocs.length;
    this.pending.push({
      delimiter: target?.text ?? target?.show() ?? '',
      stripsTabs: operator === '<<-',
      expands: !/["'\\]/.test(written),
      offset,
      receive: (body) => heredocs.splice(index, 0, { offset, body }),
    });
  }

  takePending(): readonly PendingHeredoc[] {
    const { pending } = this;
    this.pending = [];
    return pending;
  }
}
