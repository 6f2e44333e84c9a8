import type { Thumbnail as Drawing } from '../block/manifest.ts';
import type { PlainMessage } from '../languages/german.ts';
import { inLanguage, type Language, listed } from '../languages/language.ts';
import { ROWS_NOUN } from '../languages/names.ts';

type ThumbnailProps = {
  readonly thumbnail: Drawing;
  readonly noun: string | undefined;
  readonly language: Language;
};

/** The figure that a block's page opens with, small, and what it is of. */
export function Thumbnail({ thumbnail, noun = ROWS_NOUN, language }: ThumbnailProps) {
  if (thumbnail.kind === 'table') return <FirstRows drawing={thumbnail} language={language} />;
  const caption = captionOf(thumbnail, inLanguage({ noun }, language).noun, language);
  const form = language.say(thumbnail.form as PlainMessage);
  return (
    <>
      {thumbnail.kind === 'bars' ? (
        <Bars drawing={thumbnail} caption={caption} language={language} />
      ) : (
        <svg
          class="picture"
          role="img"
          aria-label={`${capital(form)}: ${caption}`}
          {...boxOf(thumbnail)}
        >
          {thumbnail.kind === 'plot' ? <Plot drawing={thumbnail} /> : <Cells drawing={thumbnail} />}
        </svg>
      )}
      <p class="quiet" dir="auto">
        {caption}
      </p>
    </>
  );
}

type Of<Kind extends Drawing['kind']> = Extract<Drawing, { kind: Kind }>;

function boxOf(drawing: Of<'plot'> | Of<'map'>) {
  return drawing.kind === 'plot'
    ? { viewBox: `0 0 ${drawing.width} ${drawing.height}`, preserveAspectRatio: 'none' }
    : { viewBox: `0 0 ${drawing.columns} ${drawing.rows}`, preserveAspectRatio: 'xMinYMid' };
}

/** A message that the import kept is said in the language of the page. */
function captionOf(drawing: Exclude<Drawing, Of<'table'>>, noun: string, language: Language) {
  const { say } = language;
  const { measured, by, range, kind } = drawing;
  if (by.length === 0 && kind === 'map') return capital(say('{noun} on the map', { noun }));
  const { message, field = '' } = measured;
  const what =
    message === undefined
      ? field || capital(noun)
      : `${say(message as PlainMessage)} ${field}`.trim();
  const parts = by.map(({ part, field }) => {
    if (part === undefined) return field ?? '';
    const said = say(part as PlainMessage);
    return field === undefined ? said : say('{part} of {field}', { part: said, field });
  });
  const title =
    parts.length === 0
      ? what
      : say('{measured}, by {by}', { measured: what, by: listed(parts, language) });
  if (range === undefined || range[0] === range[1]) return title;
  const [from, to] = range.map((end) => numberOf(end, drawing, language));
  return `${title}: ${say('{from} to {to}', { from: from as string, to: to as string })}`;
}

/** A number that the import has rounded, as the page of the block has it. */
function numberOf(
  number: number,
  { numbers }: Pick<Exclude<Drawing, Of<'table'>>, 'numbers'>,
  language: Language,
): string {
  if (numbers === 'plain') return String(number);
  if (numbers !== 'share') return language.number(number);
  return language.say('{number} %', { number: language.number(oneDecimal(100 * number)) });
}

const oneDecimal = (number: number) => Number(number.toFixed(1));

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function Plot({ drawing }: { drawing: Of<'plot'> }) {
  return (
    <g class={drawing.paths.length > 1 ? 'lines' : undefined}>
      {drawing.paths.map(([look, path]) => (
        <path class={look} d={path} />
      ))}
    </g>
  );
}

/** Cells of one class are one path; beside each other in a surface, they are one rectangle. */
function Cells({ drawing }: { drawing: Of<'map'> }) {
  const { columns, rows, cells, isSurface } = drawing;
  const shadeAt = (i: number) => {
    const two = Number.parseInt(cells[i >> 1] ?? '0', 36);
    return i % 2 === 0 ? Math.floor(two / 6) : two % 6;
  };
  const paths = new Map<number, string>();
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; ) {
      const shade = shadeAt(row * columns + column);
      const from = column++;
      const isSame = () => column < columns && shadeAt(row * columns + column) === shade;
      while (isSurface && isSame()) column++;
      if (shade === 0) continue;
      const width = column - from;
      const rect = isSurface ? `h${width}v1h-${width}z` : 'h.8v.8h-.8z';
      paths.set(shade, `${paths.get(shade) ?? ''}M${from} ${row}${rect}`);
    }
  }
  return [...paths].map(([shade, path]) => <path class={`s${shade}`} d={path} />);
}

function Bars(props: { drawing: Of<'bars'>; caption: string; language: Language }) {
  const { drawing, caption, language } = props;
  const { bars, more } = drawing;
  const { say } = language;
  const numbers = bars.map(([, value]) => value);
  const [least, most] = [Math.min(0, ...numbers), Math.max(0, ...numbers)];
  const share = (value: number) => oneDecimal((100 * (value - least)) / (most - least || 1));
  return (
    <table class="barlist" aria-label={caption}>
      <tbody>
        {bars.map(([name, value]) => (
          <tr>
            <th scope="row">
              <bdi>{nameOf(name, language)}</bdi>
            </th>
            <td class="n">{numberOf(value, drawing, language)}</td>
            <td>
              <svg class="bar" aria-hidden="true">
                <rect
                  x={`${share(Math.min(0, value))}%`}
                  width={`${share(Math.max(0, value)) - share(Math.min(0, value))}%`}
                  height="100%"
                />
              </svg>
            </td>
          </tr>
        ))}
        {more > 0 && (
          <tr>
            <th scope="row">{say('and {count} more', { count: more })}</th>
            <td />
            <td />
          </tr>
        )}
      </tbody>
    </table>
  );
}

function FirstRows({ drawing, language }: { drawing: Of<'table'>; language: Language }) {
  const count = drawing.rows.length;
  const fields = drawing.fields.join(', ');
  const caption =
    count === 1
      ? language.say('The only row: {fields}', { fields })
      : language.say('The first {count} rows: {fields}', { count, fields });
  return (
    <>
      <RowsDrawn drawing={drawing} caption={caption} language={language} />
      <p class="quiet" dir="auto">
        {caption}
      </p>
    </>
  );
}

function RowsDrawn(props: { drawing: Of<'table'>; caption: string; language: Language }) {
  const { drawing, caption, language } = props;
  return (
    <table class="barlist" aria-label={caption}>
      <tbody>
        {drawing.rows.map(([name = null, ...values]) => (
          <tr>
            <th scope="row">
              <bdi>{nameOf(name, language)}</bdi>
            </th>
            {values.map((value) => (
              <td dir="auto">{nameOf(value, language)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function nameOf(value: Of<'bars'>['bars'][number][0], { say }: Language): string {
  if (value === null || value === '') return say('blank');
  if (typeof value === 'boolean') return value ? say('yes') : say('no');
  return String(value);
}
