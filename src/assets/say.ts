const said = document.querySelector<HTMLElement>('#said');

/** Announces a text to screen readers; only a failure is visible too. */
export function say(text: string, kind = 'unseen'): void {
  if (said === null) return;
  said.className = kind;
  said.textContent = text;
}
