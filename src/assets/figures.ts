import { inWords } from './in-words.ts';
import { say } from './places.ts';

/**
 * Lets a figure's points be read by keys: it is one stop, arrows go from point to point, and Enter
 * follows. Each point is said. Without the script its numbers are in the table below it.
 */
export function addReadouts(): void {
  for (const plot of document.querySelectorAll<HTMLElement>('.plot, .heatgrid, .map')) {
    const isPlot = plot.classList.contains('plot');
    const points = [...plot.querySelectorAll<SVGElement>(isPlot ? '.h' : 'a')];
    // The first circles are drawn last, so that they lie over the others.
    if (plot.querySelector('.dots') !== null) points.reverse();
    // Beside its sentences, which are its description already.
    if (points.length > 0) plot.ariaRoleDescription = inWords('figure, arrow keys go through it');
    let at = -1;
    const mark = (isAt: boolean) => points[at]?.classList.toggle('at', isAt);
    plot.addEventListener('keydown', (event) => {
      const last = points.length - 1;
      const next = {
        ArrowRight: at + 1,
        ArrowDown: at + 1,
        ArrowLeft: at - 1,
        ArrowUp: at - 1,
        Home: 0,
        End: last,
      }[event.key];
      const href = points[at]?.getAttribute('href');
      if (event.key === 'Enter' && href) location.href = href;
      if (next === undefined || last < 0) return;
      event.preventDefault();
      mark(false);
      at = Math.min(last, Math.max(0, next));
      mark(true);
      say(textOf(points[at]));
    });
    plot.addEventListener('blur', () => {
      mark(false);
      at = -1;
    });
    // A first tap shows a point, a second follows it.
    let tapped: Element | null = null;
    plot.addEventListener('pointerdown', ({ pointerType, target }) => {
      if (pointerType !== 'touch') return;
      const point = (target as Element).closest(isPlot ? '.h' : 'a');
      plot.addEventListener(
        'click',
        (event) => {
          if (point !== null && point !== tapped && isPlot) event.preventDefault();
          tapped = point;
        },
        { once: true, capture: true },
      );
    });
  }
}

/** What a point shows: its title, or its texts. */
function textOf(point: SVGElement | undefined): string {
  if (point === undefined) return '';
  const title = point.querySelector('title')?.textContent;
  return title ?? [...point.querySelectorAll('text')].map((text) => text.textContent).join(', ');
}
