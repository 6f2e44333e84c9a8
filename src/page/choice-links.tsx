/** What a figure can be like, as links; the current one is marked. */
export type LinkedChoice = {
  readonly title: string;
  readonly href: string;
  readonly isCurrent: boolean;
};

/** A list of choices beside the state of a figure. Nothing if there is no choice. */
export function ChoiceLinks(props: {
  readonly label: string;
  readonly choices: readonly LinkedChoice[];
}) {
  const { label, choices } = props;
  if (choices.length < 2) return null;
  return (
    <nav class="choices" aria-label={label}>
      {choices.map(({ title, href, isCurrent }) => (
        <a href={href} aria-current={isCurrent ? 'true' : undefined}>
          {title}
        </a>
      ))}
    </nav>
  );
}
