export { renderBlockPage } from './block-page.tsx';
export { renderCatalogPage } from './catalog-page.tsx';
export { renderRowPage } from './row-page.tsx';
export { columnsOfRows, writeTableBody } from './table-body.ts';
export { renderUnknownBlockPage } from './unknown-block-page.tsx';
