export { renderBlockPage } from './block-page.tsx';
export { renderCatalogPage } from './catalog-page.tsx';
export { renderUnknownBlockPage } from './unknown-block-page.tsx';
