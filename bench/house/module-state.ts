/** What a module makes once and never changes: it holds nothing unless it is written to. */
const CONTAINER =
  /^(?:(?:Weak)?(?:Map|Set)|Array|(?:Big)?(?:Ui|I)nt\d+(?:Clamped)?Array|Float\d+Array)$/;
const UNCHANGING = /^(?:RegExp|URL|Text(?:De|En)coder|Intl\.\w+|\w*Error)$/;

/** The names of a `let` or a `const` of a module, with what it is made by, if that is seen. */
const DECLARED =
  /^(?:export )?(let|const) (\w+|[[{][^=]*?[\]}])(?::[^=;]*?(?<!=)(?= =|;))?(?: =\s+(?:new ([\w.]+)|(\w+)\())?/gm;

const WRITING = 'set|add|delete|clear|push|pop|shift|unshift|splice|sort|reverse|fill|copyWithin';

/**
 * The variables in which a module may keep something from one request for the next: any `let`, a
 * container that some function writes to, and an object of a class that may write to itself.
 */
export function moduleState(text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');
  return [...code.matchAll(DECLARED)].flatMap(([, keyword, declared = '', made = '', by]) =>
    (declared.match(/\w+/g) ?? []).filter(
      (name) =>
        keyword === 'let' ||
        by === 'once' ||
        (made !== '' && !CONTAINER.test(made) && !UNCHANGING.test(made)) ||
        isWritten(name, code),
    ),
  );
}

/** Whether a function changes what a variable holds; what stands at a line's begin runs only once. */
function isWritten(name: string, code: string): boolean {
  const part = '(?:\\.\\w+|\\[[^\\]]*\\])';
  const member = `${name}${part}+`;
  const change = `(?:\\b${member}\\s*(?:[-+*/%&|^?<>]{0,3}=(?![=>])|\\+\\+|--)|(?:\\+\\+|--)${member}|\\b${name}${part}*\\.(?:${WRITING})\\()`;
  return new RegExp(`^[ \\t].*${change}`, 'm').test(code);
}
