import type { ColorRoles } from '../block/block.ts';

export type ColorAnswerProps = {
  readonly roles: ColorRoles;
  readonly value: Readonly<Record<string, unknown>>;
  /** The arguments. */
  readonly values: Readonly<Record<string, unknown>>;
};

type Named = Readonly<Record<string, unknown>>;

/** The colour asked for beside the one found, then similar ones. */
export function ColorAnswer({ roles, value, values }: ColorAnswerProps) {
  const { channels, hex, name, others } = roles;
  const asked = `#${channels.map((channel) => hexOf(values[channel] as number)).join('')}`;
  const more = (value[others] ?? []) as readonly Named[];
  return (
    <section aria-labelledby="found">
      <h2 id="found" tabindex={-1}>
        {String(value[name] ?? value[hex])}
      </h2>
      <div class="swatches">
        <Swatch color={asked} title="Asked for" />
        <Swatch color={String(value[hex] ?? asked)} title={String(value[name] ?? '')} />
      </div>
      <dl class="value">
        {Object.entries(value)
          .filter(([member]) => member !== others)
          .map(([member, one]) => (
            <>
              <dt>{member}</dt>
              <dd>{typeof one === 'string' ? one : JSON.stringify(one)}</dd>
            </>
          ))}
      </dl>
      {more.length > 0 && (
        <>
          <h3>The next nearest</h3>
          <ul class="swatches">
            {more.map((other) => (
              <li>
                <Swatch
                  color={String(other[hex])}
                  title={`${other[name]}${other.distance === undefined ? '' : `, ${other.distance} away`}`}
                />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

/** A swatch of a colour; its code and name are below, where their contrast is sure. */
function Swatch({ color, title }: { color: string; title: string }) {
  return (
    <figure class="swatch">
      <svg viewBox="0 0 120 80" role="img" aria-label={color}>
        <rect width="120" height="80" fill={color} />
      </svg>
      <figcaption>
        <code>{color}</code> {title}
      </figcaption>
    </figure>
  );
}

function hexOf(channel: number): string {
  return channel.toString(16).padStart(2, '0');
}
