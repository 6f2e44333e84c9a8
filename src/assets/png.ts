import { inWords } from './in-words.ts';
import { say } from './places.ts';

/** Pixels of a picture for each of its file's: a projector shows it sharp. */
const SCALE = 2;

/** Shows the button that saves a figure as PNG, which its SVG file is drawn as. */
export function addPng(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button.png')) {
    button.hidden = false;
    button.onclick = () => save(button).catch(() => say(inWords('No answer came. Try again.')));
  }
}

async function save(button: HTMLElement): Promise<void> {
  const file = button.closest('nav')?.querySelector<HTMLAnchorElement>('a[href*="_format=svg"]');
  if (file == null) return;
  const answer = await fetch(file.href);
  if (!answer.ok) throw new TypeError(`The figure is a ${answer.status}.`);
  const image = new Image();
  // A policy that allows no other pictures allows these.
  image.src = `data:image/svg+xml,${encodeURIComponent(await answer.text())}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.naturalWidth * SCALE;
  canvas.height = image.naturalHeight * SCALE;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const picture = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
  if (picture === null) throw new TypeError('The figure is too large for a picture.');
  const link = document.createElement('a');
  link.href = URL.createObjectURL(picture);
  link.download = `${location.pathname.split('/').pop() || 'figure'}.png`;
  link.click();
  URL.revokeObjectURL(link.href);
}
