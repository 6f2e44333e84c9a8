import { inWords } from './in-words.ts';
import { LEAST_BRUSH } from './sliders.ts';

/** Degrees to about a metre. */
function degrees(...all: number[]): string {
  return all.map((one) => Number(one.toFixed(5))).join();
}

/** Adds buttons that write where the person is into its box: to the filter, and below a map. */
export function addNearMe(form: HTMLFormElement): void {
  form.querySelector('p.tools')?.append(nearMe());
}

function nearMe(): HTMLButtonElement {
  const button = buttonOf(inWords('Near me'));
  button.addEventListener('click', () => {
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        const near = document.querySelector<HTMLInputElement>('#f-_near');
        if (near !== null) type(near, degrees(coords.longitude, coords.latitude));
      },
      () => say(inWords('The browser does not tell where you are.'), 'failed'),
    );
  });
  return button;
}

/**
 * Lets a box be drawn on the map of a publisher: by a mouse at any time, by touch after its button.
 * The map of the earth is moved instead.
 */
export function addBoxDrawing(): void {
  const tools = document.querySelector('.map + .tools, .mapbar .tools');
  if (document.querySelector('#f-_near') !== null) tools?.replaceChildren(nearMe());
  const map = document.querySelector<SVGSVGElement>('.map svg[data-frame]');
  const box = document.querySelector<HTMLInputElement>('#f-_bbox');
  if (map === null || box === null) return;
  const [west, south, east, north] = (map.dataset.frame ?? '').split(' ').map(Number) as Box;
  const { width, height } = map.viewBox.baseVal;
  const button = buttonOf(inWords('Draw a box on the map'));
  const setDrawing = (isDrawing: boolean) => {
    button.setAttribute('aria-pressed', String(isDrawing));
    map.classList.toggle('drawing', isDrawing);
  };
  setDrawing(false);
  button.addEventListener('click', () => setDrawing(!map.classList.contains('drawing')));
  tools?.append(button);
  const drawn = document.createElementNS(map.namespaceURI, 'rect') as SVGRectElement;
  drawn.classList.add('asked');
  const at = ({ clientX, clientY }: PointerEvent) => {
    const point = new DOMPoint(clientX, clientY).matrixTransform(map.getScreenCTM()?.inverse());
    const within = (value: number, most: number) => Math.min(most, Math.max(0, value));
    return [within(point.x, width), within(point.y, height)] as const;
  };
  let began: readonly [number, number] | undefined;
  let sides: Box | undefined;
  map.addEventListener('pointerdown', (event) => {
    const mayDraw = event.pointerType === 'mouse' || map.classList.contains('drawing');
    if (event.button !== 0 || !mayDraw) return;
    began = at(event);
  });
  // A drag of what is a link would take the pointer away.
  map.addEventListener('dragstart', (event) => event.preventDefault());
  map.addEventListener('pointermove', (event) => {
    if (began === undefined) return;
    const [x, y] = at(event);
    const [left, right] = [Math.min(began[0], x), Math.max(began[0], x)];
    const [top, bottom] = [Math.min(began[1], y), Math.max(began[1], y)];
    // Anything smaller is a click.
    if (right - left < LEAST_BRUSH * width || bottom - top < LEAST_BRUSH * height) return;
    // Captured only now, since a click of a link would go to the map instead.
    map.setPointerCapture(event.pointerId);
    sides = [left, top, right, bottom];
    for (const [name, value] of Object.entries({
      x: left,
      y: top,
      width: right - left,
      height: bottom - top,
    })) {
      drawn.setAttribute(name, String(value));
    }
    map.append(drawn);
  });
  map.addEventListener('pointerup', () => {
    if (sides !== undefined) {
      const [left, top, right, bottom] = sides;
      const longitude = (x: number) => west + (x / width) * (east - west);
      const latitude = (y: number) => north - (y / height) * (north - south);
      type(box, degrees(longitude(left), latitude(bottom), longitude(right), latitude(top)));
      const part = box.closest('details');
      if (part !== null) part.open = true;
    }
    began = sides = undefined;
    setDrawing(false);
  });
  map.addEventListener('pointercancel', () => {
    began = sides = undefined;
    drawn.remove();
  });
}

type Box = [number, number, number, number];

/** Writes into a box as a person would. */
function type(box: HTMLInputElement, text: string): void {
  box.value = text;
  box.dispatchEvent(new Event('input', { bubbles: true }));
}

const said = document.querySelector<HTMLElement>('#said');

/** Announces a text to screen readers; only a failure is visible too. */
export function say(text: string, kind = 'unseen'): void {
  if (said === null) return;
  said.className = kind;
  said.textContent = text;
}

/** A button that submits nothing. */
export function buttonOf(text: string): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = text;
  return button;
}
