const blocks = '/api_v2/blocks';

/** Every kind of page that a person can come to, by what it is; tables short, as axe wants them. */
export const PAGES = {
  'the catalogue': '/',
  'blocks found by words': '/?q=census+house',
  'no words to find blocks by': '/?q=!',
  'rows, regions': `${blocks}/census-neighborhoods?total_population_min=15000&_limit=3&_fields=neighborhood_1,vacant_units&_sort=-vacant_units`,
  'rows, points': `${blocks}/business-directory?type_of_business=laundries&location_1_location=*court+st*&_limit=3&_fields=business&_near=-73.9955,40.6827&_within=200m`,
  'a page of several': `${blocks}/census-neighborhoods?_limit=2&_fields=neighborhood_1,households`,
  'no rows, counted': `${blocks}/business-directory?type_of_business=laundrys&location_1_location=*court+st*`,
  'no rows, a range': `${blocks}/census-neighborhoods?under_5_min=1&total_population_min=900000`,
  'errors, several': `${blocks}/census-neighborhoods?households_min=5,000&total_population_min=9&total_population_max=1&under_5_max=abc&neighborhood=x`,
  'groups, bars': `${blocks}/business-directory?_group=type_of_business&_measure=count,avg:parsed_address&_limit=4`,
  'groups, steps': `${blocks}/census-neighborhoods?_group=total_population.5000&_measure=avg:vacant_units&total_population_min=5000`,
  'groups, a map': `${blocks}/census-neighborhoods?_group=neighborhood_1&_measure=avg:vacant_units&_limit=3`,
  'one group': `${blocks}/census-neighborhoods?_measure=sum:total_population`,
  'an error, a choice': `${blocks}/business-directory?_sort=busines`,
  'a map of regions': `${blocks}/census-neighborhoods?_view=map&total_population_min=15000`,
  'a map of circles': `${blocks}/business-directory?_view=map&type_of_business=laundries`,
  'circles near a place': `${blocks}/business-directory?_near=-73.9955,40.6827&_within=200m`,
  'squares on a map': `${blocks}/business-directory?_group=place.200m`,
  'two groups': `${blocks}/business-directory?_group=category,type_of_business`,
  'a chart of nothing': `${blocks}/business-directory?_view=chart&type_of_business=laundrys`,
  columns: `${blocks}/business-directory?_view=columns`,
  'a call': `${blocks}/business-directory?category=retail&_view=api`,
  'a colour unasked': `${blocks}/rgb-to-color-name`,
  'a colour': `${blocks}/rgb-to-color-name?R=18&G=52&B=86&list=css&alternatives=4`,
  'a row': `${blocks}/census-neighborhoods/rows/Canton`,
  'no row of that name': `${blocks}/census-neighborhoods/rows/canton`,
  'no block': `${blocks}/census-neigborhoods`,
  'errors, a colour': `${blocks}/rgb-to-color-name?R=999&G=abc`,
} as const;

/** Those that are heaviest: all rows, as many as a page has. */
export const WHOLE_PAGES = {
  'all neighborhoods': `${blocks}/census-neighborhoods`,
  'all neighborhoods, sorted and filtered': `${blocks}/census-neighborhoods?total_population_min=4200&households_max=100000&under_5_min=1&_sort=-vacant_units`,
  'all businesses': `${blocks}/business-directory`,
  'all groups': `${blocks}/census-neighborhoods?_group=neighborhood_1&_measure=count,sum:total_population,median:persons_per_hh`,
} as const;
