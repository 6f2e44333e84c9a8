import type { MapFrame } from '../block/manifest.ts';
import { BBOX, FRAME } from '../block/parameter.ts';
import { boxText } from '../figure/frame.ts';
import type { Box, Picture } from '../figure/shape.ts';
import { changed, hrefOf, valuesOf } from './links.ts';
import type { DatasetPage } from './page.ts';

type MapPicture = Extract<Picture, { layout: 'map' }>;

/** Under a map: links to what is closer and wider, to all of it, and whose outlines it has. */
export function MapBar({ page, picture }: { page: DatasetPage; picture: MapPicture }) {
  const { links, profile, language, block } = page;
  const { say } = language;
  const { closer, wider, credit } = picture;
  const [frame] = valuesOf(links.state, FRAME);
  const to = (box: string | null) => hrefOf(changed(links.state, { [FRAME]: box }), FIGURE);
  const [west, , east] = picture.home ?? [];
  const home = west === undefined || east === undefined ? profile?.map : { west, east };
  // Closer and wider again is the whole map; from there on, it is what is around it.
  const isHome = home !== undefined && isNarrower(picture.frame, home) && !isNarrower(wider, home);
  const outward = isHome || wider === undefined ? null : boxText(wider);
  const isEnd = frame === undefined && picture.hasOutside !== true;
  // Without degrees it cannot be moved.
  if (picture.frame === undefined) {
    if (credit === undefined) return null;
    return (
      <div class="mapbar">
        <span class="quiet">{credit}</span>
      </div>
    );
  }
  return (
    <div class="mapbar">
      <nav aria-label={say('Part of the map')}>
        <Move sign="M8 2v12M2 8h12" name={say('Closer')} href={closer && to(boxText(closer))} />
        <Move sign="M2 8h12" name={say('Wider')} href={isEnd ? undefined : to(outward)} />
        <Move
          sign="M2 8l6-6 6 6M4 7v7h8V7"
          name={say('The whole map')}
          href={frame === undefined ? undefined : to(null)}
        />
      </nav>
      {/* The script's button. */}
      {picture.ratio !== undefined && <span class="tools"></span>}
      {frame !== undefined && block.geometry !== undefined && (
        <a href={hrefOf(changed(links.state, { [FRAME]: null, [BBOX]: frame, _cursor: null }))}>
          {say('Only those inside')}
        </a>
      )}
      {credit !== undefined && <span class="quiet">{credit}</span>}
    </div>
  );
}

/** Where a link that moves the map leaves the page. */
const FIGURE = '#figure';

/** A link with a sign, which is the path of a picture of 16 by 16; without an address, the sign alone. */
function Move({ sign, name, href }: { sign: string; name: string; href?: string }) {
  const picture = (
    <svg viewBox="0 0 16 16" aria-hidden="true">
      <path d={sign} />
    </svg>
  );
  return href === undefined ? (
    <span class="button off">{picture}</span>
  ) : (
    <a class="button" href={href} aria-label={name}>
      {picture}
    </a>
  );
}

/** What is nearly as wide is not narrower. */
const NEARLY = 0.9;

function isNarrower(
  box: Box | undefined,
  { west, east }: Pick<MapFrame, 'west' | 'east'>,
): boolean {
  return box !== undefined && box[2] - box[0] < NEARLY * (east - west);
}
