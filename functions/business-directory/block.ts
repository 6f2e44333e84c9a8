import { datasetBlock } from '../../src/block/block.ts';

/** Businesses of one commercial district, filtered by text, house number and zip code. */
export const block = datasetBlock({
  id: '0866afd3c60942887af15dc945ab76fc',
  name: 'business-directory',
  title: 'Business directory',
  description:
    'Licensed businesses of Red Hook and Carroll Gardens, Brooklyn (zip code 11231). Filter by name, category, type, street, phone number, and by ranges of house number and zip code.',
  noun: 'businesses',
  keyFields: [
    'business',
    'type_of_business',
    'category',
    'location_1_location',
    'parsed_address',
    'phone_number',
  ],
  fields: [
    {
      type: 'text',
      name: 'business',
      title: 'Business name',
      alias: 'name',
      main: true,
      indexed: true,
    },
    { type: 'text', name: 'category', title: 'Category' },
    { type: 'text', name: 'city_state', title: 'City and state' },
    { type: 'text', name: 'location_1_city', title: 'City', alias: 'city' },
    {
      type: 'text',
      name: 'location_1_location',
      title: 'Street address',
      alias: 'street',
      description: 'House number and street, such as 442 COURT ST.',
      indexed: true,
    },
    { type: 'text', name: 'location_1_state', title: 'State', alias: 'state' },
    { type: 'text', name: 'location_1_zip', title: 'Zip code of the address' },
    {
      type: 'phone',
      name: 'phone_number',
      title: 'Phone number',
      alias: 'phone',
      description: 'Compared by its digits, however they are written.',
      indexed: true,
    },
    {
      type: 'text',
      name: 'type_of_business',
      title: 'Type of business',
      alias: 'type',
      indexed: true,
    },
    {
      type: 'number',
      name: 'parsed_address',
      title: 'House number',
      alias: 'number',
      description: 'Where it is all digits; else null.',
    },
    { type: 'number', name: 'zip_code', title: 'Zip code, as a number', alias: 'zip' },
    {
      type: 'number',
      name: 'latitude',
      title: 'Latitude',
      unit: 'degrees north',
      filterable: false,
    },
    {
      type: 'number',
      name: 'longitude',
      title: 'Longitude',
      unit: 'degrees east',
      filterable: false,
    },
  ],
  geometry: { kind: 'points', longitude: 'longitude', latitude: 'latitude' },
  examples: [
    {
      title: 'Laundries on Court Street',
      arguments: { type_of_business: 'laundries', location_1_location: '*court st*' },
    },
    {
      title: 'By phone number, however it is written',
      arguments: { phone_number: '(718) 624-7581' },
    },
    {
      title: 'Two categories, house numbers 100 to 200',
      arguments: {
        category: ['retail', 'food and drink'],
        parsed_address_min: 100,
        parsed_address_max: 200,
        _limit: 10,
      },
    },
  ],
});
