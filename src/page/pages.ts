export { renderBlockPage } from './block-page.tsx';
export { renderCatalogPage, renderUnknownBlockPage } from './catalog-page.tsx';
export { fieldsOnMap } from './map-figure.tsx';
export { renderRowPage } from './row-page.tsx';
export { columnsOfRows, columnsThatFit, rowsThatFit, writeTableBody } from './table-body.ts';
