export { renderBlockPage } from './block-page.tsx';
export { renderCatalogPage, renderUnknownBlockPage } from './catalog-page.tsx';
export { summaryOfAll, summaryOfCounts, summaryQuestion } from './column-summary.ts';
export { openedView } from './opened-view.ts';
export { rankedFields } from './row-facts.ts';
export { renderRowPage } from './row-page.tsx';
export { rowsOfGroup } from './rows-of-group.ts';
export { columnsOfRows, rowsThatFit, writeTableBody } from './table-body.ts';
export { tableColumns } from './table-columns.ts';
