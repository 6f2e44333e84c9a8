/** A value's members, by name. */
export function ValueAnswer({ value }: { value: Readonly<Record<string, unknown>> }) {
  return (
    <section aria-labelledby="found">
      <h2 id="found" tabindex={-1}>
        Answer
      </h2>
      <dl class="value">
        {Object.entries(value).map(([name, member]) => (
          <>
            <dt>{name}</dt>
            <dd>{typeof member === 'string' ? member : JSON.stringify(member)}</dd>
          </>
        ))}
      </dl>
    </section>
  );
}
