/**
 * The colours of figures in a file, which has no style sheet: the light ones of the page's style.
 */
export const LIGHT = {
  ground: '#ffffff',
  panel: '#f2f5f3',
  tint: '#dcebe4',
  ink: '#14201b',
  quiet: '#4d5b54',
  line: '#d5ddd8',
  edge: '#76857d',
  data: '#0a6a4e',
  mark: '#c04f00',
} as const;

/** Of series, in this order. */
export const SERIES = [
  ...['#0a6a4e', '#e0690c', '#2e6cda', '#965292', '#61340c', '#7d8dd1', '#a37e7b', '#413866'],
] as const;

/** From less to more. The first is visible on the panel. */
export const SHADES = ['#8c9128', '#458740', '#0c6a55', '#024a56', '#072548'] as const;

/** The attributes that a word of a look stands for, in a file. */
type Paint = Readonly<Record<string, string | number>>;

const stroked = (stroke: string, width = 1): Paint => ({
  fill: 'none',
  stroke,
  'stroke-width': width,
});

/** Letters that stand on marks have a rim of the ground's colour. */
const HALO: Paint = {
  stroke: LIGHT.ground,
  'paint-order': 'stroke',
  'stroke-width': 4,
  'stroke-linejoin': 'round',
};

const PAINTS: Readonly<Record<string, Paint>> = {
  base: stroked(LIGHT.edge),
  grid: stroked(LIGHT.line),
  tick: { fill: LIGHT.quiet },
  tk: { fill: LIGHT.edge },
  l: { ...stroked(LIGHT.data, 2.5), 'stroke-linejoin': 'round' },
  old: stroked(LIGHT.edge, 1.25),
  faint: { 'stroke-width': 1, opacity: 0.4 },
  quiet: { ...stroked(LIGHT.edge), opacity: 0.38 },
  band: { fill: LIGHT.tint },
  open: { 'stroke-dasharray': '4 4' },
  lone: { fill: LIGHT.data },
  mark: { fill: LIGHT.mark },
  note: { fill: LIGHT.quiet, ...HALO },
  end: { fill: LIGHT.ink },
  v: { 'font-weight': 700 },
  col: { fill: LIGHT.data },
  outline: stroked(LIGHT.edge, 1.5),
  med: stroked(LIGHT.mark, 2),
  land: { fill: LIGHT.panel, stroke: LIGHT.edge },
  sea: { fill: LIGHT.panel },
  earth: { fill: LIGHT.ground, stroke: LIGHT.edge },
  border: stroked(LIGHT.line),
  road: { ...stroked(LIGHT.ground, 6), 'stroke-linecap': 'round' },
  street: { fill: LIGHT.quiet, ...HALO, stroke: LIGHT.panel },
  place: { fill: LIGHT.quiet, ...HALO },
  water: { 'font-style': 'italic', stroke: LIGHT.panel },
  scale: stroked(LIGHT.quiet, 2),
  area: { fill: LIGHT.tint, stroke: LIGHT.ground },
  bare: { stroke: LIGHT.edge },
  fine: { 'stroke-width': 0.25 },
  other: { ...stroked(LIGHT.line, 5), 'stroke-linecap': 'round' },
  pale: { fill: LIGHT.line },
  ring: { ...stroked(LIGHT.edge), 'stroke-dasharray': '3 4' },
  dot: { fill: LIGHT.data, stroke: LIGHT.ground },
  thin: { stroke: LIGHT.data, 'fill-opacity': 0.55 },
  medians: stroked(LIGHT.mark, 2.5),
  number: { fill: LIGHT.ground, 'font-weight': 700, 'font-size': 11 },
  here: { fill: LIGHT.mark },
  you: { fill: LIGHT.ink, ...HALO },
  degrees: { fill: LIGHT.quiet, ...HALO },
  others: { fill: LIGHT.line },
  layer: { stroke: LIGHT.ground },
  c0: { fill: LIGHT.data },
  ...Object.fromEntries(SERIES.map((fill, i) => [`c${i + 1}`, { fill }])),
  ...Object.fromEntries(SHADES.map((fill, i) => [`s${i + 1}`, { fill }])),
};

/** The attributes of a look in a file. A line of a series has its colour as a stroke. */
export function paintOf(look: string): Paint {
  const names = look.split(' ');
  const merged = Object.assign({}, ...names.map((name) => PAINTS[name] ?? {})) as Paint;
  // Numbers on shades: black on the lighter ones, white on the others.
  if (names[0] === 'on') {
    const isLight = names.includes('s1') || names.includes('s2');
    return { fill: isLight ? '#000000' : LIGHT.ground, 'font-weight': 600 };
  }
  if (names.includes('l') && !names.includes('quiet')) {
    const series = SERIES[Number(names.find((name) => /^c\d$/.test(name))?.slice(1)) - 1];
    return series === undefined
      ? { ...merged, fill: 'none' }
      : { ...merged, ...stroked(series, 2), 'stroke-linejoin': 'round' };
  }
  if (names.includes('col') && names.includes('open')) {
    const { 'stroke-dasharray': _, ...column } = merged;
    return { ...column, 'fill-opacity': 0.45 };
  }
  if (names.includes('mark') && names.includes('open')) {
    return { fill: LIGHT.ground, stroke: LIGHT.mark, 'stroke-width': 2 };
  }
  return merged;
}
