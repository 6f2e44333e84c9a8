import { BBOX, FRAME } from '../block/parameter.ts';
import { boxText } from '../figure/frame.ts';
import type { Box, Picture } from '../figure/shape.ts';
import { changed, hrefOf, valuesOf } from './links.ts';
import type { DatasetPage } from './page.ts';

type MapPicture = Extract<Picture, { layout: 'map' }>;

/** Under a map: links to what is closer and wider, to all of it, and whose outlines it has. */
export function MapBar({ page, picture }: { page: DatasetPage; picture: MapPicture }) {
  const { links, profile, language } = page;
  const { say } = language;
  const { closer, wider, credit } = picture;
  const [frame] = valuesOf(links.state, FRAME);
  const to = (box: string | null) => hrefOf(changed(links.state, { [FRAME]: box }), FIGURE);
  const isWhole = wider === undefined || isWiderThan(wider, profile?.map);
  const outward = picture.isOfUs ? wider : isWhole ? undefined : wider;
  const hrefOfWider =
    frame === undefined && !picture.isOfUs
      ? undefined
      : to(outward === undefined ? null : boxText(outward));
  return (
    <div class="mapbar">
      <nav aria-label={say('Part of the map')}>
        <Move sign="+" name={say('Closer')} href={closer && to(boxText(closer))} />
        <Move sign="−" name={say('Wider')} href={hrefOfWider} />
        <Move
          sign="⌂"
          name={say('The whole map')}
          href={frame === undefined ? undefined : to(null)}
        />
      </nav>
      {/* The script's button. */}
      {picture.ratio !== undefined && <span class="tools"></span>}
      {frame !== undefined && (
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

function Move({ sign, name, href }: { sign: string; name: string; href?: string }) {
  return href === undefined ? (
    <span class="button off" aria-hidden="true">
      {sign}
    </span>
  ) : (
    <a class="button" href={href} aria-label={name}>
      {sign}
    </a>
  );
}

function isWiderThan([west, , east]: Box, map: { west: number; east: number } | undefined) {
  return map !== undefined && east - west >= map.east - map.west;
}
