export { renderBlockPage } from './block-page.tsx';
export { renderCatalogPage, renderUnknownBlockPage } from './catalog-page.tsx';
export { openedView } from './opened-view.ts';
export { rankedFields } from './row-facts.ts';
export { renderRowPage } from './row-page.tsx';
export { rowsOfGroup } from './rows-of-group.ts';
export { columnsOfRows, columnsThatFit, rowsThatFit, writeTableBody } from './table-body.ts';
