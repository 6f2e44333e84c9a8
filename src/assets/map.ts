import './page.ts';
import { addMoving } from './moving.ts';

/** The script of a page with a map: that of any page, and what moves the map. */

addMoving();
document.addEventListener('shown', addMoving);
