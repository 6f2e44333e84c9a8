import fc from 'fast-check';
import { anyCharacter } from '../support/any-character.ts';

/** Texts that do something where a literal is not strict: each would leave a file, or not arrive. */
export const ATTACKS: readonly string[] = [
  // biome-ignore lint/suspicious/noTemplateCurlyInString: PHP's
  'O\'Brien "& Sons" $HOME `touch left`\n#{1} é {$x} ${x}\n<b>',
  // A shell
  '$(touch left)',
  '`touch left`',
  "'; touch left; '",
  "'\\''; touch left; '\\''",
  '\\',
  "\\'; touch left #",
  '’; touch left; ’',
  'x & touch left | touch left > left',
  'EOF\ntouch left\nEOF',
  '!! !touch %PATH% ^&',
  // A terminal: the end of a paste, an interrupt
  '\u001b[201~\u0003touch left\r',
  // curl
  '@secret',
  '-o left',
  ' --output left ',
  'a&b=c+d;e=%41%zz%',
  // JavaScript
  "'+require('node:fs').writeFileSync('left','')+'",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: of another program
  "${require('node:fs').writeFileSync('left','')}",
  "</script><script>throw '</script>'</script><!--<script>",
  // Python
  '"+__import__("os").system("touch left")+"',
  '{__import__("os").system("touch left")}',
  '"""\n\'\'\'',
  '\\N{BULLET}\\x41\\u0041\\101',
  // Ruby
  '#{system("touch left")}',
  '#@@left #@left #$0',
  '\\#{system("touch left")}',
  // PHP
  // biome-ignore lint/suspicious/noTemplateCurlyInString: PHP's
  '{${touch("left")}} ${touch("left")}',
  "'.touch('left').'",
  '?><?php touch("left"); ?>',
  // R
  '"),system("touch left"),c("',
  // Go
  '`+func()string{os.Create("left");return ""}()+`',
  // A spreadsheet
  '=HYPERLINK("http://127.0.0.1:1/")',
  '"&IMPORTDATA("http://127.0.0.1:1/")&"',
  "=cmd|' /C calc'!A0",
  // What is easily lost
  '\u0000',
  'a\u0000b',
  '\r\n\t\v\f\b\u007f\u0085\u00a0',
  '\u2028\u2029\u202e\u200b\ufeff\u00ad',
  'e\u0301 é ﬁ 𝒳 😀 👩‍👩‍👧 \u{10ffff}',
  '\ud800 a \udc00',
  '',
  ' ',
  ' x ',
  '007',
  'null',
];

const FRAGMENTS = [
  ...'\'"`\\$#@%&+=;|<>(){}[]!^~*?-_,.: \n\r\t\0',
  '#{',
  '${',
  '$(',
  "\\'",
  '\\\\',
  '\\u{41}',
  '\\u0041',
  '\\n',
  '%0A',
  '%27',
  '</',
  'touch left',
  '\u2019',
  '\u2028',
  '\u001b[201~',
  'é',
  '😀',
  '\ud83d',
];

const text = fc.oneof(
  fc.constantFrom(...ATTACKS),
  fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 12 }).map((parts) => parts.join('')),
  fc.string({ unit: anyCharacter, maxLength: 12 }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
);

const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 1e21, -1.5e-7, 5e-324, Number.MAX_VALUE, 2 ** 53, 2 ** 64),
);

const name = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('business', '_25_34_min', 'R', '_limit', '_format') },
  { weight: 1, arbitrary: fc.constantFrom('__proto__', 'constructor', '0', '1', '-1') },
  // `name[]` is the service's own notation for a list. PHP's objects have no name that begins
  // with NUL, and no parameter has either.
  { weight: 2, arbitrary: text.filter((given) => !/^\0|\[\]$/.test(given)) },
);

const value = fc.oneof(
  { weight: 4, arbitrary: text },
  { weight: 1, arbitrary: number },
  { weight: 1, arbitrary: fc.boolean() },
  { weight: 2, arbitrary: fc.array(fc.oneof(text, number, fc.boolean()), { maxLength: 4 }) },
);

/** Arguments as somebody's prefilled link could have them. */
export const hostileArguments: fc.Arbitrary<Record<string, unknown>> = fc
  .array(fc.tuple(name, value), { maxLength: 4 })
  .map((pairs) => Object.fromEntries(pairs));

/** Calls to be run together: every attack as a value and as a name, then random ones. */
export function hostileBatch(seed: number, size: number): Record<string, unknown>[] {
  return [
    {},
    { 0: 'names like those', 1: 'of a list' },
    ...ATTACKS.map((attack) => ({ business: attack })),
    ...ATTACKS.map((attack) => ({ category: [attack, attack, 'retail'], flag: true })),
    ...ATTACKS.filter((attack) => !attack.startsWith('\0')).map((attack) => ({ [attack]: attack })),
    ...fc.sample(hostileArguments, { seed, numRuns: size }),
  ];
}
