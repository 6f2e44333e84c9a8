export { widthOfCells } from './cells.ts';
export { drawNumbers, drawPicture, drawWords } from './draw.ts';
export { drawFile } from './draw-file.ts';
export { figureOf, marksFor } from './figure.ts';
export { markOf } from './marks.ts';
export { smallPicture } from './small-picture.ts';
